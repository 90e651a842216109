# Which constants code sees that instance_eval and class_eval run, as a String and as a block.
WHERE = :top
module Outer
  WHERE = :outer
  class Base
    WHERE = :base
    LOW = :low
  end
  class Leaf < Base
    WHERE = :leaf
  end
  def self.asks(object)
    [object.instance_eval("WHERE"), object.instance_eval { WHERE }]
  end
  def self.asks_class(klass)
    [klass.class_eval("WHERE"), klass.class_eval { WHERE }, klass.class_exec { WHERE }]
  end
end
leaf = Outer::Leaf.new
p Outer.asks(leaf), Outer.asks(Outer::Base.new), Outer.asks(Object.new), Outer.asks(1), Outer.asks(nil), Outer.asks(:a)
p Outer.asks_class(Outer::Leaf), Outer.asks_class(Outer::Base), Outer.asks_class(Class.new(Outer::Leaf))
p leaf.instance_eval("LOW"), leaf.instance_eval("Module.nesting.size")
leaf.singleton_class.const_set(:WHERE, :own)
p Outer.asks(leaf)
p(begin; leaf.instance_eval { LOW }; rescue NameError => error; error.message; end)
leaf.instance_eval("MADE = 1")
p leaf.singleton_class.constants(false).sort
leaf.instance_eval("def only = WHERE")
p leaf.only, leaf.singleton_methods
[[], ["1", "f", 1, 2]].each do |arguments|
  leaf.instance_eval(*arguments)
rescue ArgumentError => error
  puts error.message
end
begin
  leaf.instance_eval(1, 2) { 3 }
rescue ArgumentError => error
  puts error.message
end
class Counted
  @@count = 3
  def self.read(object) = object.instance_eval("@@count")
end
p Counted.read(Object.new)

# A String under instance_eval: the constants of the receiver's class itself, then those around the call, then what its class inherits.
class Low
  OWN = :low
  ONLY = :inherited
end
class High < Low
  LEVEL = :high
end
module Around
  OWN = :around
  def self.look(object) = %w[OWN LEVEL ONLY].map { |name| object.instance_eval("#{name} rescue :missing") }
end
p Around.look(High.new), Around.look(Low.new), Around.look(Object.new), Around.look(nil), Around.look(3)
p High.new.instance_eval("Module.nesting"), 1.instance_eval("Module.nesting"), nil.instance_eval("Module.nesting")
class Shared
  @@kept = :shared
  def self.around(object) = object.instance_eval("@@kept")
  def self.around_block(object) = object.instance_eval { @@kept }
end
class Keeping
  @@kept = :keeping
end
p Shared.around(Keeping.new), Shared.around_block(Keeping.new), Shared.around(nil)
