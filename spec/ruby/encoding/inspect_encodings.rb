# The encoding of what inspect gives: that of the first part, until a later part needs more.
values = [:seq, :"two words", :"é", [], [:a], [1], [nil, true], ["x"], [:a, "x"], ["x", :a], [:a, "é"], [1, [:b]], [:"two words"], {}, { a: 1 }, { a: "x" }, { "a" => 1 }, { 1 => "é" },
          { a: { b: [:c] } }, nil, 1, 1.5, "a", "é", 1r, 2i, /a/]
values.each { |value| puts "#{value.inspect} #{value.inspect.encoding} #{value.inspect.valid_encoding?}" }
p [:a, "é"].inspect + "é", ([:a].inspect << "é").encoding, "é#{[:a].inspect}".encoding
own = Class.new { def inspect = "é".encode("ISO-8859-1") }.new
p [:a, 1].to_s.encoding, { a: 1 }.to_s.encoding
p "#{[:a]}#{{ a: 1 }}".encoding
