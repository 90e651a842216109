# Modules that stand more than once among the ancestors: included and prepended, nested ones, ones of the superclass.
def lab(m) = m.ancestors.take_while { |x| x != Object && x != Kernel }.map { |x| $n[x] || x }
$n = {}
def mod(name, &b) = Module.new { define_method(:foo) { [name] + super() } }.tap { |m| $n[m] = name; m.module_eval(&b) if b }
def cls(name, sup = Object, &b) = Class.new(sup) { define_method(:foo) { sup == Object ? [name] : [name] + super() } }.tap { |m| $n[m] = name; m.class_eval(&b) if b }
def show(l, c) = puts("#{l}: #{lab(c).inspect} #{(c.is_a?(Class) ? c.new.foo : nil).inspect}")
c = cls(:c); sc = cls(:sc, c); m = mod(:m); sc.include m; sc.prepend m; show 1, sc; sc.prepend m; show 2, sc; sc.include m; show 3, sc
p sc.included_modules.map { $n[_1] }.compact, sc.include?(m), sc.instance_method(:foo).owner.then { $n[_1] }
m0 = mod(:m0); m1 = mod(:m1) { prepend m0 }; 
m3 = mod(:m3) { include m1; prepend m1 }; show 4, m3
m4 = mod(:m4) { prepend m1; include m1 }; show 5, m4
m5 = mod(:m5) { prepend m1; prepend m1 }; show 6, m5
c = cls(:c); sc = cls(:sc, c); sc.include m3; show 7, sc; sc.prepend m3; show 8, sc
c = cls(:c); sc = cls(:sc, c); m1 = mod(:m1); m2 = mod(:m2); m3 = mod(:m3)
sc.include m2; sc.prepend m1; show 9, sc; m1.include m2; show 10, sc; m1.include m3; show 11, sc
c = cls(:c); sc = cls(:sc, c); m1 = mod(:m1); m2 = mod(:m2); m1.include m2; sc.include m2; sc.prepend m1; show 12, sc
c = cls(:c); sc = cls(:sc, c); m1 = mod(:m1); m2 = mod(:m2); m1.include m2; sc.prepend m1; show 13, sc; sc.include m2; show 14, sc; sc.prepend m2; show 15, sc
c = cls(:c); sc = cls(:sc, c); m = mod(:m); c.include m; sc.include m; sc.prepend m; show 16, sc; c.prepend m; show 17, sc; show 18, c
c = cls(:c); sc = cls(:sc, c); m = mod(:m); sc.include m; c.include m; sc.prepend m; show 19, sc
m.define_method(:foo) { [:new] + super() }; show 20, sc
m.define_method(:bar) { [:bar] + (defined?(super) ? super() : []) }; p sc.new.bar
m.remove_method(:foo); show 21, sc
o = Object.new; x = mod(:x) ; def o.foo = [:o]
o.extend(x); o.singleton_class.prepend(x); p o.foo, o.singleton_class.ancestors.take(3).map { $n[_1] || _1.inspect[0, 9] }
a = mod(:a); b = mod(:b) { include a }; k = cls(:k); s = cls(:s, k); s.prepend b; show 22, s; s.include a; show 23, s; k.include a; show 24, s
a = mod(:a); b = mod(:b); k = cls(:k); s = cls(:s, k); s.include b; s.prepend b; b.include a; show 25, s; b.prepend mod(:z); show 26, s
class P; X = :own; end; module Q; X = :q; end; class P; prepend Q; end; class R < P; end
p P::X, R::X, P.const_get(:X), R.const_get(:X), (class P; X; end), (class R; X; end), P.constants, P.const_source_location(:X).last
module Q; Y = 1; end; p P::Y
d = P.dup; p d.ancestors.size == P.ancestors.size
module Refi; end
cc = cls(:cc); mm = mod(:mm); cc.include mm; cc.prepend mm; dd = cc.dup; $n[dd] = :dd; show 27, dd; ee = cls(:ee, cc); show 28, ee
p cc < mm, cc.new.is_a?(mm), mm === cc.new, cc <=> mm
p cc.instance_method(:foo).super_method.then { $n[_1.owner] }, cc.new.method(:foo).super_method.super_method.then { $n[_1.owner] }
p cc.instance_methods(false), ee.new.method(:foo).owner.then { $n[_1] }
