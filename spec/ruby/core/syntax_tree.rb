# RubyVM::AbstractSyntaxTree: the trees of snippets with their places; nodes of methods, blocks and places in backtraces.
$VERBOSE = nil
Warning[:experimental] = false
Node = RubyVM::AbstractSyntaxTree::Node
def show(node, depth = 0)
  case node
  when Node
    puts "#{" " * depth}#{node.type}@#{node.first_lineno}:#{node.first_column}-#{node.last_lineno}:#{node.last_column}"
    node.children.each { |child| show(child, depth + 1) }
  else
    puts "#{" " * depth}#{node.inspect}"
  end
end
DATA.read.split(/^---\n/).each do |source|
  puts "--- #{source}"
  show(RubyVM::AbstractSyntaxTree.parse(source))
end

def plain(a, b = 1)
  a + b
end
block = proc { |x|
  x * 2
}
one = lambda { |y| y }; two = lambda { |z, w| z }
show RubyVM::AbstractSyntaxTree.of(method(:plain))
show RubyVM::AbstractSyntaxTree.of(block)
p RubyVM::AbstractSyntaxTree.of(one), RubyVM::AbstractSyntaxTree.of(two), RubyVM::AbstractSyntaxTree.of(method(:puts))
p RubyVM::AbstractSyntaxTree.of(block, keep_script_lines: true).source
p RubyVM::AbstractSyntaxTree.of(block).source, RubyVM::AbstractSyntaxTree.of(block).script_lines
node = RubyVM::AbstractSyntaxTree.parse("a +\n b", keep_script_lines: true)
p node, node.script_lines, node.source, node.children[2].source
def at
  yield
rescue StandardError => error
  RubyVM::AbstractSyntaxTree.of(error.backtrace_locations.first, keep_script_lines: true).then { |found| p [found.type, found.source] }
end
at { nil.foo(1) + 2 }
at { 1 + nil }
at { unknown_name }
at { Unknown }
at { block.unknown = 3 }
at { raise "x" }
[
  -> { RubyVM::AbstractSyntaxTree.parse("1 +") },
  -> { RubyVM::AbstractSyntaxTree.of(3) },
  -> { RubyVM::AbstractSyntaxTree.of(eval("proc { 1 }")) },
  -> { RubyVM::AbstractSyntaxTree.parse_file("/no/such/file") },
].each do |failing|
  failing.call
rescue Exception => error
  puts "#{error.class}: #{error.message.lines.first}"
end
__END__
a = 1; b; 2; a
---
x = begin 1 end
---
begin; a; rescue X, Y => e; b; else; c; ensure; d; end
---
def f(a,b=1,*c,d,e:,f:2,**g,&h) = a
---
def f; a; rescue; b; end
---
def self.f(x) return x if x; nil end
---
foo { |a, (b, c), *d; e| a + b }
---
foo { _1 }; bar do end
---
->(a) { a }; -> {}; ->() do 1 end
---
foo(1, *a, 2, &b); foo a: 1, **b; foo(*a, *b, c: 1, &d)
---
a.b = 1; a[1] = 2; a[1] += 2; a.b ||= 1; a&.b = 1; a[*b] = 1
---
a ||= 1; @a &&= 1; A ||= 1; A::B ||= 1; $a += 1
---
a, (b, *c), *d, e = *f; *, a = b; a, b.c, d[1], @e, $f, G, H::I = z
---
if a then b elsif c then d else e end; a unless b; a ? b : c
---
a while b; begin; a; end while b; until a do b end
---
case a when 1, *b then 2 else 3 end; case when a then b end
---
"a#{b}c#{d}"; "#{b}" "c"; :"a#{b}"; /a#{b}/i; `a#{b}`; "a\
b#{c}d\ne"
---
%w[a b] + %W[a#{b} c] + %i[a b] + [] + [*a, 1, 2]
---
{}; x = {a: 1, "b": 2, c => d, "s" => 3, **e}
---
a && b && (c && d) or e; !a; not a; a != b; /(?<x>a)/ =~ b; b =~ /a/; a =~ b
---
1..2; a...b if c..d; (1..); defined?(@a); a += 1 if /a/
---
alias a b; alias $a $b; undef a, :b
---
class A < B; c; end; class A::B; end
class ::A
  d
end
module A; end; class << self; a; end
---
return 1, 2 if a; foo { break 1, *a; next }; yield 1; super; super(); super 1
---
for a in b do c end; for a, b in c do d end
---
-a; -1; +a; 1r; 2i; 1.5; self; $1; $&; @@a = 1; ::A; A::B = 1; A.b; A::b
---
foo = bar rescue baz; p(x:, y:); def f(...) = g(...); def f(&) g(&) end
---
case a
in [Integer => b, *c] if e
  f
in {x: 1, y:, **z} unless q
  g
in [*, 3, *post]
  h
in {a:, **nil}
  i
in A(1, 2)
else
  j
end
a => {b:}
a in [1, x]
---
<<~A + <<B
  x
   y #{z}
  w
A
 q #{r} s
t
B
