module Foo; class Bar; def a; 1 end end; module Baz; X = 1 end; K = 5 end
class A; include Foo; class Bar; def q = 1; end; end
p A::Bar
module M; include Foo; class Bar; end; end
p M::Bar
class P; class Q; end; end
class C < P; class Q; end; end
p C::Q
include Foo
class Bar; def b; a; end; end
module Baz; Y = 2; end
p Bar, Bar.new.b
p Baz, Baz.constants.sort
begin; eval("class K; end"); rescue TypeError => e; puts e.message; end
begin; eval("class Baz; end"); rescue TypeError => e; puts e.message; end
begin; eval("class Bar < String; end"); rescue TypeError => e; puts e.message; end
class Object; class Bar; end; end
p Bar
module M2; class Bar; end; end
p M2::Bar
class ::Bar; end
p ::Bar
p Object.const_defined?(:Bar, false)
module Foo; private_constant :K; class Hid; end; private_constant :Hid; end
class Hid; end
p Hid
class N
  protected :dup
end
p((N.new.dup rescue $!.class))
class K1; def a; 1; end; end
class L2 < K1; protected :a; def call(o) = o.a; end
p((K1.new.instance_eval { L2.new.a } rescue $!.class))
p L2.new.call(L2.new), (L2.new.call(K1.new)), L2.instance_method(:a).owner, L2.protected_instance_methods(false)
class L3 < L2; end
p L3.new.call(L2.new), L2.new.call(L3.new)
