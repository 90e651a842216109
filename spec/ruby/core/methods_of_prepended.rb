# What a class says of its own methods leaves out those of prepended modules.
module M; def m;end; def c; end; def cc; end; end; class C; prepend M; def c;end; def d; end; private def cc; end; end
p C.instance_methods(false).sort, C.public_instance_methods(false).sort, C.private_instance_methods(false)
p C.method_defined?(:m,false), C.method_defined?(:c,false), C.method_defined?(:d,false),C.private_method_defined?(:cc,false), C.public_method_defined?(:cc, false)
class C; remove_method :d; end
class D; prepend Comparable; end
p C.instance_methods(false).sort, D.instance_methods(false)
p D.method_defined?(:clamp, false)
