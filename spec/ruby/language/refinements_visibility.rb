# Visibility in refinements, methods that they undefine, their place before prepended modules, and what of the language calls refined methods.
class Cow
  def talk = "moo"
  private def moo = "private moo"
  protected def herd = "herd"
end

module Farm
  refine Cow do
    public :moo
    private :talk
    def only = helper
    private def helper = "helper"
    protected def kin(other) = other.close
    protected def close = "close"
    def meet(other) = other.close
    undef herd
  end
end

def told
  yield
rescue NoMethodError, RuntimeError, TypeError, NameError => error
  "#{error.class}: #{error.message.lines.first.chomp}".gsub(/0x\h+/, "0x")
end

using Farm
cow = Cow.new
puts told { cow.moo }, told { cow.talk }, told { cow.only }, told { cow.helper }, told { cow.meet(cow) }, told { cow.herd }
puts told { cow.send(:helper) }, told { cow.public_send(:helper) }, told { cow.public_send(:only) }, told { cow.__send__(:talk) }
p [cow].map(&:only), told { [cow].map(&:helper) }, cow.respond_to?(:only), cow.respond_to?(:helper), cow.respond_to?(:helper, true)
p defined?(cow.only), defined?(cow.helper), defined?(cow.herd), defined?(cow.moo)

module Loud
  def say = "loud " + super
end
class Voice
  prepend Loud
  def say = "voice"
end
module Refined
  refine Voice do
    def say = "refined " + super
  end
end
using Refined
puts Voice.new.say
class Deep < Voice; def say = "deep " + super; end
puts Deep.new.say

module Shapes
  refine Array do
    def deconstruct = [:refined, *self]
  end
  refine Hash do
    def deconstruct_keys(keys) = { keys: keys }
  end
  refine String do
    def deconstruct = chars
    def deconstruct_keys(_) = { size: size }
    def ===(other) = other.to_s == self
  end
  refine Integer.singleton_class do
    def ===(other) = other == "integer" || super
  end
end
using Shapes
case [1]
in [:refined, 1] then puts "array"
end
case {}
in { keys: } then p keys; puts "hash"
end
case "ab"
in [a, b] then p [a, b]
end
case "abc"
in { size: 3 } then puts "size"
end
case "integer"
in Integer then puts "class"
end
case :ab
when "ab" then puts "when"
end

module Outer
  Named = refine(Symbol) {}
  refine String do
    $VERBOSE = false
    FOO = 1
    @@foo = 2
  end
end
p Outer::Named, Outer::Named.to_s, Outer::FOO
refinement = Module.new { break refine(Cow) { def far = super } }
p told { refinement.instance_method(:far).bind(Object.new) }
p refinement.instance_method(:far).bind(cow).class
module Inside
  puts((begin TOPLEVEL_BINDING.receiver.send(:using, Farm) rescue "#{$!.class}: #{$!.message}" end))
  puts((begin Module.new.send(:using, Farm) rescue "#{$!.class}: #{$!.message}" end))
end
module Missing
  refine(String) { (undef nothing_here) rescue puts $!.message }
  refine(String) { (public :nothing_here) rescue puts $!.message }
end

puts "a refined class with a prepended module, beside others that have the module"
module Logs; def foo = "Logs+" + (defined?(super) ? super : ""); end
class Logged; def foo = "Logged"; prepend Logs; end
class Beside; include Logs; end
module OfLogged
  refine(Logged) do
    def foo = "refined+" + super
    def only = 1
  end
end
module Placed; def w = "Placed>" + (defined?(super) ? super : ""); end
class Upper; end
class Lower < Upper; include Placed; end
class Upper; include Placed; end
module OfPlaced
  refine(Placed) { def w = "refined>" + super }
end
class Shown; end
module OfShown
  refine(Shown) { def to_s = "shown" }
end
class Base3; def way = "Base3"; end
class Sub3 < Base3; end
module OfBase3
  refine(Base3) { def way = "refined>" + super }
end
using OfLogged
using OfPlaced
using OfShown
using OfBase3
p Beside.new.foo, Logged.new.foo, Logged.new.only, defined?(Beside.new.only), (Beside.new.only rescue $!.class)
p Upper.new.w
p(/#{Shown.new}/, "#{Shown.new}", :"#{Shown.new}")
class Sub3; define_method(:way) { "Sub3>" + super() }; end
p Sub3.new.way
