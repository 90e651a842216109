# What of json is Ruby: names of classes in documents.
Object.autoload :OpenStruct, "ostruct"
module JSON
  VERSION_ARRAY = VERSION.split(".").map(&:to_i).freeze
  VERSION_MAJOR, VERSION_MINOR, VERSION_BUILD = VERSION_ARRAY

  JSON_LOADED = true
  autoload :GenericObject, "json/generic_object"

  @create_id = "json_class"
  @load_default_options = { max_nesting: false, allow_nan: true, allow_blank: true, create_additions: true }
  @dump_default_options = { max_nesting: false, allow_nan: true, escape_slash: false }
  class << self
    attr_accessor :create_id, :load_default_options, :dump_default_options

    attr_accessor :parser, :generator, :state

    # Runs the block for everything in a value, the innermost first.
    def recurse_proc(result, &block)
      case result
      when Array then result.each { |item| recurse_proc(item, &block) }
      when Hash
        result.each do |key, value|
          recurse_proc(key, &block)
          recurse_proc(value, &block)
        end
      end
      block.call(result)
    end

    def create_fast_state = State.new(indent: "", space: "", object_nl: "", array_nl: "", max_nesting: false)
    def create_pretty_state = State.new(indent: "  ", space: " ", object_nl: "\n", array_nl: "\n")
    def iconv(to, from, string) = string.encode(to, from)

    # The class or module of a name that a document has under `create_id`.
    def deep_const_get(path)
      path = path.to_s
      path.sub(/\A::/, "").split("::").inject(Object) do |scope, name|
        raise NameError, "wrong constant name #{path}" unless name.match?(/\A[[:upper:]]\w*\z/)
        scope.const_get(name)
      end
    rescue NameError => error
      raise if error.message.start_with?("wrong constant name")
      raise ArgumentError, "can't get const #{path}: #{error.message.lines.first.chomp}"
    end
  end
end

module JSON
  module Ext
    # Reads one text, with the options of `JSON.parse`.
    class Parser
      def source = @source || raise(TypeError, "uninitialized instance")

      def self.parse(source, options = nil) = new(source, options || {}).parse

      def initialize(source, options = {})
        raise TypeError, "already initialized instance" if @source
        @source = String.try_convert(source) || "" + source
        @options = options
      end

      def parse = JSON.parse(@source, @options)
    end
  end
  Parser = Ext::Parser

  class JSONError
    def self.wrap(exception) = new("Wrapped(#{exception.class}): #{exception.message.inspect}")
  end

  # How JSON is laid out.
  class State
    def self.from_state(options)
      case options
      when self then options
      when Hash then new(options)
      else new
      end
    end

    %i(space space_before object_nl array_nl max_nesting escape_slash buffer_initial_length).each { |name| define_method(name) { to_h[name] } }
    %i(indent space space_before object_nl array_nl max_nesting escape_slash).each { |name| define_method(:"#{name}=") { |value| configure(name => value) } }
    # How deep a generator is, and how much room it takes at first: what programs set they can ask for.
    def depth=(depth)
      configure(depth: depth)
    end
    def buffer_initial_length=(length)
      configure(buffer_initial_length: length) if length.positive?
    end
    def allow_nan? = to_h[:allow_nan]
    def ascii_only? = to_h[:ascii_only]
    def check_circular? = max_nesting != 0
    alias escape_slash? escape_slash

    def configure(options)
      given = Hash.try_convert(options) || (options.respond_to?(:to_h) ? options.to_h : nil)
      raise TypeError, "can't convert #{options.class} into Hash" unless given.is_a?(Hash)
      initialize(to_h.merge(given))
      self
    end
    alias merge configure

    # What programs have set beside the options is there too.
    alias __options to_h
    def to_h = instance_variables.each_with_object(__options) { |name, all| all[name.to_s.delete_prefix("@").to_sym] = instance_variable_get(name) }
    alias to_hash to_h

    def [](name) = respond_to?(name) ? __send__(name) : instance_variable_get("@#{name}")
    def []=(name, value)
      respond_to?(:"#{name}=") ? __send__(:"#{name}=", value) : instance_variable_set("@#{name}", value)
    end
  end
  @parser = Parser
  @generator = Ext::Generator
  @state = State
  SAFE_STATE_PROTOTYPE = State.new
  FAST_STATE_PROTOTYPE = State.new(max_nesting: 0)
  PRETTY_STATE_PROTOTYPE = State.new(indent: "  ", space: " ", object_nl: "\n", array_nl: "\n")
end

class Class
  def json_creatable? = respond_to?(:json_create)
end

module JSON::Ext::Generator::GeneratorMethods::String
  def to_json_raw_object = { JSON.create_id => self.class.name, "raw" => unpack("C*") }
  def to_json_raw(*args) = to_json_raw_object.to_json(*args)

  module Extend
    def json_create(object) = object["raw"].pack("C*")
  end
  def self.included(base) = base.extend(Extend)
  included(::String)
end
