# `defined?(super)` in a module's method that is bound to an object without the module, as `super` has it; and modules that include one another many times.
module Loose
  def text = [:Loose, defined?(super), *(super if defined?(super))]
  def none = [:Loose, defined?(super)]
end
class Own
  def text = [:Own]
end
p Loose.instance_method(:text).bind(Own.new).call, Loose.instance_method(:text).bind_call(Own.new), Loose.instance_method(:none).bind_call(Own.new)
p Own.new.extend(Loose).text, Loose.instance_method(:text).bind(Object.new).call

# each module includes all before it: there are very many ways from the first to the last
modules = []
40.times do |number|
  made = Module.new
  made.define_singleton_method(:inspect) { "M#{number}" }
  modules.each { |known| made.include(known) }
  modules << made
end
late = Module.new { def late = :late }
late.define_singleton_method(:inspect) { "Late" }
last = Class.new { include modules.last }
modules.first.include(late)
p modules.last.ancestors.last(3), last.new.late
modules.first.define_method(:first) { :first }
p last.new.first
modules.first.define_method(:first) { :again }
p last.new.first
modules.first.prepend(Module.new { def first = [*super, :prepended] })
p last.new.first

# many modules of one class, each found where it stands
many = Array.new(500) { |number| Module.new { define_method(:"m#{number}") { number }; define_method(:all) { [number, *(super() if defined?(super))] } } }
holder = Class.new
many.each { |each| holder.include(each) }
p holder.new.m0, holder.new.m499, holder.new.all.size, holder.new.all.first(3)
lower = Class.new(holder)
many.first(250).each { |each| lower.prepend(each) }
p lower.new.all.size, lower.new.all.first(3)

# a method found where its module stands twice, bound to an object whose class has it once
module Twice
  def place = [:Twice, *(super if defined?(super))]
end
class Above
  prepend Twice
  def place = [:Above]
end
class Under < Above
  prepend Twice
end
p Under.new.place, Under.instance_method(:place).bind_call(Above.new), Above.instance_method(:place).bind_call(Under.new)
p Under.instance_method(:place).bind(Own.new).call, Under.instance_method(:place).bind_call(Under.new)

# what is prepended once more comes to a class that has the module, but came without it, because its superclass had it
module Shared; end
module Holding
  prepend Shared
end
class Upper
  include Shared
end
class Nether < Upper
  include Holding
end
p Nether.ancestors.first(4)
Holding.prepend(Shared)
p Nether.ancestors.first(5), Holding.ancestors
Holding.prepend(Shared)
p Nether.ancestors.first(5)
