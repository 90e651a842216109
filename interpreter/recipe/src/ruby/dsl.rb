class Chef
  module DSL
    module PlatformIntrospection
      # A value for each platform and version; constraints such as `>= 6` count where no version is named exactly.
      class PlatformDependentValue
        def initialize(platforms)
          @values = {}
          platforms.each { |names, value| set(names, value) }
        end

        def value_for_node(node)
          versions = @values[node[:platform].to_s]
          return @values["default"] unless node.key?(:platform) && versions
          return versions["default"] || @values["default"] unless node.key?(:platform_version)

          version = node[:platform_version].to_s
          return versions[version] if versions.key?(version)

          fitting = versions.keys.select { |constraint| fits?(version, constraint) }
          if fitting.size > 1
            raise "Multiple matches detected for #{node[:platform]}/#{version} in value_for_platform: #{fitting.join(", ")}"
          end
          fitting.empty? ? versions["default"] || @values["default"] : versions[fitting[0]]
        end

        private

        def fits?(version, constraint)
          constraint != "default" && Chef::VersionConstraint::Platform.new(constraint).include?(version)
        rescue Chef::Exceptions::InvalidVersionConstraint, Chef::Exceptions::InvalidPlatformVersion
          false
        end

        def set(names, value)
          return @values["default"] = value if names.to_s == "default"

          unless value.is_a?(Hash)
            raise ArgumentError, "platform dependent values must be specified in the format :platform => {:version => value}, you gave a value #{value.inspect}"
          end
          versions = {}
          value.each { |numbers, inner| Array(numbers).each { |number| versions[number.to_s] = inner } }
          Array(names).each { |name| @values[name.to_s] = versions }
        end
      end

      # A value for each platform family.
      class PlatformFamilyDependentValue
        def initialize(families)
          @values = { "default" => nil }
          families.each { |names, value| names.to_s == "default" ? @values["default"] = value : Array(names).each { |name| @values[name.to_s] = value } }
        end

        def value_for_node(node)
          node.key?(:platform_family) ? @values.fetch(node[:platform_family].to_s) { @values["default"] } : @values["default"]
        end
      end
    end

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
