# `super` in blocks that run with another object as self, in modules' methods bound to other objects, `defined?` of private calls on self, and the keys that Hash patterns ask for.
def t(label)
  puts "#{label}: #{yield.inspect}"
rescue TypeError, NoMethodError, RuntimeError => e
  puts "#{label}: #{e.class}: #{e.message.lines.first}"
end
class Base; def foo = :base; def own = :own; end
class Sub < Base
  def foo = Object.new.instance_eval { super() }
  def other = "x".instance_eval { super() }
  def own = Sub.new.instance_exec { super() }
  def later = proc { super() }
  define_method(:made) { Object.new.instance_eval { super() } }
  private def hidden = 1
  attr_writer :set
  private :set=
  def asked = [defined?(hidden), defined?(self.hidden), defined?(self.set = 1), defined?(self.hidden.size), defined?(hidden.size)]
end
module Mixed; def mixed = Object.new.instance_eval { super() }; end
class User; include Mixed; end
t("instance_eval") { Sub.new.foo }
t("other") { Sub.new.other }
t("own") { Sub.new.own }
t("later") { Object.new.instance_exec(&Sub.new.later) }
t("made") { Sub.new.made }
t("module") { User.new.mixed }
p Sub.new.asked
module Before; def list(found) = super(found << "before"); end
module After; def list(found) = found << "after"; end
p Before.instance_method(:list).bind(Object.new.extend(After)).call([])

class Asked
  attr_reader :keys
  def initialize(hash) = @hash = hash
  def deconstruct_keys(keys) = (@keys = keys; @hash)
end
a = Asked.new({ a: 1 })
case a; in { a: 1 } then p a.keys; end
case a; in { a: 1, **nil } then p a.keys; end
case a; in { a: 1, **rest } then p a.keys, rest; end
case a; in { a: 1, ** } then p a.keys; end
case a; in { **rest } then p a.keys, rest; end
case a; in { **nil } then 1; else p a.keys; end
case Asked.new({}).tap { a = _1 }; in {} then p a.keys; end
o = Object.new
class << o; def foo; end; alias bar foo; end
m = o.method(:foo)
def m.foo; end
p o.method(:foo) == m, o.method(:foo) == o.method(:bar)
