# What asks for methods by name sees the refinements in force where it stands.
class Plain; end
module Refined
  refine(Plain) { def added(x = 1) = [:added, x]; private def hidden = 1 }
  refine(String) { def to_proc = ->(*) { :refined } }
end
p (Plain.new.method(:added) rescue $!.class)
module Within
  using Refined
  p Plain.new.method(:added).call(2), Plain.new.public_method(:added).arity, Plain.instance_method(:added).bind(Plain.new).call
  p Plain.new.method(:added).owner
  p [1, 2].map(&"x")
end
p ([1].map(&"x") rescue $!.message)
