# IRB::Color: the colours of valid code.
require "irb/color"
p IRB::Color.colorize("a", [:GREEN, :BOLD]), IRB::Color.colorable?, IRB::Color.clear(colorable: true), IRB::Color.clear(colorable: false)
p IRB::Color.colorize("a", [:GREEN, :BOLD], colorable: true)
h = {}; h[:a] = h
[1, 1.5, 2r, nil, [1, :a, "s", nil], { a: 1 }, { a: Object.new }, h, 1..2, (1..), String, Class.new, /a/, Object.new].each { |x| p IRB::Color.inspect_colorable?(x) }
['def a(x)
  x + :b # c
end
', "1 + 2.5 - 3r * 4i", "%w[a b]", "%i[a b]", ":a", ':"a b#{c} d"', "foo(a: 1, \"b\": 2)", "/a#\{b}/m", "`ls`", "puts ENV['A'], $stdout, @a, @@b, Foo::Bar", "<<A\nx \#{y}\nA\n", "<<~A + 1\n  x\nA\n", "?a", "self.true?", "nil; true; __FILE__", "\"a\#$b\"", "class Foo < Bar; end", "a = 1\n__END__\nx y", "\"\\e\e\x7f\"", "# é\n'é'", "%q(a)", "->(x) { x }", "a&.b", "x ? y : z", ":+", ":[]", ":a=", "%s(a)", "", "\n", "a\r\nb"].each do |code|
  p IRB::Color.colorize_code(code, colorable: true)
  p IRB::Color.colorize_code(code, complete: false, colorable: true)
  p IRB::Color.colorize_code(code, ignore_error: true, colorable: true)
end
p IRB::Color.colorize_code("def", colorable: false)
p IRB::Color.constants.sort
