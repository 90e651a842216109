# A service object that is called by its class.
module Mandate
  def self.included(base)
    base.extend(ClassMethods)
  end
  module ClassMethods
    def call(...) = new(...).call
    def memoize(name = nil)
      return @memoize_next = true unless name
      original = instance_method(name)
      define_method(name) do
        key = "@memo_#{name.to_s.delete("?!")}"
        instance_variable_defined?(key) ? instance_variable_get(key) : instance_variable_set(key, original.bind_call(self))
      end
      name
    end
    def initialize_with(*names)
      define_method(:initialize) { |*values| names.zip(values) { |name, value| instance_variable_set("@#{name}", value) } }
      attr_reader(*names)
      private(*names)
    end
    def method_added(name)
      super
      return unless @memoize_next
      @memoize_next = false
      memoize(name)
    end
  end
end
