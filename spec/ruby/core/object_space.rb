# ObjectSpace: what is there, objects by their ids, finalizers.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message.gsub(/\d{3,}/, "N")}"
end
class Found
  def initialize(name) = @name = name
  attr_reader :name
end
TOP = Found.new(:constant)
$found = Found.new(:global)
def captured
  inner = Found.new(:captured)
  -> { inner }
end
block = captured
list = [Found.new(:array), {Found.new(:key) => Found.new(:value)}]
Thread.current[:found] = Found.new(:fiber_local)
t { ObjectSpace.each_object(Found).map(&:name).sort }
t { ObjectSpace.each_object(Found) {} }
list.clear
GC.start
t { (ObjectSpace.each_object(Found).map(&:name) & %i[constant global captured fiber_local]).size }
t { ObjectSpace.each_object(Class.new) {} }
parent = Class.new
children = [Class.new(parent), Class.new(parent)]
t { ObjectSpace.each_object(parent.singleton_class).to_a.map { |c| ([parent] + children).index(c) }.sort }
t { ObjectSpace.each_object(Class).include?(String) && ObjectSpace.each_object(Module).include?(Kernel) }
t { ObjectSpace.each_object(Class).include?(Kernel) }
t { ObjectSpace.each_object(1) {} }

[nil, true, false, 0, 1, -42, 1.5, -2.25, 0.0, :sym, String, "str", [1], {}, 1..2, 1 << 88, Object.new, Encoding::UTF_8, -> {}, 10**40].each do |object|
  t { ObjectSpace._id2ref(object.object_id).equal?(object) }
end
t { [1.5, 0.0, 1.0, -2.25].map(&:object_id) }
t { ObjectSpace._id2ref(1 << 60) }
t { ObjectSpace._id2ref(1 << 70) }
t { ObjectSpace._id2ref("x") }

[1, :a, nil, 1.5].each { |object| t { ObjectSpace.define_finalizer(object) {} } }
t { ObjectSpace.define_finalizer("a".dup.freeze) {} }
t { ObjectSpace.undefine_finalizer("a".dup.freeze) }
t { ObjectSpace.define_finalizer(Object.new) }
t { ObjectSpace.define_finalizer(Object.new, 3) }
object = Object.new
action = proc { |id| puts "finalizer ran" }
equal = action.dup
t { ObjectSpace.define_finalizer(object, action)[1].equal?(action) }
t { ObjectSpace.define_finalizer(object, equal)[1].equal?(action) }
gone = Object.new
ObjectSpace.define_finalizer(gone, proc { puts "not this one" })
t { ObjectSpace.undefine_finalizer(gone).equal?(gone) }
