# Delegation to what an expression gives.
require "forwardable"
class Inner
  def color = [3, 1]
  def name = "inner"
end
class Outer
  extend Forwardable
  def initialize = (@inner = Inner.new)
  def_delegators "@inner.color", :sort, :size
  def_delegator "@inner", :name, :title
  def_delegator :@inner, :color
  def_delegator "self.class", :name, :kind
end
o = Outer.new
p o.sort, o.size, o.title, o.color, o.kind
