class C; X = 1; @@v = :c; def self.a; X; end; def b; X; end; def v; @@v; end; def v=(x); @@v = x; end
  def later; def made; :made; end; end
  module In; def deep; X; end; end; include In
  def blk; [1].map { X }.first; end
  define_method(:dm) { X }
end
D = C.clone
p D.new.b, D.a
D.send(:remove_const, :X); D.const_set(:X, 2)
p D.new.b, C.new.b, D.a, D.new.deep, D.new.blk, D.new.dm, C.new.blk
C.send(:remove_const, :X)
p((C.new.b rescue "NameError"), D.new.b)
C.const_set(:X, 3); p C.new.b, D.new.b
D.new.later
p C.method_defined?(:made), D.method_defined?(:made)
module M; Y = 1; def y; Y; end; end
N = M.dup
N.send(:remove_const, :Y); N.const_set(:Y, 5)
p Object.new.extend(N).y, Object.new.extend(M).y
E = Class.new(C); F = E.clone
p F.new.b
class Outer; Z = 1; class Inner; def z; Z; end; end; end
O2 = Outer.clone
O2.send(:remove_const, :Z); O2.const_set(:Z, 9)
p O2::Inner.new.z, O2::Inner.equal?(Outer::Inner)
p D.instance_method(:b).owner, D.instance_method(:b).source_location[1]
a = Class.new { class_variable_set(:@@x, 1) }
class Counted; @@count = 0; def self.up = @@count += 1; def count = @@count; def count=(n); @@count = n; end; end
Copy = Counted.dup
Copy.new.count = 5
p Counted.new.count
