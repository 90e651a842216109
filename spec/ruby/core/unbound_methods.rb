def t(n); r = begin; yield.inspect; rescue Exception => e; "#{e.class}: #{e.message}"; end; puts "#{n}: #{r}"; end
module M; def foo(a); end; end
class C; include M; def bar; end; end
class D < C; end
t(1) { D.instance_method(:foo) }
t(2) { D.instance_method(:bar) }
t(3) { C.instance_method(:bar) }
t(4) { C.instance_method(:foo) == M.instance_method(:foo) }
t(5) { D.instance_method(:bar) == C.instance_method(:bar) }
t(6) { D.instance_method(:bar).hash == C.instance_method(:bar).hash }
t(7) { D.new.method(:foo).unbind }
t(8) { D.new.method(:bar).unbind == C.instance_method(:bar) }
t(9) { D.instance_method(:bar).eql? D.instance_method(:bar) }
t(10) { M.instance_method(:foo) }
t(11) { D.instance_method(:to_s) }
t(12) { D.instance_method(:bar).bind(D.new).inspect.sub(/0x\h+/,"") }
t(13) { D.instance_method(:bar).bind(C.new).inspect.sub(/0x\h+/,"") }
t(15) { D.new.method(:foo) == D.new.method(:foo) }
t(16) { d = D.new; d.method(:foo) == d.method(:foo) }
t(17) { d = D.new; d.method(:bar) == C.instance_method(:bar).bind(d) }
t(18) { D.instance_method(:bar).super_method.inspect }
t(19) { D.public_instance_method(:bar) }
class D; alias baz bar; end
t(20) { [D.instance_method(:baz), D.instance_method(:baz) == D.instance_method(:bar)] }
