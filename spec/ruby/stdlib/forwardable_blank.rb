# A delegator needs nothing of the object but its accessor.
require "forwardable"
class Blank
  extend Forwardable
  instance_methods.each { |name| undef_method(name) unless name.to_s.match?(/\A__|\Ainstance_exec\z|\Aobject_id\z/) }
  def_delegators :@target, :size, :<<, :[]
  def_delegator :helper, :upcase, :loud
  def initialize = @target = [1]
  def method_missing(name, *) = ::Kernel.raise(::NoMethodError, "missing #{name}")

  private

  def helper = "helper"
end
blank = Blank.new
blank << 2
p blank.size, blank[1], blank.loud
class Basic < BasicObject
  extend ::Forwardable
  def_delegators :@list, :first, :last
  def initialize = @list = [1, 2]
end
p Basic.new.last

class Hidden
  private def secret(value: 0) = value
end
class Front
  extend Forwardable
  private
  def_delegator :@hidden, :secret
  public
  def initialize = @hidden = Hidden.new
end
$stderr = $stdout
p Front.new.secret(value: 3), Front.public_method_defined?(:secret), Front.instance_method(:secret).arity
p Front.def_delegator(:@hidden, :to_s, :text), Front.def_delegators(:@hidden, :a, :b)
one = Object.new.extend(Forwardable)
one.instance_variable_set(:@list, [3])
p one.def_delegator(:@list, :first), one.first
two = Object.new.extend(SingleForwardable)
p two.def_delegator("'text'", :size), two.size, two.def_delegator(:"[1, 2]", :[]=, :put), two.put(0, 5)
