# The order of Ripper's events: which tokens the parser has seen when a part of the grammar is complete.
require "ripper"
class Events < Ripper
  attr_reader :seen
  def initialize(*)
    super
    @seen = []
  end
  SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |text| @seen << "#{event}:#{text.inspect}" unless %i[sp nl ignored_nl].include?(event) } }
  PARSER_EVENT_TABLE.each_key { |event| define_method(:"on_#{event}") { |*| @seen << "<#{event}>"; nil } }
end

[
  "next 1, 2 if a", "next a", "next\n", "break(1)", "break 1 if a", "redo", "loop { redo; next 1 }", "begin; a; rescue; retry; end", "x in ^y",
  "a&.b += 1", "a[1] ||= 2", "a.b ||= c\nd[1, 2] += e\n@a &&= 1\nh.i = 2\nj[0] = 3", "a.b += c rescue d",
  "{a: 1, 'b': 2, c => d, **e}", "{\"a\": 1, \"b\#{c}\": 2, 'd': e}", "f(\"a\": 1)",
  "a, b = c, d", "a, b = *c, d", "a.each(&:b)", "f(&b)", "a? and b!", "defined?(a) && b", "%w[\n a b\n]",
  "class A < B; end", "class A; end", "module A\nend", "class << self; end", "class A\n  b\nend", "case a\nwhen 1\nwhen 2\nend", "begin; a; end while b", "a { }", "a do end", "if a\nelse\nend",
  "def a; end", "def a() = 1", "-> { _1 }", "a { |(b, c), d| }",
  "\"a\" \"b\" 'c'", "\"\#@a \#{b}\"", "\"\#{a}\#$b\#@@c\"", "puts \"a\#{b}c\" \"d\#{e}\"",
  "<<~A\n  x\n  y \#{z}\nA\n", "foo(<<A, 1) do |x|\n\#{a}\nb\nA\n  x\nend\nz", "a = [<<~X, <<~Y]\n  1\n  \#{2}\nX\n  \#{3} 4\nY\nb", "f <<~A if b\n  c\#{d}\nA\ne", "{ a: <<~A, b: 1 }\n  \#{c}\nA\n",
  "def m\n  <<~A\n    a\n    \#{b}\n\n  A\nend", "<<`A`\nls \#{a}\nA\n", "x.y(<<~A).z\n  \#{i} a\nA\n", "a.b += <<~A\n  x\#{y}\nA\n"
].each do |source|
  events = Events.new(source)
  events.parse
  puts source.inspect, "  #{events.seen.join(" ")}"
end
p Ripper.sexp("next"), Ripper.sexp("break 1").nil?, Ripper.new("redo").tap(&:parse).error?, Ripper.new("x in ^y").tap(&:parse).error?, Ripper.new("class A; return; end").tap(&:parse).error?
