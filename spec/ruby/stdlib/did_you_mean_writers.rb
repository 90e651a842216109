class B; def foo(x)=1; attr_writer :bar; attr_reader :baz; attr_accessor :quux; end
def m; yield; rescue Exception => e; puts e.message.gsub(/0x\h+/, "0x"); end
m { B.new.foo = 1 }
m { B.new.fooo = 1 }
m { B.new.bar }
m { B.new.baz = 1 }
m { B.new.quuz = 1 }
m { B.new.quuz }
m { B.new[1] = 2 }
m { [].push= 1 }
m { {}.kes }
m { {}.store= 1 }
m { "".length= 1 }
m { Class.new.new.x = 1 }
m { 1.foo = 2 }
