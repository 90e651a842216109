# What the visitors of a gem's Psych call in the native half.
module Psych
  class ClassLoader
    private

    def path2class(path)
      parts = path.split("::")
      parts.each_with_index.inject(::Object) do |scope, (part, index)|
        next scope.const_get(part) if scope.const_defined?(part, scope.equal?(::Object))
        shown = parts.first(index + 1).join("::")
        raise ::ArgumentError, "undefined class/module #{shown}#{"::" if index + 1 < parts.size}"
      end
    end
  end

  module Visitors
    class Visitor
    end

    class ToRuby < Visitor
      private

      def build_exception(klass, message) = Psych.__build_exception(klass, message)
      # Later versions set the members of a Data so.
      def init_struct(made, members)
        members.each { |name, value| made.instance_variable_set(:"@#{name}", value) }
        made
      end
    end

    class YAMLTree < Visitor
      private

      def private_iv_get(target, property) = target.instance_variable_get("@#{property}")
    end
  end
end

# The parser raises what this defines.
require "psych/syntax_error"
