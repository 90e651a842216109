# Natives that began before the trace tell of their return; hooks, exceptions and clauses of `rescue` call natives.
events = []
trace = TracePoint.new(:c_call, :c_return, :raise) { |point| events << [point.event, point.lineno, point.method_id, point.defined_class] }
show = lambda do |title|
  trace.disable
  puts title
  events.each { |event| p event }
  events.clear
end

module Hooked; end
Hooked.define_singleton_method(:included) { |_| TRACE.enable }
TRACE = trace
Class.new { include Hooked }
show.("include")

def nested
  [1].each { |_| [2].map { TRACE.enable } }
  2
end
nested
show.("blocks of natives")

trace.enable { begin; fail "x"; rescue; end }
show.("fail")
trace.enable { begin; raise ArgumentError; rescue TypeError, ArgumentError; end }
show.("raise of a class")
trace.enable { begin; raise "text"; rescue *[TypeError, RuntimeError]; end }
show.("raise of a text")

trace.enable do
  class Quux
    def a; end
    def self.b; end
  end
end
show.("hooks")

events = []
function = proc { |event, _, line, name, _, klass| events << [event, line, name, klass] }
set_trace_func(function)
class Quux
  def c; end
end
set_trace_func(nil)
events.each { |event| p event }

# a class's own `new` is not asked by `raise`
class Own < StandardError
  def self.new(*) = raise("never")
end
begin
  raise Own, "text"
rescue Own => error
  p error
end
p Own.exception("text")
class RuntimeError
  def self.new(*) = raise("never")
  def self.exception(*) = raise("never")
end
begin
  raise "a"
rescue => error
  p error
end
class StandardError
  def self.===(other) = (p [:asked, other]; super)
end
begin; raise "b"; rescue; p :rescued; end
