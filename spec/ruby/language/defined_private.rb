# `defined?` counts private methods of a literal `self` where the call may: assignments to attributes and elements, and `self[i]`.
class Guarded
  private

  def ==(other) = true
  def !=(other) = true
  def <=(other) = true
  def ===(other) = true
  def +(other) = 1
  def [](index) = 1
  def []=(index, value); end
  def w=(value); end
  def hidden = 3

  public

  def operators = [defined?(self == 1), defined?(self != 1), defined?(self <= 1), defined?(self === 1), defined?(self + 1)]
  def elements = [defined?(self[1]), defined?(self[1] = 2), defined?(self.[](1)), defined?(self[1].abs), defined?(self[1].none)]
  def attributes = [defined?(self.w = 1), defined?(self.w=(1)), defined?(self.w += 1), defined?(self[1] += 1), defined?(self::w)]
  def calls = [defined?(self.hidden), defined?(self&.hidden), defined?(hidden), defined?(self.hidden.to_s), defined?(self.==(1))]
  def nested = [defined?(self[nothing]), defined?(self[hidden]), defined?(self[1][0]), defined?((self[1] = 2).none)]
end
guarded = Guarded.new
p guarded.operators, guarded.elements, guarded.attributes, guarded.calls, guarded.nested
p defined?(guarded[1]), defined?(guarded == 1), defined?(guarded.w = 1)
