# TracePoint: classes, methods and raise.
seen = []
trace = TracePoint.new(:class, :end) { |tp| seen << [tp.event, tp.self, tp.lineno] }
p trace.enabled?, trace.enable
class A
  module B; end
  class << self
    def made = 1
  end
end
p trace.enabled?, trace.disable, trace.enabled?
class A; end
seen.each { |event, slf, line| puts "#{event} #{slf.inspect[/\A#<Class:A>|\A[\w:]+/]} #{line}" if event == :class }
p seen.map(&:first).tally

class Greeter
  def greet(name, loud: false) = loud ? name.upcase : name
  alias hail greet
  def fails = raise(ArgumentError, "no")
end
seen = []
result = TracePoint.new(:call, :return, :raise) do |tp|
  seen << case tp.event
          when :call then [:call, tp.method_id, tp.callee_id, tp.defined_class, tp.parameters]
          when :return then [:return, tp.method_id, tp.return_value]
          when :raise then [:raise, tp.raised_exception.message]
          end
end.enable do
  Greeter.new.hail("x", loud: true)
  Greeter.new.fails rescue :rescued
end
p result
seen.each { |row| p row }

begin
  trace.self
rescue RuntimeError => error
  p error.message
end
begin
  TracePoint.new(:nothing) {}
rescue ArgumentError => error
  p error.message
end
begin
  TracePoint.new(:call)
rescue ArgumentError => error
  p error.message
end
p trace
