class Chef
  module DSL
    module RenderHelpers
      include Universal
      extend self
    end

    module ReaderHelpers
      include Universal
      extend self
    end

    module IncludeAttribute
      def include_attribute(*names) = names.flatten.each { |name| node.include_attribute(name) }

      def parse_attribute_file_spec(spec)
        cookbook, file = spec.to_s.match(/\A(.+?)::(.+)\z/)&.captures
        cookbook ? [cookbook.to_sym, file] : [spec.to_sym, "default"]
      end
    end
  end
end
