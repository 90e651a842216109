# Nodes become objects, a method a kind of node: for code that changes how. Without such code documents are read natively, with the same rules.
require "psych"

module Psych
  module Visitors
    class Visitor
      def accept(target) = visit(target)

      # The method for each class, found by the names of its ancestors.
      def self.dispatch_cache
        Hash.new do |found, klass|
          method = klass.ancestors.lazy.map { |each| "visit_#{each.name.to_s.gsub("::", "_")}" }.find { |name| method_defined?(name) || private_method_defined?(name) }
          found[klass] = (method or raise(TypeError, "Can't dump #{klass}"))
        end.compare_by_identity
      end

      # A method that is added to one of the library's own visitors counts for the native readers as well.
      def self.method_added(name)
        Psych.__changed(self)
        super
      end
      private_class_method :method_added

      private

      def visit(target)
        __send__(dispatch[target.class], target)
      end

      def dispatch = @dispatch ||= self.class.dispatch_cache
    end

    class ToRuby < Visitor
      attr_reader :class_loader

      def self.create(symbolize_names: false, freeze: false)
        loader = ClassLoader.new
        new(ScalarScanner.new(loader), loader, symbolize_names: symbolize_names, freeze: freeze)
      end

      def initialize(ss, class_loader, symbolize_names: false, freeze: false)
        super()
        @st = {}
        @ss = ss
        @load_tags = Psych.load_tags
        @domain_types = Psych.domain_types
        @class_loader = class_loader
        @symbolize_names = symbolize_names
        @freeze = freeze
      end

      def accept(target)
        made = super
        made = Psych.__domain_type(target.tag, made) unless @domain_types.empty? || !target.tag
        made = deduplicate(made).freeze if @freeze
        made
      end

      def visit_Psych_Nodes_Stream(node) = node.children.map { |child| accept(child) }
      def visit_Psych_Nodes_Document(node) = accept(node.root)
      def visit_Psych_Nodes_Alias(node)
        @st.fetch(node.anchor) { raise BadAlias, "Unknown alias: #{node.anchor}" }
      end
      def visit_Psych_Nodes_Scalar(node) = register(node, deserialize(node))

      def visit_Psych_Nodes_Sequence(node)
        if (klass = resolve_class(@load_tags[node.tag]))
          return fill_by_coder(node, klass, :seq) { node.children.map { |child| accept(child) } }
        end
        case node.tag
        when nil then register_empty(node)
        when "!omap", "tag:yaml.org,2002:omap"
          made = register(node, Omap.new)
          node.children.each do |pair|
            value = accept(pair.children.last)
            made[accept(pair.children.first)] = value
          end
          made
        when /\A!(?:seq|ruby\/array):(.*)\z/
          made = register(node, resolve_class($1).allocate)
          node.children.each { |child| made << accept(child) }
          made
        else register_empty(node)
        end
      end

      def visit_Psych_Nodes_Mapping(node)
        klass = resolve_class(@load_tags[node.tag])
        return revive(klass, node) if klass
        case node.tag
        when nil then revive_hash(register(node, {}), node)
        when "!set", "tag:yaml.org,2002:set"
          made = class_loader.psych_set.new
          @st[node.anchor] = made if node.anchor
          each_pair(node) { |key, value| made[accept(key)] = accept(value) }
          made
        when "!omap", "tag:yaml.org,2002:omap"
          made = register(node, class_loader.psych_omap.new)
          each_pair(node) { |key, value| made[accept(key)] = accept(value) }
          made
        when /\A!(?:str|ruby\/string)(?::(.*))?\z/, "tag:yaml.org,2002:str" then text_of(node, $1)
        when /\A!ruby\/array:(.*)\z/ then array_of(node, resolve_class($1))
        when /\A!ruby\/struct:?(.*)?\z/ then struct_of(node, $1)
        when /\A!ruby\/object:?(.*)?\z/ then object_of(node, $1.to_s)
        when /\A!ruby\/range(?::(.*))?\z/ then range_of(node, $1)
        when /\A!ruby\/exception:?(.*)?\z/ then exception_of(node, $1)
        when /\A!ruby\/marshalable:(.*)\z/ then marshalable_of(node, $1)
        when /\A!ruby\/hash-with-ivars(?::(.*))?\z/ then hash_with_variables(node, $1)
        when /\A!map:(.*)\z/, /\A!ruby\/hash:(.*)\z/ then revive_hash(register(node, resolve_class($1).new), node)
        else revive_hash(register(node, {}), node)
        end
      end

      private

      def resolve_class(name) = class_loader.load(name)

      def register(node, made)
        @st[node.anchor] = made if node.anchor
        made
      end

      def register_empty(node)
        list = register(node, [])
        node.children.each { |child| list << accept(child) }
        list
      end

      def each_pair(node, &) = node.children.each_slice(2, &)
      # What a mapping with a tag holds: its keys stay as they are.
      def members_of(node) = Hash[*node.children.map { |child| accept(child) }]

      # The value of a scalar: by its tag, and by its text if it is not quoted.
      def deserialize(node)
        if (klass = resolve_class(@load_tags[node.tag]))
          return fill_by_coder(node, klass, :scalar) { node.value }
        end
        return node.value if node.quoted && !node.tag
        return @ss.tokenize(node.value) unless node.tag
        tagged(node)
      end

      def tagged(node)
        text = node.value
        case node.tag
        when "!binary", "tag:yaml.org,2002:binary" then text.unpack1("m")
        when /\A!(?:str|ruby\/string)(?::(.*))?\z/, "tag:yaml.org,2002:str"
          klass = resolve_class($1)
          klass ? klass.allocate.replace(text) : text
        when "!ruby/object:BigDecimal" then class_loader.big_decimal && Psych.__number("BigDecimal", text, nil)
        when "!ruby/object:DateTime" then class_loader.date_time && Psych.__number("DateTime", text, @ss.parse_time(text))
        when "!ruby/encoding" then ::Encoding.find(text)
        when "!ruby/object:Complex" then class_loader.complex && Complex(text)
        when "!ruby/object:Rational" then class_loader.rational && Rational(text)
        when "!ruby/class", "!ruby/module" then resolve_class(text)
        when "tag:yaml.org,2002:float", "!float" then Float(@ss.tokenize(text))
        when "!ruby/regexp"
          class_loader.regexp
          Psych.__regexp(text)
        when /\A!ruby\/range(?::(.*))?\z/ then range_of_text(text, $1)
        when /\A!ruby\/sym(?:bol)?:?(.*)?\z/ then class_loader.symbolize(text)
        else @ss.tokenize(text)
        end
      end

      def range_of_text(text, name)
        klass = name ? resolve_class(name) : class_loader.range
        parts = text.split(/(\.{2,3})/, 2)
        first, dots, last = parts.size == 3 ? parts : [*parts, nil, nil]
        klass.new(*[first, last].map { |side| side.to_s.empty? ? nil : accept(Nodes::Scalar.new(side)) }, dots == "...")
      end

      def text_of(node, name)
        members = members_of(node)
        text = members.delete("str")
        klass = resolve_class(name)
        text = klass.allocate.replace(text) if klass
        register(node, text)
        init_with(text, members.transform_keys { |key| key.to_s.delete_prefix("@") }, node)
      end

      def array_of(node, klass)
        members = members_of(node)
        list = register(node, klass.allocate)
        list.replace(members["internal"])
        members["ivars"].each { |key, value| list.instance_variable_set(key, value) }
        list
      end

      def struct_of(node, name)
        class_loader.struct
        klass = resolve_class(name) unless name.to_s.empty?
        unless klass
          members = members_of(node)
          return register(node, ::Struct.new(*members.keys.map { |key| class_loader.symbolize(key) }).new(*members.values))
        end
        made = register(node, klass.allocate)
        Psych.__struct(made, members_of(node).to_a.flatten(1), node.tag)
      end

      def object_of(node, name)
        case name
        when "Complex", "Rational"
          class_loader.load(name)
          register(node, Psych.__number(name, members_of(node).to_a.flatten(1), nil))
        when "Hash" then revive_hash(register(node, {}), node)
        else revive(name.empty? ? class_loader.object : resolve_class(name), node)
        end
      end

      def range_of(node, name)
        klass = name ? resolve_class(name) : class_loader.range
        members = members_of(node)
        register(node, klass.new(members["begin"], members["end"], members["excl"]))
      end

      def exception_of(node, name)
        klass = resolve_class(name)
        members = members_of(node)
        made = register(node, build_exception(klass, members.delete("message")))
        made.set_backtrace(members.delete("backtrace")) if members.key?("backtrace")
        init_with(made, members, node)
      end

      def marshalable_of(node, name)
        register(node, Psych.__marshalable(resolve_class(name), node.tag, node.children.map { |child| accept(child) }))
      end

      def hash_with_variables(node, name)
        made = name ? resolve_class(name).allocate : {}
        register(node, made)
        each_pair(node) do |key, value|
          case key.value
          when "elements" then revive_hash(made, value)
          when "ivars" then members_of(value).each { |variable, content| made.instance_variable_set(variable, content) }
          end
        end
        made
      end

      def revive_hash(hash, node, tagged = false)
        each_pair(node) do |key_node, value_node|
          key = accept(key_node)
          value = accept(value_node)
          if key == "<<" && key_node.tag != "tag:yaml.org,2002:str" && !(key_node.respond_to?(:quoted) && key_node.quoted)
            merge_key(hash, key, value, value_node)
          else
            key = deduplicate(key) if key.is_a?(String)
            key = key.to_sym if @symbolize_names && !tagged && key.is_a?(String)
            hash[key] = value
          end
        end
        hash
      end

      # `<<`: what the mapping, or each of the mappings, has; anything else is an ordinary key.
      def merge_key(hash, key, value, node)
        case node
        when Nodes::Alias, Nodes::Mapping
          value.is_a?(Hash) ? hash.merge!(value) : hash[key] = value
        when Nodes::Sequence
          value.all?(Hash) ? value.reverse_each { |each| hash.merge!(each) } : hash[key] = value
        else hash[key] = value
        end
      end

      def deduplicate(key)
        key.is_a?(String) ? -key : key
      end

      def revive(klass, node)
        made = register(node, klass.allocate)
        init_with(made, revive_hash({}, node, true), node)
      end

      def fill_by_coder(node, klass, kind)
        made = register(node, klass.allocate)
        if made.respond_to?(:init_with)
          coder = Coder.new(node.tag)
          coder.__send__("#{kind}=", yield)
          made.init_with(coder)
        end
        made
      end

      def init_with(made, members, node) = Psych.__init_with(made, members, node.tag)
      def build_exception(klass, message) = Psych.__build_exception(klass, message)
    end

    class NoAliasRuby < ToRuby
      def visit_Psych_Nodes_Alias(node)
        raise BadAlias, "Unknown alias: #{node.anchor}"
      end
    end

    # Hands every node on, those below first.
    class DepthFirst < Visitor
      def initialize(block)
        super()
        @block = block
      end

      private

      def nary(node)
        node.children.each { |child| visit(child) }
        @block.call(node)
      end
      alias visit_Psych_Nodes_Stream nary
      alias visit_Psych_Nodes_Document nary
      alias visit_Psych_Nodes_Sequence nary
      alias visit_Psych_Nodes_Mapping nary

      def terminal(node) = @block.call(node)
      alias visit_Psych_Nodes_Scalar terminal
      alias visit_Psych_Nodes_Alias terminal
    end
  end
end
