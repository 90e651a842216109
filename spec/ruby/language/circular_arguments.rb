# Which default values read their own parameter: those that only assign it do not, nor does what stands behind the parameters of a block.
[
  "def f(a: a = false) = a",
  "def f(a = a = 2) = a",
  "def f(a = (a = 3)) = a",
  "def f(a = a) = a",
  "def f(a: a) = a",
  "def f(a = [a]) = a",
  "def f(a = [a = 2, a]) = a",
  "def f(a = a += 1) = a",
  "def f(a = a ||= 1) = a",
  "def f(a = a &&= 1) = a",
  "def f(a = (b = a)) = a",
  "def f(a = (a, b = 1, 2)) = a",
  "def f(a = (a.foo = 1)) = a",
  "def f(a = defined?(a)) = a",
  "def f(a = \"\#{a}\") = a",
  "def f(a = a()) = a",
  "def f(a: a = 1, b: a) = b",
  "def f(a: a = 1, b: a, c: c) = b",
  "def f(a = proc { a }) = a",
  "def f(a = proc { |a| a }) = a",
  "def f(a = proc { a = 1 }) = a",
  "def f(a = [a = 2, proc { |a| a }]) = a",
  "def f(a = [a = 2, proc { a }]) = a",
  "def f(a = [proc { |b| 1 }, a]) = a",
  "def f(a = [proc { || a }, 1]) = a",
  "def f(a = ->{ a }) = a",
  "def f(a = ->(b) { a }) = a",
  "->(a = a) {}",
  "proc { |a = a| }",
  "proc { |a = a = 1| a }.call",
].each do |source|
  result = eval(source)
  result = f if result == :f && source.match?(/[ (]a = (?:a|\(a) = \d|false/)
  puts "#{source}: #{result.inspect.sub(/0x\h+.*>/, "")}"
rescue SyntaxError => error
  puts "#{source}: #{error.message.lines.grep(/circular/).join}"
rescue StandardError => error
  puts "#{source}: #{error.class}"
end
