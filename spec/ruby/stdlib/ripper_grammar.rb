# Ripper: the lists that the grammar builds, and the events of a subclass in their order.
require "ripper"
require "pp"

source = DATA.read
pp Ripper.sexp_raw(source)
pp Ripper.sexp(source)

class Trace < Ripper
  SCANNER_EVENTS.each { |name| define_method(:"on_#{name}") { |text| puts "#{name} #{text.inspect} #{lineno}:#{column}" } }
  PARSER_EVENTS.each { |name| define_method(:"on_#{name}") { |*parts| puts "  #{name} #{parts.size}" } }
end
p Trace.new(<<'RUBY').parse
# frozen_string_literal: true
require "a" unless b

class A < B
  include C
  def m(a, b = 1, *c)
    @x = a.b(c) { |d| d + 1 }
    if a then [1, :b] else { k: v } end
  end
end
foo :x do
  bar "a#{b}c", %w(d e)
end
RUBY

# A builder of its own: what a method's name and its parameters are.
class Methods < Ripper::SexpBuilderPP
  attr_reader :found
  def on_def(name, parameters, body)
    (@found ||= []) << [name[1], name[2][0]]
    super
  end
end
builder = Methods.new("def a; end\ndef b(c)\nend")
builder.parse
p builder.found, builder.error?, builder.error
broken = Ripper::SexpBuilder.new("def (")
broken.parse
p broken.error?, broken.error.class
p Ripper.sexp("1 +"), Ripper.sexp_raw("1 +")
begin
  Ripper.sexp("1 +", raise_errors: true)
rescue SyntaxError => e
  puts e.class
end
p Ripper.sexp("a 'b'\nc <<~D\n  1\n   2\nD\nd %w(e f)", "x", 10), Ripper::SexpBuilder.new("a", nil, 3).then { |made| [made.filename, made.parse, made.lineno] }
text = +"\t  x"
p Ripper.dedent_string(text, 9), text
__END__
x = <<~A + 1
  a
   b #{1}
    c
A
foo(a,)
foo(a, b: 1,)
a::b(1)
def m(...) = n(...)
def o(&b) = 1
a, = 1
(a, b) = 1
(a, b), c = 1
a, *b, c = 1
case 1
in [Integer => a, *b] then 2
in {a: 1, **nil} if x
  3
in Foo(_x) | nil
end
foo { |a, (b, c), *d, e: 1, **f, &g; h| 1 }
[*a, 1]
%w[a b]
%W[a#{1}b c]
%i[a b]
"a" "b#{c}"
BEGIN { 1 }
1..; 2
begin; 1; end
foo do; 1; end
foo do |x|; 1; end
foo { |x|; 1 }
foo {; 1 }
->(x) {; 1 }
if a; 1; else; 2; end
begin
1
ensure; 2; end
class A < B; 1; end
case a when 1; 2; end
while a; b; end
(; 1)
x(<<~B)

    #{a} b
    c
      #{d}
B

module M # a comment
  class << self; attr_accessor :x; end
  def self.[](key) = @all[key] ||= { key => 1, **rest }
  alias new_name old_name
  undef one, two
  alias $new $old
end
x, (y, *z), *w = 1, *all
a&.b ||= c rescue d
puts [1, 2r, 3i, 1.5, ?c, :"a#{b}", /x#{1}y/mi, `ls`, __FILE__] unless defined?(Foo) && !bar
while i < 10 do i += 1 end
begin
  work
rescue A, *B => error then retry
else
  1
ensure
  2
end until done
foo.() { |a, (b, *c), d = 1, *e, f:, g: 2, **h, &i; j| next 1, 2 }
-> x, y = 1 { super(x) } .call yield(1), *two, k: v, &blk
case [1, [2]]
in [Integer, [^x, *]] | { a: nil } then 1
in { name: String => name, **rest } unless none?
  2
in Point(x:, y: 1..) then 3
in [*, 3, *post] then 4
end
value => { b: }
text = "a" "b#{@c}#@d"
for a, b in pairs; p a; end
return if x and not y
END { 1 }
