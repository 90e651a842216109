mod = Module.new
mod.instance_eval %{ Const1 = 1; class Kl; end }
p defined?(Module::Const1), mod.singleton_class.constants(false).sort, defined?(Kl), defined?(Module::Kl)
o = Object.new
o.instance_eval "C2 = 5; p C2; module MM; end"
p o.singleton_class.constants(false).sort, defined?(C2), defined?(MM)
begin; 123.instance_eval "C3 = 1"; rescue TypeError => e; p e.message; end
p defined?(Integer::C3), defined?(C3)
begin; :a.instance_eval "class C4; end"; rescue TypeError => e; p e.message; end
p 123.instance_eval("Float::MAX > 1"), 123.instance_eval("MAX rescue 'none'")
class K; KK = 1; def at(s) = instance_eval(s); end
p K.new.at("KK"), K.new.at("KK2 = 7; KK2"), K.constants
"x".instance_eval("SS = 1; p SS")
p String.constants(false).include?(:SS), defined?(SS)
nil.instance_eval("NN = 1"); p NilClass.constants
