# A visibility of an inherited method is a new entry in the class, of which the hook is told.
class A
  def x; end
  def self.s; end
end
class B < A
  def self.method_added(name) = puts("added #{name}")
  def self.singleton_method_added(name) = (puts("singleton added #{name}") unless name.end_with?("added"))
  private :x
  public :x
  private_class_method :s
  private_class_method :new
end
object = Object.new
def object.singleton_method_added(name) = (puts("object's #{name}") unless name == :singleton_method_added)
class << object
  private :to_s
end
module M
  def self.method_added(name) = puts("module's #{name}")
  def self.singleton_method_added(name) = (puts("module function #{name}") unless name.end_with?("added"))
  def f; end
  module_function :f
end

class Pair
  def initialize(value) = @a = value
end
[NilClass, TrueClass, FalseClass, Integer, nil].each { |value| puts Pair.new(value).inspect.sub(/0x\h+/, "") }

require "ripper"
['a("x" => "#{1}"}', "}", "{}}", "}}", '"#{a}"}}', '-> { } }', '"#{ {} }" }'].each do |source|
  p Ripper.lex(source).map { |_, kind, text| [kind, text] }
end
