# TracePoint: events of lines, natives, blocks, threads and fibers; limits to code, lines and threads; bindings; set_trace_func.
def tell
  yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end
class Shape
  attr_accessor :size
  alias length size
  def grow(by, twice = false, *rest, unit: 1, &block)
    total = by * (twice ? 2 : 1)
    block&.call(total)
    return total if rest.empty?
    [total].map { |one| one + unit }
  end
  define_method(:twice) { |number| number * 2 }
end
def seen(*events)
  rows = []
  point = TracePoint.new(*events) do |tp|
    next if tp.path.to_s.start_with?("<internal")
    rows << yield(tp)
  end
  [rows, point]
end

rows, point = seen(:line) { |tp| [tp.lineno, tp.method_id] }
point.enable
shape = Shape.new
shape.grow(1)
shape.grow(2, true, 3) { |x| x }
a = 1; b = 2
if a then b.to_s end; b.to_s
value = [
  a,
  b.succ,
]
begin
  raise "no"
rescue
  nil
ensure
  a
end
while a
  a = nil
end
"#{b}
#{b.to_s
  value.size}"
point.disable
rows.each { |row| p row }

rows, point = seen(:b_call, :b_return, :call, :return) do |tp|
  value = tp.return_value if %i[return b_return].include?(tp.event)
  [tp.event, tp.lineno, tp.method_id, tp.callee_id, tp.defined_class, tp.parameters, value, tp.binding.local_variables.first(2)]
end
point.enable { shape.grow(2, true, 3) { |x| x }; shape.twice(4); [1].each { |v; w| next 5 }; ->(z) { return z }.call(1) }
rows.each { |row| p row }

rows, point = seen(:c_call, :c_return) { |tp| [tp.event, tp.method_id, tp.defined_class, tp.self.class, (tp.return_value if tp.event == :c_return)] }
point.enable { shape.size = 1 + 2; shape.length; [3].first == 3; !nil; ->(x) { x }.(1) }
rows.each { |row| p row }

rows, point = seen(:raise) { |tp| [tp.raised_exception.class, tp.method_id, tp.lineno, tp.binding.local_variable_defined?(:shape)] }
point.enable do
  begin
    1 / 0
  rescue ZeroDivisionError
    2
  end
  Integer("z") rescue 1
  nil.nothing rescue 2
  Nothing rescue 3
  begin
    raise KeyError
  rescue KeyError
    raise IndexError rescue 4
  end
end
rows.each { |row| p row }

rows, point = seen(:thread_begin, :thread_end, :fiber_switch, :script_compiled) do |tp|
  [tp.event, tp.self.class, tp.method_id, (tp.eval_script if tp.event == :script_compiled)]
end
point.enable { Thread.new { 1 }.join; fiber = Fiber.new { Fiber.yield }; fiber.resume; fiber.resume; eval("1 + 1"); instance_eval("2") }
rows.each { |row| p row }

def target(a)
  b = a
  b.to_s
end
show = TracePoint.new(:line, :call, :return) { |tp| p tp }
tell { show.enable(target: method(:target)) { target(1); shape.grow(1) } }
only = TracePoint.new(:line) { |tp| p tp, tp.inspect }
tell { p only.enable(target: method(:target), target_line: __LINE__ - 6) { target(1) } }
tell { only.enable(target_line: 3) {} }
tell { only.enable(target: method(:target), target_line: 1) {} }
tell { only.enable(target: 3) {} }
tell { only.enable(target: method(:puts)) {} }
tell { only.enable(any: 1) }
call = TracePoint.new(:call) { |tp| p tp.method_id }
tell { call.enable(target_thread: Thread.current) { target(2); Thread.new { target(3) }.join } }
tell { call.enable(target: method(:target)); call.enable(target: method(:target)) }
p call.disable
tell { TracePoint.new(1) {} }
tell { TracePoint.allow_reentry {} }
names = []
again = TracePoint.new(:call) { |tp| names << tp.method_id; TracePoint.allow_reentry { target(1) } if names.size < 3 }
again.enable { target(2) }
p names, TracePoint.stat.class
tell { call.binding }
tell { TracePoint.new(:call) { |tp| tp.raised_exception }.enable { target(1) } }
two = TracePoint.new(:a_call, :a_return) { |tp| names << tp.event unless tp.path.start_with?("<internal") }
names.clear
two.enable { target(1) }
p names

set_trace_func proc { |event, file, line, id, binding, klass| names << [event, File.basename(file), line, id, binding.class, klass] unless file.start_with?("<internal") }
target(4)
set_trace_func(nil)
names.reject { |row| row.is_a?(Symbol) || row[3] == :set_trace_func }.each { |row| p row }
tell { set_trace_func(1) }
