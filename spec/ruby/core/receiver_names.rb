# How messages name the class or module that was called.
def said
  yield
rescue NameError => error
  puts error.message.lines.first.gsub(/0x\h+/, "0x")
end

eval "class #{"A" * 70}; end"
said { Object.const_get("A" * 70).foo }
class Silent; def self.name = nil; end
said { Silent.foo }
class Failing; def self.name = raise("x"); end
said { Failing.foo }
class Mute; def self.name = raise("x"); def self.inspect = raise("y"); end
said { Mute.foo }
class Number; def self.name = 12; end
said { Number.foo }
class Hashed; def self.name = "#x"; end
said { Hashed.foo }
class Stored; class << self; attr_accessor :name; end; end
said { Stored.foo }
Stored.name = "six"
said { Stored.foo }
said { Stored.new.foo }
class Hidden; def self.foo(a) = a; private_class_method :foo; def self.name = "Seven"; end
said { Hidden.foo }
class Endless; def self.name = bar; end
said { Endless.foo }
class Shown; def self.inspect = "shown"; end
said { Shown.foo }
class Long; def self.name = "A" * 80; end
said { Long.foo }
said { Class.new { def self.inspect = "#<Class tool>" }.foo }
said { Class.new { def self.inspect = "anonymous tool" }.foo }
said { Class.new.foo }
said { Module.new.foo }
said { Stored.singleton_class.foo }
said { Kernel.foo }
said { Class.new { def self.inspect = "#<Class tool>"; def self.x = hello }.x }

p TrueClass.public_instance_methods(false).sort, FalseClass.public_instance_methods(false).sort, true.!, !true
