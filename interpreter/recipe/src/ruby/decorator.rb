class Chef
  # Delegates to an object, and is an instance of its classes.
  class Decorator < SimpleDelegator
    def initialize(*object)
      @__defined_methods__ = []
      super unless object.empty?
    end

    def nil? = __getobj__.nil?
    def is_a?(kind) = __getobj__.is_a?(kind) || super
    def kind_of?(kind) = __getobj__.kind_of?(kind) || super

    # Removes methods that were defined for the old object.
    def __setobj__(object)
      __reset_methods__
      super
    end

    # Defines the called method on the decorator, which speeds up later calls.
    def method_missing(name, *args, &block)
      there = true
      target = __getobj__ { there = false }
      return super unless there && target.respond_to?(name)

      define_singleton_method(name) { |*given, &inner| target.__send__(name, *given, &inner) }
      @__defined_methods__ << name
      target.__send__(name, *args, &block)
    end

    private

    def __reset_methods__
      @__defined_methods__.each { |name| singleton_class.send(:undef_method, name) }
      @__defined_methods__ = []
    end

    # The block computes the object on first use.
    class Lazy < Decorator
      def initialize(&block)
        super
        @block = block
      end

      def __getobj__
        __setobj__(@block.call) unless defined?(@delegate_sd_obj)
        super
      end
    end

    # An Array whose elements are computed by the block on first use.
    class LazyArray < Lazy
      def [](index)
        block = @block
        Lazy.new { block.call[index] }
      end
    end
  end
end
