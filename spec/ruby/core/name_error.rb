def t; yield; rescue Exception => e; puts e.message.inspect; end
t { nil.fooo }
t { nil  .  fooo  (1) }
t { 1.upcas }
t { Strin }
t { Process::Statu }
t { nil + 1 }
t { nil[3] }
t { nil.x = 4 }
t { {foo: 1}.fetch(:fo) }
t { {"foo"=> 1}.fetch("foo1") }
t { [1].frist }
t { raise NoMethodError, "hi" }
class A; def m; super; end; private def priv; end; end
t { A.instance_method(:foo) }
t { eval("nil.foo") }
begin; begin; raise "a"; rescue; raise "b"; end; rescue => e; p e.cause.message; end
at_exit { puts "bye" }
abort "stop"
