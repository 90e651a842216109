# The singleton class of an object's singleton class inherits from that of the object's class.
class Base
  def self.made = :made
  class << self
    attr_accessor :held
  end
  self.held = 1
end
object = Base.new
single = object.singleton_class
p single.made, single.held, single.respond_to?(:made)
p single.singleton_class.superclass == Base.singleton_class, single.singleton_class.ancestors[1] == Base.singleton_class
single.held = 2
p single.held, Base.held
single.class_eval { p made }
text = +"text"
def text.x = 1
p text.singleton_class.singleton_class.ancestors.include?(String.singleton_class), text.singleton_class.try_convert("a")
def Base.late = :late
p single.late
