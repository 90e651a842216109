# `singleton_method_added` and its like are told of methods of an object, however they come about.
object = Object.new
def object.singleton_method_added(name) = puts("added #{name}")
def object.singleton_method_removed(name) = puts("removed #{name}")
def object.singleton_method_undefined(name) = puts("undefined #{name}")
class << object
  def a; end
  attr_accessor :b
  alias c a
  define_method(:d) {}
  remove_method :a
  undef_method :d
end
object.singleton_class.define_method(:e) {}
object.singleton_class.class_eval { def f; end }
object.define_singleton_method(:g) {}
object.singleton_class.alias_method :h, :f
object.instance_eval { def i; end }
object.instance_eval "def j; end"
def object.k; end

module Told
  def singleton_method_added(name) = puts("told #{name}")
end
list = []
list.instance_eval do
  extend Told
  def a; end
  def self.b; end
end
Object.new.instance_eval { def a; end }
