# `new` makes objects also of classes whose `allocate` is undefined, private or another.
def tried
  p yield
rescue => error
  puts "#{error.class}: #{error.message.lines.first.chomp.sub(/0x\h+/, "0x")}"
end

def without(superclass)
  Class.new(superclass) { singleton_class.undef_method(:allocate) }
end
class A; class << self; undef_method :allocate; end; end
tried { A.new.class }
tried { A.allocate }
tried { Class.new(A).new.class.superclass }
tried { Class.new(A).allocate }
tried { Class.instance_method(:allocate).bind_call(A) }
tried { A.new.dup.class }
tried { without(Array).new(2) }
tried { without(Hash).new(3) }
tried { without(String).new("x") }
tried { without(Exception).new("x").message }
tried { without(Exception).exception("y").message }
tried { without(Struct.new(:a)).new(1).a }
class Own
  def self.allocate = p(:own)
end
tried { Own.new.class }
class Hidden; class << self; private :allocate; end; end
tried { Hidden.new.class }
tried { Class.instance_method(:new).bind_call(Integer) }
tried { Class.instance_method(:new).bind_call(A.singleton_class) }
tried { Class.instance_method(:allocate).bind_call(Rational) }
tried { Class.instance_method(:allocate).bind_call(Complex) }
