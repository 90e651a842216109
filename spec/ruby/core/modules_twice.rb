# A module that a class prepends, or has included before its superclass did, stands twice among the ancestors, and `super` runs both.
module Told
  def told = [:Told] + (defined?(super) ? super : [])
end
class Late
  def told = [:Late] + (defined?(super) ? super : [])
end
class LateBelow < Late
  include Told
end
class Late
  include Told
end
p LateBelow.ancestors.take(4), LateBelow.new.told
class Front
  prepend Told
  def told = [:Front]
end
class FrontBelow < Front
  prepend Told
  def told = [:FrontBelow] + super
end
p FrontBelow.ancestors.take(4), FrontBelow.new.told, FrontBelow.instance_method(:told).owner, FrontBelow.included_modules.take(2)
p FrontBelow.new.method(:told).super_method, FrontBelow.new.method(:told).super_method.super_method.owner
module Told
  def later = [:later] + (defined?(super) ? super : [])
end
p FrontBelow.new.later, LateBelow.new.later
module Told
  remove_method :later
end
p FrontBelow.method_defined?(:later), Told.instance_methods
module Nested
  include Told
end
class NestedBelow < Late
  include Nested
end
p NestedBelow.ancestors.take(5), NestedBelow.new.told
one = Late.new
one.extend(Told)
p one.singleton_class.ancestors.drop(1).take(2), one.told
p FrontBelow.include?(Told), FrontBelow < Told, FrontBelow.new.is_a?(Told), ObjectSpace.each_object(Module).count { |mod| mod.name == "Told" }
# A nested module keeps the place that it got with the module that brought it.
module Inner
  def inner = [:Inner] + (defined?(super) ? super : [])
end
module Outer
  include Inner
end
class Upper; end
class Lower < Upper
  include Outer
end
module Between
  include Inner
end
class Upper
  include Between
end
p Lower.ancestors.take(6), Lower.new.inner
