# Objects become nodes, a method a class: for code that adds to them. Without such code objects are written natively, with the same rules.
require "psych/to_ruby"
require "psych/tree_builder"

module Psych
  module Visitors
    class YAMLTree < Visitor
      # Which objects have a node already; a second mention of one makes an alias.
      class Registrar
        def initialize
          @ids = {}.compare_by_identity
          @nodes = {}.compare_by_identity
          @count = 0
        end

        def register(object, node)
          @nodes[object] = node
          @ids[object] ||= nil
        end
        def key?(object) = @nodes.key?(object)
        def id_for(object) = @ids[object] ||= (@count += 1)
        def node_for(object) = @nodes.fetch(object)
      end

      attr_reader :started, :finished
      alias started? started
      alias finished? finished

      def self.create(options = {}, emitter = nil)
        new(emitter || TreeBuilder.new, ScalarScanner.new(ClassLoader.new), options)
      end

      def initialize(emitter, ss, options)
        super()
        @started = false
        @finished = false
        @emitter = emitter
        @st = Registrar.new
        @ss = ss
        @options = options
        @line_width = options[:line_width]
        @line_width = nil if @line_width&.negative?
        @coders = []
      end

      def start(encoding = Nodes::Stream::UTF8)
        @emitter.start_stream(encoding).tap { @started = true }
      end
      def finish
        @emitter.end_stream.tap { @finished = true }
      end
      def tree
        finish unless finished?
        @emitter.root
      end

      def push(object)
        start unless started?
        @emitter.start_document(version_of_options, [], false)
        accept(object)
        @emitter.end_document(!@emitter.streaming?)
      end
      alias << push

      def accept(target)
        if @st.key?(target)
          node = @st.node_for(target)
          node.anchor = @st.id_for(target).to_s
          return @emitter.alias(node.anchor)
        end
        target.respond_to?(:encode_with) ? dump_coder(target) : __send__(dispatch[target.class], target)
      end

      def visit_NilClass(_object) = plain("", "tag:yaml.org,2002:null")
      def visit_TrueClass(object) = plain(object.to_s)
      alias visit_FalseClass visit_TrueClass
      alias visit_Integer visit_TrueClass
      def visit_Date(object) = register(object, plain(object.gregorian.to_s))
      def visit_Float(object)
        return plain(".nan") if object.nan?
        plain(object.infinite? ? (object.positive? ? ".inf" : "-.inf") : object.to_s)
      end
      def visit_BigDecimal(object) = scalar(object._dump, "!ruby/object:BigDecimal")
      def visit_Time(object) = register(object, plain(format_time(object)))
      def visit_DateTime(object)
        register(object, scalar(Psych.__date_time_text(object), "!ruby/object:DateTime"))
      end
      def visit_Rational(object) = number(object, "Rational", "denominator" => object.denominator, "numerator" => object.numerator)
      def visit_Complex(object) = number(object, "Complex", "real" => object.real, "image" => object.imag)
      def visit_Encoding(object) = @emitter.scalar(object.name, nil, "!ruby/encoding", false, false, Nodes::Scalar::ANY)
      def visit_Regexp(object) = register(object, scalar(object.inspect, "!ruby/regexp"))

      def visit_Class(object)
        raise TypeError, "can't dump anonymous class: #{object}" unless object.name
        register(object, scalar(object.name, "!ruby/class", Nodes::Scalar::SINGLE_QUOTED))
      end
      def visit_Module(object)
        raise TypeError, "can't dump anonymous module: #{object}" unless object.name
        register(object, scalar(object.name, "!ruby/module", Nodes::Scalar::SINGLE_QUOTED))
      end

      def visit_Symbol(object)
        return @emitter.scalar("", nil, "!ruby/symbol", false, false, Nodes::Scalar::ANY) if object.empty?
        plain(":#{object}")
      end

      def visit_Range(object)
        register(object, @emitter.start_mapping(nil, "!ruby/range", false, Nodes::Mapping::BLOCK))
        { "begin" => object.begin, "end" => object.end, "excl" => object.exclude_end? }.each { |name, value| pair(name, value) }
        @emitter.end_mapping
      end

      def visit_String(object)
        text, tag, plain, quote, style = shape(object)
        own = object.instance_of?(::String)
        names = own ? [] : object.instance_variables
        unless names.empty?
          register(object, @emitter.start_mapping(nil, "!ruby/string:#{object.class}", false, Nodes::Mapping::BLOCK))
          name_scalar("str")
          @emitter.scalar(text, nil, tag, plain, quote, style)
          dump_ivars(object)
          return @emitter.end_mapping
        end
        tag, plain, quote = "!ruby/string:#{object.class}", false, false unless own
        @emitter.scalar(text, nil, tag, plain, quote, style)
      end

      def visit_Array(object)
        object.instance_of?(::Array) ? visit_Enumerator(object) : visit_array_subclass(object)
      end
      def visit_Enumerator(object)
        register(object, @emitter.start_sequence(nil, nil, true, Nodes::Sequence::BLOCK))
        object.each { |item| accept(item) }
        @emitter.end_sequence
      end

      def visit_Hash(object)
        return visit_hash_subclass(object) unless object.instance_of?(::Hash)
        register(object, @emitter.start_mapping(nil, nil, true, Nodes::Mapping::BLOCK))
        pairs(object)
        @emitter.end_mapping
      end
      def visit_Psych_Set(object)
        register(object, @emitter.start_mapping(nil, "!set", false, Nodes::Mapping::BLOCK))
        pairs(object)
        @emitter.end_mapping
      end
      def visit_Psych_Omap(object)
        @st.register(object, @emitter.start_sequence(nil, "tag:yaml.org,2002:omap", false, Nodes::Sequence::BLOCK))
        object.each { |key, value| visit_Hash(key => value) }
        @emitter.end_sequence
      end

      def visit_Struct(object)
        register(object, @emitter.start_mapping(nil, ["!ruby/struct", object.class.name].compact.join(":"), false, Nodes::Mapping::BLOCK))
        object.each_pair { |name, value| pair(name.to_s, value) }
        dump_ivars(object)
        @emitter.end_mapping
      end
      def visit_Object(object)
        tag = Psych.dump_tags[object.class] || ["!ruby/object", (object.class.name unless object.instance_of?(::Object))].compact.join(":")
        register(object, @emitter.start_mapping(nil, tag, false, Nodes::Mapping::BLOCK))
        dump_ivars(object)
        @emitter.end_mapping
      end
      alias visit_Delegator visit_Object
      def visit_BasicObject(object)
        tag = Psych.dump_tags[object.class] || "!ruby/marshalable:#{object.class.name}"
        register(object, @emitter.start_mapping(nil, tag, false, Nodes::Mapping::BLOCK))
        object.marshal_dump.each { |item| accept(item) }
        @emitter.end_mapping
      end
      def visit_Exception(object) = dump_exception(object, object.message.to_s)
      def visit_NameError(object) = dump_exception(object, object.message.to_s)

      private

      def scalar(text, tag = nil, style = Nodes::Scalar::ANY) = @emitter.scalar(text, nil, tag, false, false, style)
      def plain(text, tag = nil) = @emitter.scalar(text, nil, tag, true, false, Nodes::Scalar::ANY)
      def name_scalar(text) = @emitter.scalar(text, nil, nil, true, false, Nodes::Scalar::ANY)

      # Text, tag, whether it may be plain or quoted without a tag, and its style.
      def shape(text)
        styles = Nodes::Scalar
        return [[text].pack("m0"), "!binary", false, false, styles::LITERAL] if binary?(text)
        style =
          if /\n(?!\Z)/.match?(text) then styles::LITERAL
          elsif text == "<<" then return [text, "tag:yaml.org,2002:str", false, false, styles::SINGLE_QUOTED]
          elsif %w[y n].include?(text) then styles::DOUBLE_QUOTED
          elsif @line_width && text.length > @line_width then styles::FOLDED
          elsif /^[^[:word:]][^"]*$/.match?(text) then styles::DOUBLE_QUOTED
          elsif !@ss.tokenize(text).is_a?(::String) then styles::SINGLE_QUOTED
          else styles::PLAIN
          end
        [text, nil, true, true, style]
      end
      def binary?(text) = text.encoding == ::Encoding::BINARY && !text.ascii_only?

      def format_time(time) = Psych.__time_text(time)

      def register(object, node)
        @st.register(object, node)
        node
      end

      def pair(name, value)
        name_scalar(name)
        accept(value)
      end
      def ivars(object, names)
        names.each do |name|
          accept(name)
          accept(object.instance_variable_get(name))
        end
      end
      def pairs(hash)
        hash.each do |key, value|
          accept(key)
          accept(value)
        end
      end

      def number(object, name, members)
        register(object, @emitter.start_mapping(nil, "!ruby/object:#{name}", false, Nodes::Mapping::BLOCK))
        members.each do |member, value|
          name_scalar(member)
          plain(value.to_s)
        end
        @emitter.end_mapping
      end

      def dump_ivars(object)
        object.instance_variables.each do |name|
          pair(name.to_s.delete_prefix("@"), object.instance_variable_get(name))
        end
      end

      def dump_exception(object, message)
        tag = ["!ruby/exception", object.class.name].join(":")
        register(object, @emitter.start_mapping(nil, tag, false, Nodes::Mapping::BLOCK))
        pair("message", message) if message
        pair("backtrace", object.backtrace)
        dump_ivars(object)
        @emitter.end_mapping
      end

      def visit_array_subclass(object)
        tag = "!ruby/array:#{object.class}"
        names = object.instance_variables
        if names.empty?
          register(object, @emitter.start_sequence(nil, tag, false, Nodes::Sequence::BLOCK))
          object.each { |item| accept(item) }
          return @emitter.end_sequence
        end
        register(object, @emitter.start_mapping(nil, tag, false, Nodes::Sequence::BLOCK))
        pair("internal", [*object])
        name_scalar("ivars")
        @emitter.start_mapping(nil, nil, true, Nodes::Sequence::BLOCK)
        ivars(object, names)
        @emitter.end_mapping
        @emitter.end_mapping
      end

      def visit_hash_subclass(object)
        names = object.instance_variables
        if names.empty?
          tag = Psych.dump_tags[object.class] || "!ruby/hash:#{object.class}"
          register(object, @emitter.start_mapping(nil, tag, false, Nodes::Mapping::BLOCK))
          pairs(object)
          return @emitter.end_mapping
        end
        register(object, @emitter.start_mapping(nil, "!ruby/hash-with-ivars:#{object.class}", false, Nodes::Mapping::BLOCK))
        name_scalar("ivars")
        @emitter.start_mapping(nil, nil, true, Nodes::Mapping::BLOCK)
        ivars(object, names)
        @emitter.end_mapping
        name_scalar("elements")
        @emitter.start_mapping(nil, nil, true, Nodes::Mapping::BLOCK)
        pairs(object)
        @emitter.end_mapping
        @emitter.end_mapping
      end

      def dump_coder(object)
        @coders << object
        emit_coder(Psych.__encode(object), object)
      end

      def emit_coder(coder, object)
        case coder.type
        when :scalar
          @emitter.scalar(coder.scalar, nil, coder.tag, coder.tag.nil?, false, coder.style)
        when :seq
          @emitter.start_sequence(nil, coder.tag, coder.tag.nil?, coder.style)
          coder.seq.each { |item| accept(item) }
          @emitter.end_sequence
        when :map
          register(object, @emitter.start_mapping(nil, coder.tag, coder.implicit, coder.style))
          coder.map.each { |key, value| accept(key); accept(value) }
          @emitter.end_mapping
        when :object then accept(coder.object)
        end
      end

      def version_of_options = Psych.__version(@options)
    end

    # Writes only what `safe_load` reads with the same options.
    class RestrictedYAMLTree < YAMLTree
      DEFAULT_PERMITTED_CLASSES = [TrueClass, FalseClass, NilClass, Integer, Float, String, Array, Hash].to_h { |each| [each, true] }.compare_by_identity.freeze

      def initialize(emitter, ss, options)
        super
        @permitted_classes = DEFAULT_PERMITTED_CLASSES.dup
        Array(options[:permitted_classes]).each { |each| @permitted_classes[each] = true }
        @permitted_symbols = Array(options[:permitted_symbols]).to_h { |each| [each, true] }.compare_by_identity
        @aliases = options.fetch(:aliases, false)
      end

      def accept(target)
        raise BadAlias, "Tried to dump an aliased object" if !@aliases && @st.key?(target)
        raise DisallowedClass.new("dump", target.class.name || target.class.inspect) unless @permitted_classes[target.class]
        super
      end

      def visit_Symbol(object)
        return super if @permitted_symbols[object]
        raise DisallowedClass.new("dump", "Symbol(#{object.inspect})")
      end
    end
  end

  # A tree that writes every object as soon as it is given.
  module Streaming
    module ClassMethods
      def new(io)
        emitter = const_get(:Emitter).new(io)
        super(emitter, ScalarScanner.new(ClassLoader.new), {})
      end
    end

    def start(encoding = Nodes::Stream::UTF8)
      super.tap { yield self if block_given? }
    ensure
      finish if block_given?
    end

    private

    def register(object, node) = nil
  end

  class Stream < Visitors::YAMLTree
    include Streaming
    extend Streaming::ClassMethods

    class Emitter < Psych::Emitter
      def end_document(implicit_end = !streaming?) = super
      def streaming? = true
    end
  end

  module JSON
    # What JSON's grammar asks for: keys and texts in double quotes, collections in brackets.
    module YAMLEvents
      def start_document(version, tag_directives, implicit) = super(version, tag_directives, !streaming?)
      def end_document(implicit_end = !streaming?) = super
      def start_mapping(anchor, _tag, _implicit, _style) = super(anchor, nil, true, Nodes::Mapping::FLOW)
      def start_sequence(anchor, _tag, _implicit, _style) = super(anchor, nil, true, Nodes::Sequence::FLOW)
      def scalar(value, anchor, tag, plain, quoted, style)
        return super("null", nil, nil, true, false, Nodes::Scalar::PLAIN) if tag == "tag:yaml.org,2002:null"
        super
      end
    end

    module RubyEvents
      def visit_Time(object) = register(object, quoted(format_time(object)))
      def visit_DateTime(object) = visit_Time(object.to_time)
      def visit_String(object) = register(object, quoted(object.to_s))
      def visit_Symbol(object) = quoted(object.to_s)

      private

      def quoted(text) = @emitter.scalar(text, nil, nil, false, true, Nodes::Scalar::DOUBLE_QUOTED)
    end

    class TreeBuilder < Psych::TreeBuilder
      include YAMLEvents
    end
  end

  module Visitors
    class JSONTree < YAMLTree
      include JSON::RubyEvents

      def self.create(options = {})
        new(JSON::TreeBuilder.new, ScalarScanner.new(ClassLoader.new), options)
      end

      def accept(target)
        target.respond_to?(:encode_with) ? dump_coder(target) : __send__(dispatch[target.class], target)
      end
    end
  end

  module JSON
    class Stream < Visitors::JSONTree
      include RubyEvents
      include Streaming
      extend Streaming::ClassMethods

      class Emitter < Psych::Stream::Emitter
        include YAMLEvents
      end
    end
  end
end

Psych.__watch(Psych::ScalarScanner, Psych::Visitors::ToRuby, Psych::Visitors::NoAliasRuby, Psych::Visitors::YAMLTree, Psych::Visitors::RestrictedYAMLTree)
