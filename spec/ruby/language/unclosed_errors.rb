# What is said to be expected in place of what closes nothing.
["a = [\n 1,\nend", "[1,\nend", "foo(\n 1,\nend", "x = { a: 1\nend", "x = { a: 1,\nend", "def a", "foo(1\nend", "[1\nend", "foo(a: 1,\nend", "foo[1,\nend", "foo { |a,\nend", "def a b c", "def a b, c d; end", "x = { a: 1 2 }", "foo(a b)", "foo(1 2)", "[1 2]", "x = {", "x = { a: 1", "x = { a: 1,", "foo(", "foo(1", "foo(1,", "[", "[1", "[1,", "foo 1,", "lane :x do\n a = {\n b: 1,\nend\n", "x = { 'a' => 1\n y = 2", "foo(a,\n b\n c)", "foo(, a)", "[, a]"].each do |s|
  begin
    eval(s); puts "ok"
  rescue Exception => e
    puts "#{s.inspect} #{e.message.lines.first(1).join}"
  end
end
