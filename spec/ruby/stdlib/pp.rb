require "pp"; require "set"; require "ostruct"
class Pt; def initialize(*a) = (@a, @b = a); end
class Own; def pretty_print(q) = q.group(2, "(", ")") { q.seplist([1, 2, "x" * 70]) { |v| q.pp v } }; end
class Ins; def inspect = "INS"; end
S = Struct.new(:name, :value)
long = (1..40).to_a; h = { "key one" => "v" * 30, :sym => ["a" * 30, "b" * 30], nested: { a: { b: { c: ("x".."z").to_a * 9 } } } }
[1, nil, "str", :sym, [1, 2], {}, [], long, h, [h, h], { long => long }, S.new("n", 1), S.new("n" * 50, ["v" * 40]), 1..2, "line1\nline2\n", { "k" => "l1\nl2" }, Own.new, Ins.new, [Ins.new], Set[1, 2], Object, 3.5, (1..30).to_h { |i| [i, i.to_s * 3] }, OpenStruct.new(a: 1), /re/, "x" * 100, ["x" * 100, 1], { a: "x" * 100 }].each { |v| pp v }
puts Pt.new(1, { a: 2 }).pretty_inspect.gsub(/0x\h+/, "0x"), Pt.new("x" * 60, ["y" * 60]).pretty_inspect.gsub(/0x\h+/, "0x"), PP.singleline_pp(long, +""), PP.pp([1, "a" * 30, "b" * 30], +"", 40), PP.pp(h, +"", 20)
a = [1]; a << a; pp a; b = { x: 1 }; b[:self] = b; pp b; p pp(1, 2), pp, pp("q"), [1].pretty_inspect
"foo bar" =~ /(?<a>o+)/; pp $~
puts PrettyPrint.format(+"", 10) { |q| q.group(1, "[", "]") { 5.times { |i| q.text "item#{i}"; q.text ","; q.breakable } } }, PrettyPrint.format(+"", 20) { |q| q.text "a"; q.nest(4) { 8.times { q.fill_breakable; q.text "word" } } }
