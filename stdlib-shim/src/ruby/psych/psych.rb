autoload :StringIO, "stringio"
# What the library loads in MRI, and code that requires it relies on.
autoload :StringScanner, "strscan"
autoload :Forwardable, "forwardable"
autoload :SingleForwardable, "forwardable"

module Psych
  VERSION = "4.0.3"
  LIBYAML_VERSION = libyaml_version.join(".")

  class Exception < ::RuntimeError
  end

  class BadAlias < Exception
  end

  class DisallowedClass < Exception
    def initialize(action, name)
      super("Tried to #{action} unspecified class: #{name}")
    end
  end

  class SyntaxError < Exception
    attr_reader :file, :line, :column, :offset, :problem, :context

    def initialize(file, line, column, offset, problem, context)
      @file, @line, @column, @offset, @problem, @context = file, line, column, offset, problem, context
      reason = [problem, context].compact.join(" ")
      super("(#{file || "<unknown>"}): #{reason} at line #{line} column #{column}")
    end
  end

  class Omap < ::Hash
  end

  class Set < ::Hash
  end

  # What `encode_with` fills and `init_with` reads: a scalar, a sequence, a mapping or another object.
  class Coder
    attr_accessor :tag, :style, :implicit, :object
    attr_reader :type, :seq

    def initialize(tag)
      @tag = tag
      @map = {}
      @seq = []
      @scalar = nil
      @implicit = false
      @type = :map
      @style = 1
      @object = nil
    end

    def scalar(*given)
      return @scalar if given.empty?
      @tag, @scalar, = given
      @type = :scalar
    end

    def map(tag = @tag, style = @style)
      @tag = tag
      @style = style
      yield self if block_given?
      @map
    end

    def represent_scalar(tag, value)
      @tag = tag
      self.scalar = value
    end

    def represent_seq(tag, list)
      @tag = tag
      self.seq = list
    end

    def represent_map(tag, map)
      @tag = tag
      self.map = map
    end

    def represent_object(tag, object)
      @tag = tag
      @type = :object
      @object = object
    end

    def scalar=(value)
      @type = :scalar
      @scalar = value
    end

    def map=(map)
      @type = :map
      @map = map
    end

    def seq=(list)
      @type = :seq
      @seq = list
    end

    def []=(key, value)
      @type = :map
      @map[key] = value
    end
    alias add []=

    def [](key)
      @type = :map
      @map[key]
    end
  end

  module Nodes
    class Node
      include ::Enumerable
      attr_reader :children
      attr_accessor :tag, :start_line, :start_column, :end_line, :end_column

      def initialize
        @children = []
      end

      def each(&block)
        return enum_for(:each) unless block
        children&.each { |child| child.each(&block) }
        block.call(self)
      end

      def to_ruby(symbolize_names: nil, freeze: nil)
        options = { aliases: true, symbolize_names: symbolize_names, freeze: freeze }
        Psych.__changed? ? Psych.__visitor(options).accept(self) : Psych.__to_ruby(__dump, options)
      end
      alias transform to_ruby

      def yaml(io = nil, options = {})
        text = Psych.__emit(__roots, options)
        io ? (io.write(text); io) : text
      end
      alias to_yaml yaml

      def __roots = [[__dump, false]]

      def __place=(place)
        @start_line, @start_column, @end_line, @end_column = place
      end

      def alias? = false
      def document? = false
      def mapping? = false
      def scalar? = false
      def sequence? = false
      def stream? = false
    end

    class Stream < Node
      ANY = 0
      UTF8 = 1
      UTF16LE = 2
      UTF16BE = 3
      attr_accessor :encoding

      def initialize(encoding = UTF8)
        super()
        @encoding = encoding
      end

      def to_ruby(**options) = children.map { |child| child.to_ruby(**options) }
      alias transform to_ruby
      def __roots = children.flat_map(&:__roots)
      def stream? = true
    end

    class Document < Node
      attr_accessor :version, :tag_directives, :implicit, :implicit_end

      def initialize(version = [], tag_directives = [], implicit = false)
        super()
        @version = version
        @tag_directives = tag_directives
        @implicit = implicit
        @implicit_end = true
      end

      def root = children.first
      def __dump = root.__dump
      def __roots = [[__dump, implicit, version, implicit_end, tag_directives]]
      def document? = true
    end

    class Alias < Node
      attr_accessor :anchor

      def initialize(anchor)
        @anchor = anchor
      end

      def __dump = [:alias, anchor]
      def alias? = true
    end

    class Scalar < Node
      ANY = 0
      PLAIN = 1
      SINGLE_QUOTED = 2
      DOUBLE_QUOTED = 3
      LITERAL = 4
      FOLDED = 5
      attr_accessor :value, :anchor, :plain, :quoted, :style

      def initialize(value, anchor = nil, tag = nil, plain = true, quoted = false, style = ANY)
        @value, @anchor, @tag, @plain, @quoted, @style = value, anchor, tag, plain, quoted, style
      end

      def __dump = [:scalar, value, anchor, tag, plain, quoted, style]
      def scalar? = true
    end

    # What a sequence and a mapping share.
    module Collection
      attr_accessor :anchor, :implicit, :style

      def initialize(anchor = nil, tag = nil, implicit = true, style = self.class::BLOCK)
        super()
        @anchor, @tag, @implicit, @style = anchor, tag, implicit, style
      end

      def __dump = [__kind, children.map(&:__dump), anchor, tag, implicit, style]
    end
    private_constant :Collection

    class Sequence < Node
      include Collection
      ANY = 0
      BLOCK = 1
      FLOW = 2
      def __kind = :seq
      def sequence? = true
    end

    class Mapping < Node
      include Collection
      ANY = 0
      BLOCK = 1
      FLOW = 2
      def __kind = :map
      def mapping? = true
    end

    def self.__node(array)
      kind, content, *rest, place = array
      node =
        case kind
        when :alias then Alias.new(content)
        when :scalar then Scalar.new(content, *rest)
        else
          made = (kind == :seq ? Sequence : Mapping).new(*rest)
          content.each { |child| made.children << __node(child) }
          made
        end
      node.__place = place
      node
    end

    def self.__document(root, about)
      version, tags, implicit, implicit_end, place = about
      document = Document.new(version, tags, implicit)
      document.implicit_end = implicit_end
      document.__place = place
      document.children << __node(root)
      document
    end
  end

  # Told of what a parser meets; a subclass listens to what it wants.
  class Handler
    # How a document is written.
    class DumperOptions
      attr_accessor :line_width, :indentation, :canonical

      def initialize
        @line_width = 0
        @indentation = 2
        @canonical = false
      end
    end
    OPTIONS = DumperOptions.new

    EVENTS = %i[alias empty end_document end_mapping end_sequence end_stream scalar start_document start_mapping start_sequence start_stream].freeze

    def start_stream(encoding) = nil
    def start_document(version, tag_directives, implicit) = nil
    def end_document(implicit) = nil
    def alias(anchor) = nil
    def scalar(value, anchor, tag, plain, quoted, style) = nil
    def start_sequence(anchor, tag, implicit, style) = nil
    def end_sequence = nil
    def start_mapping(anchor, tag, implicit, style) = nil
    def end_mapping = nil
    def empty = nil
    def end_stream = nil
    def event_location(start_line, start_column, end_line, end_column) = nil
    def streaming? = false
  end

  class Parser
    Mark = ::Struct.new(:index, :line, :column)
    attr_accessor :handler
    attr_writer :external_encoding

    def initialize(handler = Handler.new)
      @handler = handler
      @external_encoding = ANY
    end
  end

  # Finds the classes that tags name; a restricted one knows only those that are permitted.
  class ClassLoader
    NAMES = {
      BIG_DECIMAL: "BigDecimal", COMPLEX: "Complex", DATE: "Date", DATE_TIME: "DateTime", EXCEPTION: "Exception", OBJECT: "Object",
      PSYCH_OMAP: "Psych::Omap", PSYCH_SET: "Psych::Set", RANGE: "Range", RATIONAL: "Rational", REGEXP: "Regexp", STRUCT: "Struct", SYMBOL: "Symbol"
    }.freeze
    private_constant :NAMES
    NAMES.each do |constant, name|
      const_set(constant, name)
      define_method(constant.downcase) { find(name) }
    end

    def initialize
      @cache = {}
    end

    def load(name)
      return nil if name.to_s.empty?
      find(name)
    end

    def symbolize(name)
      symbol
      name.to_sym
    end

    private

    def find(name) = @cache[name] ||= resolve(name)
    def resolve(name) = Psych.__class(name)
    def path2class(path) = Psych.__class(path)

    public

    class Restricted < ClassLoader
      def initialize(classes, symbols)
        super()
        @classes = classes
        @symbols = symbols
      end

      def symbolize(name)
        return super if @symbols.empty? || @symbols.include?(name)
        raise DisallowedClass.new("load", "Symbol")
      end

      private

      def find(name)
        @classes.include?(name) ? super : raise(DisallowedClass.new("load", name))
      end
    end
  end

  # The implicit types of plain scalars.
  class ScalarScanner
    TIME = /^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/
    FLOAT = /^[-+]?(?:\d[\d_,]*)?\.\d*(?:[eE][-+]\d+)?$/
    INTEGER = /^[-+]?(?:0b[01_,]+|0[0-7_,]+|(?:0|[1-9](?:[\d]|,\d|_\d)*)|0x[\h_,]+)$/
    attr_reader :class_loader

    def initialize(class_loader)
      @class_loader = class_loader
    end

    def tokenize(string)
      value = Psych.__scalar(string)
      case value
      when ::Symbol then class_loader.symbolize(value.name)
      when ::String, ::Numeric, ::NilClass, true, false then value
      when ::Time then class_loader.load("Time") && value
      else class_loader.date && value
      end
    end

    def parse_time(string)
      value = Psych.__scalar(string)
      value.is_a?(::Time) ? class_loader.load("Time") && value : string
    end

    def parse_int(string) = Integer(string.delete(",_"))

    def self.method_added(name)
      Psych.__changed(self)
      super
    end
    private_class_method :method_added
  end

  autoload :Visitors, "psych/yaml_tree"
  autoload :TreeBuilder, "psych/tree_builder"
  autoload :Emitter, "psych/native_emitter"
  autoload :Handlers, "psych/tree_builder"
  autoload :Streaming, "psych/yaml_tree"
  autoload :Stream, "psych/yaml_tree"
  autoload :JSON, "psych/yaml_tree"

  @load_tags = {}
  @dump_tags = {}
  @domain_types = {}
  @watched = [ScalarScanner]

  class << self
    attr_accessor :load_tags, :dump_tags, :domain_types

    # What holds for every document.
    def config = @config ||= Config.new(self)

    # The settings by themselves.
    class Config
      def initialize(of)
        @of = of
      end
      %i[load_tags dump_tags domain_types].each do |name|
        define_method(name) { @of.__send__(name) }
        define_method(:"#{name}=") { |value| @of.__send__(:"#{name}=", value) }
      end
    end

    def parser = Parser.new(TreeBuilder.new)

    def unsafe_load(yaml, filename: nil, fallback: false, symbolize_names: false, freeze: false)
      __read(yaml, { filename: filename, fallback: fallback, symbolize_names: symbolize_names, freeze: freeze, aliases: true })
    end

    def safe_load(yaml, permitted_classes: [], permitted_symbols: [], aliases: false, filename: nil, fallback: nil, symbolize_names: false, freeze: false)
      __read(yaml, { classes: permitted_classes, symbols: permitted_symbols, aliases: aliases, filename: filename, fallback: fallback,
                     symbolize_names: symbolize_names, freeze: freeze })
    end

    def load(yaml, permitted_classes: [Symbol], permitted_symbols: [], aliases: false, filename: nil, fallback: nil, symbolize_names: false, freeze: false)
      safe_load(yaml, permitted_classes: permitted_classes, permitted_symbols: permitted_symbols, aliases: aliases, filename: filename,
                      fallback: fallback, symbolize_names: symbolize_names, freeze: freeze)
    end

    def load_stream(yaml, filename: nil, fallback: [], **options, &block)
      unknown = options.keys - %i[symbolize_names freeze]
      unless unknown.empty?
        named = "#{unknown.size == 1 ? "keyword" : "keywords"}: #{unknown.map(&:inspect).join(", ")}"
        parse_stream(yaml, filename: filename) { raise ::ArgumentError, "unknown #{named}" }
      end
      __read(yaml, { all: true, aliases: true, filename: filename, fallback: fallback, **options }, &block)
    end

    def unsafe_load_file(path, **options) = ::File.open(path, "r:bom|utf-8") { |file| unsafe_load(file, filename: path, **options) }
    def safe_load_file(path, **options) = ::File.open(path, "r:bom|utf-8") { |file| safe_load(file, filename: path, **options) }
    def load_file(path, **options) = ::File.open(path, "r:bom|utf-8") { |file| load(file, filename: path, **options) }

    def parse(yaml, filename: nil)
      parse_stream(yaml, filename: filename) { |document| return document }
      false
    end

    def parse_file(path, fallback: false)
      ::File.open(path, "r:bom|utf-8") { |file| parse(file, filename: path) } || fallback
    end

    def parse_stream(yaml, filename: nil)
      stream = Nodes::Stream.new
      ended = __nodes(yaml, filename) do |root, about|
        document = Nodes.__document(root, about)
        block_given? ? yield(document) : stream.children << document
      end
      stream.__place = [0, 0, *ended.last(2)]
      stream
    end

    def dump(object, io = nil, options = {})
      io, options = nil, io if ::Hash === io
      __write(__print([object], options), io)
    end

    def safe_dump(object, io = nil, options = {})
      io, options = nil, io if ::Hash === io
      __write(__print([object], options.merge(restricted: true)), io)
    end

    def dump_stream(*objects) = __print(objects, {})

    def to_json(object)
      visitor = Visitors::JSONTree.create
      visitor << object
      visitor.tree.yaml
    end

    def add_tag(tag, klass)
      load_tags[tag] = klass.name
      dump_tags[klass] = tag
    end

    def add_domain_type(domain, type_tag, &block)
      key = ["tag", domain, type_tag].join(":")
      domain_types[key] = [key, block]
      domain_types["tag:#{type_tag}"] = [key, block]
    end

    def add_builtin_type(type_tag, &block)
      key = ["tag", "yaml.org,2002", type_tag].join(":")
      domain_types[key] = [key, block]
    end

    def remove_type(type_tag) = domain_types.delete(type_tag)

    # Whether a method was added to one of the visitors, or a module before it: from then on they are what reads and writes.
    def __changed? = @changed ||= @watched.any? { |klass| !klass.ancestors.first.equal?(klass) }
    def __changed(klass)
      @changed ||= @watched.include?(klass)
    end
    def __watch(*classes)
      @watched = classes
    end

    def __read(yaml, options, &block)
      return __load(yaml, options, &block) unless __changed?
      documents = parse_stream(yaml, filename: options[:filename]).children
      values = (options[:all] ? documents : documents.first(1)).map { |document| __visitor(options).accept(document) }
      return values.empty? ? options[:fallback] : values.first unless options[:all]
      return values.each(&block) if block
      values.empty? ? options[:fallback] : values
    end

    def __visitor(options)
      settings = { symbolize_names: options[:symbolize_names] || false, freeze: options[:freeze] || false }
      names = options[:classes]&.map(&:to_s)
      loader = names ? ClassLoader::Restricted.new(names, options[:symbols].map(&:to_s)) : ClassLoader.new
      (options[:aliases] ? Visitors::ToRuby : Visitors::NoAliasRuby).new(ScalarScanner.new(loader), loader, **settings)
    end

    def __print(objects, options)
      return __dump(objects, options) unless __changed?
      tree = (options[:restricted] ? Visitors::RestrictedYAMLTree : Visitors::YAMLTree).create(options)
      objects.each { |object| tree << object }
      tree.tree.yaml(nil, options)
    end

    def __write(text, io)
      return text unless io
      io.write(text)
      io
    end

    def __domain_type(tag, value)
      key = tag.sub(%r{\A[!/]*}, "").sub(%r{(,\d+)/}, '\1:')
      key = "tag:#{key}" unless key.start_with?("tag:", "x-private")
      name, block = domain_types[key]
      block ? block.call(name, value) : value
    end

    def __class(name) = __constant(name) || __constant("Struct::#{name}") || raise(::ArgumentError, "undefined class/module #{__missing(name)}")

    def __constant(path)
      path.split("::").inject(::Object) { |scope, part| scope.const_get(part, scope.equal?(::Object)) }
    rescue ::NameError
      nil
    end

    # A path up to the first part that is not there.
    def __missing(path)
      parts = path.split("::")
      known = (1...parts.size).take_while { |count| __constant(parts.first(count).join("::")) }.size
      shown = parts.first(known + 1).join("::")
      known + 1 < parts.size ? "#{shown}::" : shown
    end

    def __date(year, month, day, text)
      require "date"
      ::Date.valid_date?(year, month, day) ? ::Date.new(year, month, day) : text
    end

    def __time(text, year, month, day, hour, minute, second, fraction, zone)
      micro = fraction.to_s.empty? ? 0 : Rational("0.#{fraction}") * 1_000_000
      time = ::Time.utc(year, month, day, hour, minute, second, micro)
      return time if zone == "Z"
      return ::Time.at(time.to_i, micro) unless zone
      sign, hours, minutes = zone.match(/\A([-+])(\d{1,2}):?(\d{2})?\z/).captures
      offset = hours.to_i * 3600 + minutes.to_i * 60
      ::Time.new(year, month, day, hour, minute, second + micro / 1_000_000r, sign == "-" ? -offset : offset)
    rescue ::ArgumentError
      text
    end

    def __regexp(text)
      source, letters = text.match(%r{\A/(.*)/([mixn]*)\z}m)&.captures
      raise ::TypeError, "no implicit conversion of Integer into String" unless source
      flags = { "x" => ::Regexp::EXTENDED, "i" => ::Regexp::IGNORECASE, "m" => ::Regexp::MULTILINE, "n" => ::Regexp::NOENCODING }
      ::Regexp.new(source, letters.to_s.each_char.sum { |letter| flags[letter] })
    end

    def __number(name, content, time)
      members = content.is_a?(::Array) ? ::Hash[*content] : nil
      case name
      when "Complex" then members ? Complex(members["real"], members["image"]) : Complex(content)
      when "Rational" then members ? Rational(members["numerator"], members["denominator"]) : Rational(content)
      when "DateTime"
        require "date"
        time.to_datetime
      else
        require "bigdecimal"
        ::BigDecimal._load(content)
      end
    end

    def __range(members)
      members = ::Hash[*members]
      ::Range.new(members["begin"], members["end"], members["excl"])
    end

    def __array(list, members)
      members = ::Hash[*members]
      list.replace(members["internal"])
      members["ivars"].each { |name, value| list.instance_variable_set(name, value) }
      list
    end

    def __struct(object, members, tag)
      rest = {}
      members.each_slice(2) do |name, value|
        object.members.include?(name.to_sym) ? object.send("#{name}=", value) : rest[name.to_s.delete_prefix("@")] = value
      end
      __init_with(object, rest, tag)
    end

    def __anonymous_struct(members)
      members = ::Hash[*members]
      ::Struct.new(*members.keys.map(&:to_sym)).new(*members.values)
    end

    def __exception(klass, tag, members)
      members = ::Hash[*members]
      made = __build_exception(klass, members.delete("message"))
      made.set_backtrace(members.delete("backtrace")) if members.key?("backtrace")
      __init_with(made, members, tag)
    end

    def __marshalable(klass, tag, members)
      object = klass.allocate
      if object.respond_to?(:init_with)
        __init_with(object, ::Hash[*members], tag)
      elsif object.respond_to?(:marshal_load)
        object.marshal_load(members)
        object
      else
        raise ::ArgumentError, "Cannot deserialize #{klass.name}"
      end
    end

    def __revive(klass, tag, kind, contents)
      object = klass.allocate
      if object.respond_to?(:init_with)
        coder = Coder.new(tag)
        coder.send("#{kind}=", contents)
        object.init_with(coder)
      end
      object
    end

    def __init_with(object, members, tag)
      if object.respond_to?(:init_with)
        coder = Coder.new(tag)
        coder.map = members
        object.init_with(coder)
      else
        members.each { |name, value| object.instance_variable_set("@#{name}", value) }
      end
      object
    end

    def __encode(object)
      name = object.class == ::Object ? nil : object.class.name
      coder = Coder.new(dump_tags[object.class] || ["!ruby/object", name].compact.join(":"))
      object.encode_with(coder)
      coder
    end

    def __pairs(hash)
      pairs = []
      hash.each { |key, value| pairs << key << value }
      pairs
    end

    def __items(list)
      items = []
      list.each { |item| items << item }
      items
    end

    def __time_text(time) = time.strftime(time.utc? ? "%Y-%m-%d %H:%M:%S.%9N Z" : "%Y-%m-%d %H:%M:%S.%9N %:z")
    def __date_time_text(time) = time.strftime(time.offset.zero? ? "%Y-%m-%d %H:%M:%S.%9N Z" : "%Y-%m-%d %H:%M:%S.%9N %:z")
  end
end

YAML = Psych

class Object
  def self.yaml_tag(tag) = Psych.add_tag(tag, self)
  def to_yaml(options = {}) = Psych.dump(self, options)
end
