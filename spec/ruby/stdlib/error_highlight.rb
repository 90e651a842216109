# ErrorHighlight: the place of an exception or a node, and formatters.
def spot(**options)
  yield
rescue StandardError => error
  node = RubyVM::AbstractSyntaxTree.of(error.backtrace_locations.first, keep_script_lines: true)
  options[:name] ||= error.name if error.is_a?(NameError)
  found = ErrorHighlight.spot(node, **options)
  found &&= found.slice(:first_lineno, :first_column, :last_lineno, :last_column).values + [found[:snippet][found[:first_column]...found[:last_column]]]
  p found
end
value = nil
spot { value.foo }
spot { value.foo(1, 2) }
spot { value
  .foo }
spot { value&.to_s.foo + 1 }
spot { value + 1 }
spot { value[1] }
spot { value.foo = 1 }
spot { value[1] = 2 }
spot { -value }
spot { value.foo += 1 }
spot { 1.foo.bar }
spot { unknown }
spot { unknown(1) }
spot { Unknown }
spot { Process::Unknown }
spot(point_type: :args) { 1 + nil }
spot(point_type: :args) { Integer("z", 10) }
spot(point_type: :args) { [1].first("x") }
begin
  value.bar
rescue NoMethodError => error
  puts error.message
end
old = ErrorHighlight.formatter
formatter = Object.new
def formatter.message_for(spot) = "\n\n<#{spot[:first_lineno]}:#{spot[:first_column]}-#{spot[:last_column]}>"
ErrorHighlight.formatter = formatter
begin
  value.bar
rescue NoMethodError => error
  puts error.message
end
ErrorHighlight.formatter = old
begin
  value.bar
rescue NoMethodError => error
  puts error.message
end
p ErrorHighlight.spot(nil)
