# Refined methods: `super` from define_method, modules that stand twice, methods found by name, `!`, and what patterns ask.
def told
  yield.inspect
rescue StandardError => error
  "#{error.class}: #{error.message.lines.first.chomp.gsub(/0x\h+/, "0x")}"
end

class Base
  def text = [:Base]
  def gone = :gone
  def hidden = :hidden
  def deconstruct = [1]
end
class Derived < Base
  def text = [:Derived, *super]
end

class Bare < Base; end

module Of
  refine Base do
    def text = [:RefinedBase, *super]
  end
  refine Derived do
    define_method(:text) { [:RefinedDerived, *super()] }
    def asked = defined?(super)
    def hidden = [defined?(super), super]
  end
  refine Bare do
    define_method(:text) { [:RefinedBare, *super()] }
  end
end
using Of
puts told { Base.new.text }, told { Derived.new.text }, told { Bare.new.text }, told { Derived.new.asked }, told { Derived.new.hidden }

# a subclass has included the modules that its superclass prepends later
module Outer; end
module Inner
  def twice = [:Inner, *(super if defined?(super))]
end
Inner.prepend(Outer)
class Middle < Base
  def twice = [:Middle]
end
class Lower < Middle
  include Inner
end
module OfMiddle
  refine Middle do
    def twice = [:RefinedMiddle, *super]
  end
end
using OfMiddle
Middle.prepend(Inner)
puts told { Middle.new.twice }, told { Lower.new.twice }, told { Lower.ancestors.first(6) }

module ByName
  refine Base do
    def gone = :refined
    undef_method :gone
    def shown = :shown
    private def hidden = :refined
    protected def guarded = :guarded
    private def deconstruct = [2]
    private def deconstruct_keys(_) = { key: 2 }
  end
end
using ByName
base = Base.new
puts "undefined"
puts told { base.gone }, told { base.send(:gone) }, told { base.public_send(:gone) }, told { base.method(:gone).call }, told { base.public_method(:gone).call }
puts told { base.respond_to?(:gone) }, told { [base].map(&:gone) }, told { Base.instance_method(:gone).bind_call(base) }
puts "visibility"
puts told { base.public_method(:shown).call }, told { base.public_method(:hidden) }, told { base.public_method(:guarded) }, told { base.method(:hidden).call }
puts told { Base.public_instance_method(:hidden) }, told { Base.public_instance_method(:guarded) }, told { Base.public_instance_method(:shown).class }
puts "patterns"
puts(told { case base; in [one] then one; end }, told { case base; in { key: } then key; end })

puts "not"
class Falsy
  def ==(_other) = true
end
module Not
  refine Falsy do
    def ! = :refined
  end
  refine Integer do
    def ! = :"not #{self}"
  end
end
falsy = Falsy.new
before = -> { !falsy }
using Not
puts told { !falsy }, told { not falsy }, told { !3 }, told { !!3 }, told { !nil }, told { falsy.! }, told { falsy != 1 }, told { before.call }
puts told { falsy.send(:!) }, told { [falsy].map(&:!) }, told { !falsy ? 1 : 2 }
3.times { |number| puts told { [!falsy, !number, !"text"] } }
module NotObject
  refine Object do
    def ! = :object
  end
end
using NotObject
puts told { [!nil, !true, !:symbol, !"text", !1.5, ![]] }
