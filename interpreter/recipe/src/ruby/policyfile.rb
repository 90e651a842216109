class Chef
  # Reads a Policyfile.rb.
  module PolicyfileReader
    # A `default_source`; its block may list cookbooks that are preferably taken from it.
    class CookbookSource
      attr_reader :preferred_cookbooks

      def initialize(kind, argument)
        @kind, @argument, @preferred_cookbooks = kind, argument, []
        yield self if block_given?
      end

      def preferred_for(*names) = @preferred_cookbooks.concat(names.flatten)
      def to_a = [@kind.to_s, @argument&.to_s, @preferred_cookbooks.map(&:to_s)]
    end

    # The DSL of Policyfile.rb; `to_h` gives the result.
    class DSL
      COMPONENT = /\A[.[:alnum:]_-]+\z/
      SOURCES = { community: :supermarket, supermarket: :supermarket, delivery_supermarket: :delivery_supermarket, chef_server: :chef_server, chef_repo: :chef_repo, artifactory: :artifactory }

      def initialize(path)
        @path, @errors, @run_list, @named_run_lists, @sources, @cookbooks, @included = path, [], [], {}, [], [], []
        @node = Chef::Node.new
      end

      def name(name = nil)
        @name = name unless name.nil?
        @name
      end

      def name=(name)
        @name = name
      end

      def default = @node.default
      def override = @node.override

      def run_list(*items)
        items = items.flatten
        @run_list = checked(items) unless items.empty?
        @run_list
      end

      def run_list=(items)
        @run_list = checked(Array(items).flatten)
      end

      def named_run_list(name, *items)
        items = items.flatten
        @named_run_lists[name.to_s] = checked(items, name) unless items.empty?
        @named_run_lists[name.to_s]
      end

      def default_source(kind = nil, argument = nil, &block)
        return @sources if kind.nil?
        known = SOURCES[kind]
        if known.nil?
          @errors << "Invalid default_source type '#{kind.inspect}'"
        elsif argument.nil? && known != :supermarket
          what = known == :chef_repo ? "path to the chef-repo" : "server's URI"
          @errors << "You must specify the #{what} when using a default_source :#{kind}"
        else
          @sources << CookbookSource.new(known, argument, &block)
        end
      end

      def cookbook(name, *rest)
        options = rest.last.is_a?(Hash) ? rest.pop : {}
        known = @cookbooks.find { |other, *| other == name.to_s }
        if known
          @errors << "Cookbook '#{name}' assigned to conflicting sources\n\nPrevious source: #{known.last}\nConflicts with: #{options}\n"
        else
          @cookbooks << [name.to_s, (rest.first || ">= 0.0.0").to_s, options]
        end
      end

      def include_policy(name, options = {})
        known = @included.find { |other, _| other == name.to_s }
        if known
          @errors << "Included policy '#{name}' assigned conflicting locations or was already specified\n\nPrevious source: #{known.last}\nConflicts with: #{options}\n"
        else
          @included << [name.to_s, options]
        end
      end

      def metadata
        folder = File.dirname(@path)
        unless %w{metadata.rb metadata.json}.any? { |file| File.exist?(File.join(folder, file)) }
          raise "Could not find metadata.rb or metadata.json in #{folder}: `metadata` in a Policyfile stands for the cookbook that it lies in"
        end
        found = Chef::Cookbook::Metadata.from_directory(folder).name
        name(found) if name.nil?
        cookbook(found, path: ".")
      end

      def eval_policyfile(text)
        instance_eval(text, @path)
        @errors << "Invalid run_list. run_list cannot be empty" if @run_list.empty?
        @errors << "The policy has no name: `name 'NAME'` gives it one" if @name.to_s.empty?
        @sources.combination(2) do |a, b|
          both = a.preferred_cookbooks & b.preferred_cookbooks
          @errors << "Multiple sources are marked as the preferred source for some cookbooks (#{both.join(", ")}). Only one source can be preferred for a cookbook." unless both.empty?
        end
        self
      end

      def to_h
        {
          "name" => @name.to_s,
          "run_list" => @run_list.map(&:to_s),
          "named_run_lists" => @named_run_lists,
          "default_source" => @sources.map(&:to_a),
          "cookbooks" => @cookbooks,
          "included_policies" => @included,
          "default_attributes" => plain(@node.default),
          "override_attributes" => plain(@node.override),
          "errors" => @errors,
        }
      end

      private

      def checked(items, list = nil)
        items.each do |item|
          what = list ? "Named Run List '#{list}' Item '#{item}'" : "Run List Item '#{item}'"
          if item.to_s.start_with?("role[")
            @errors << "#{what} is a role: a policy has recipes only. Name the role's recipes, and set its attributes with default[...] and override[...]"
            next
          end
          name = Chef::RunList::RunListItem.new(item).name
          cookbook, separator, recipe = name.partition("::")
          unless COMPONENT.match?(cookbook)
            meant = cookbook.match?(/[^:]:[^:]/) ? "\nDid you mean '#{item.sub(":", "::")}'?" : ""
            @errors << "#{what} has invalid cookbook name '#{cookbook}'.\nCookbook names can only contain alphanumerics, hyphens, and underscores.#{meant}"
          end
          unless separator.empty? || COMPONENT.match?(recipe)
            @errors << "#{what} has invalid recipe name '#{recipe}'.\nRecipe names can only contain alphanumerics, hyphens, and underscores."
          end
        end
      end

      # Converts attributes to JSON types; other values are errors.
      def plain(value)
        case value
        when Hash
          value.to_h { |key, inner| [key.to_s, plain(inner)] }
        when Array
          value.map { |inner| plain(inner) }
        when String, Integer, true, false, nil
          value
        when Float
          @errors << "Floating point numbers cannot be infinite or NaN. You gave #{value.inspect}" unless value.finite?
          value
        else
          @errors << "Invalid type in attributes. Only Hash, Array, String, Integer, Float, true, false, and nil are accepted. You gave #{value.inspect} (#{value.class})"
          nil
        end
      end
    end
  end
end
