# The texts of a specification: Ruby that makes it again, and the YAML of a `.gem` file.
require "rubygems/specification"
require "yaml"
require "stringio"

module Gem
  # YAML in which an object that comes twice is written twice.
  class NoAliasYAMLTree < Psych::Visitors::YAMLTree
    def visit_String(text) = text == "=" ? @emitter.scalar(text, nil, nil, false, true, Psych::Nodes::Scalar::SINGLE_QUOTED) : super
    def register(_target, _node) = nil

    private

    def format_time(time) = time.strftime("%Y-%m-%d %H:%M:%S.%9N #{time.utc? ? "Z" : "%:z"}")
  end

  class Specification
    module YAMLWriting
      def self.write(object)
        tree = NoAliasYAMLTree.create
        tree << object
        out = StringIO.new(+"")
        Psych::Visitors::Emitter.new(out).accept(tree.tree)
        out.string.gsub(" !!null \n", " \n")
      end
    end

    # The lines of a gemspec: of what is not the default, in the order of names.
    class RubyWriting
      # What has a place of its own in the text.
      APART = %i[dependencies name platform require_paths required_rubygems_version specification_version version metadata signing_key].freeze
      private_constant :APART

      def initialize(spec)
        @spec = spec
      end

      def text = [*comments, "", "Gem::Specification.new do |s|", *head, *attributes, *installed, *dependencies, "end", ""].join("\n")

      private

      # Enough for RubyGems to find files without running the rest.
      def comments
        paths = @spec.raw_require_paths.join("\0")
        stub = "# stub: #{@spec.name} #{@spec.version} #{@spec.platform} #{paths}"
        ["# -*- encoding: utf-8 -*-", stub, *("# stub: #{@spec.extensions.join("\0")}" unless @spec.extensions.empty?)]
      end

      def head
        lines = [set(:name), set(:version)]
        lines << set(:platform, @spec.original_platform) unless @spec.platform.nil? || @spec.platform == Platform::RUBY
        lines << "" << "#{set(:required_rubygems_version)} if s.respond_to? :required_rubygems_version="
        lines << "#{set(:metadata)} if s.respond_to? :metadata=" unless @spec.metadata.nil? || @spec.metadata.empty?
        lines << set(:require_paths, @spec.raw_require_paths)
      end

      def attributes
        names = Specification.attribute_names.reject do |name|
          APART.include?(name) || (@spec.public_send(name) == @spec.default_value(name) && !Specification.required_attribute?(name))
        end
        lines = names.map { |name| set(name) }
        lines << set(:signing_key) if @spec.signing_key.is_a?(String)
        lines
      end

      def installed
        return [] unless @spec.instance_variable_get(:@installed_by_version)
        ["", "  s.installed_by_version = \"#{VERSION}\" if s.respond_to? :installed_by_version"]
      end

      # A RubyGems of old knows no kinds of dependencies.
      def dependencies
        return [] if @spec.dependencies.empty?
        given = @spec.dependencies.map { |each| [each.type, "dependency(%q<#{each.name}>.freeze, #{each.requirements_list.inspect})"] }
        [
          "", "  if s.respond_to? :specification_version then", "    s.specification_version = #{@spec.specification_version}", "  end",
          "", "  if s.respond_to? :add_runtime_dependency then", *given.map { |type, call| "    s.add_#{type}_#{call}" },
          "  else", *given.map { |_, call| "    s.add_#{call}" }, "  end"
        ]
      end

      def set(name, value = @spec.public_send(name)) = "  s.#{name} = #{code(value)}"

      def code(value)
        case value
        when String then "#{value.dump}.freeze"
        when Array then "[#{value.map { |each| code(each) }.join(", ")}]"
        when Hash then "{ #{value.keys.sort.map { |key| "#{key.to_s.dump} => #{value[key].to_s.dump}" }.join(", ")} }"
        when Version then value.to_s.dump
        when Time then value.strftime("%Y-%m-%d").dump
        when Numeric, true, false, nil then value.inspect
        when Platform then "Gem::Platform.new(#{value.to_a.inspect})"
        when Requirement then "Gem::Requirement.new(#{code(value.as_list.size == 1 ? value.to_s : value.as_list)})"
        else raise Exception, "ruby_code case not handled: #{value.class}"
        end
      end
    end
  end
end
