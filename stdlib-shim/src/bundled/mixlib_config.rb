# Settings with defaults, written as a file of Ruby, and read as methods, keys or a Hash.
module Mixlib
  module Config
    VERSION = "3.0.27"

    class UnknownConfigOptionError < StandardError
    end

    class ReopenedConfigContextWithConfigurableError < StandardError
    end

    class ReopenedConfigurableWithConfigContextError < StandardError
    end

    NOT_PASSED = Object.new.freeze

    # One setting: its default, and what is done to a value that is written.
    class Configurable
      attr_reader :symbol, :default_value, :default_block

      def initialize(symbol)
        @symbol = symbol
      end

      def defaults_to(default_value = nil, &block)
        @default_value = default_value
        @default_block = block if block
        self
      end

      def writes_value(&block)
        @writes_value = block
        self
      end

      def has_default? = defined?(@default_value) ? true : false
      alias has_default has_default?
      def default_block? = !@default_block.nil?
      def writes_value? = defined?(@writes_value) ? true : false
      def default = default_block? ? default_block.call : default_value
      def is_default?(config) = !config.key?(symbol) || config[symbol] == default_value

      # What is read is kept, so that changes to it last; a computed default is computed each time.
      def get(config) = config.fetch(symbol) { default_block? ? default_block.call : config[symbol] = default_value.dup }
      def set(config, value) = config[symbol] = writes_value? ? @writes_value.call(value) : value
    end

    def self.extended(base)
      super
      base.singleton_class.attr_accessor(:configuration, :configurables, :config_contexts, :config_context_lists, :config_context_hashes, :config_parent)
      %i[configuration configurables config_contexts config_context_lists config_context_hashes].each { |part| base.public_send("#{part}=", {}) }
      base.initialize_mixlib_config
    end

    def initialize_mixlib_config
      @config_strict_mode = nil
    end

    # Evaluates a file, or reads it where it is data by its name or by `parser`.
    def from_file(filename, parser: nil)
      case parser&.to_s || File.extname(filename).delete_prefix(".")
      when "yml", "yaml" then from_yaml(filename)
      when "json" then from_json(filename)
      when "toml" then from_toml(filename)
      else instance_eval(IO.read(filename), filename, 1)
      end
    end

    def from_yaml(filename)
      require "yaml"
      from_hash(YAML.load(IO.read(filename)))
    end

    def from_json(filename)
      require "json"
      from_hash(JSON.parse(IO.read(filename)))
    end

    def from_toml(filename)
      require "tomlrb"
      from_hash(Tomlrb.parse(IO.read(filename), symbolize_keys: true))
    end

    def from_hash(hash) = apply_nested_hash(hash)
    def configure = yield(configuration)
    def [](name) = internal_get(name.to_sym)
    def []=(name, value)
      internal_set(name.to_sym, value)
    end

    def keys = configuration.keys
    def key?(key) = configuration.key?(key.to_sym) || config_contexts.key?(key.to_sym)
    alias has_key? key?
    def delete(name) = configuration.delete(name)

    def is_default?(key)
      known = configurables[key.to_sym] or raise ArgumentError, "config option must exist, and not be a context to check for default values"
      known.is_default?(configuration)
    end

    def reset
      self.configuration = {}
      config_contexts.values.each(&:reset)
    end

    # All as a Hash, of contexts what is set in them.
    def save(include_defaults = false)
      result = configuration.dup
      if include_defaults
        configurables.each { |name, known| result[name] = known.default if known.has_default? && !result.key?(name) }
      end
      config_contexts.each { |name, context| keep(context, include_defaults) { |saved| result[name] = saved } }
      config_context_lists.each do |name, list|
        list[:values].each { |context| keep(context, include_defaults) { |saved| (result[name] ||= []) << saved } }
      end
      config_context_hashes.each do |name, table|
        table[:values].each { |key, context| keep(context, include_defaults) { |saved| (result[name] ||= {})[key] = saved } }
      end
      result
    end
    alias to_hash save
    def hash_dup = save

    # Takes back what `save` gave.
    def restore(hash)
      self.configuration = hash.reject { |name, _| config_contexts.key?(name) }
      config_contexts.each { |name, context| hash.key?(name) ? context.restore(hash[name]) : context.reset }
      config_context_lists.each { |name, list| list[:values] = hash.fetch(name, []).map { |saved| restored(list, saved) } }
      config_context_hashes.each { |name, table| table[:values] = hash.fetch(name, {}).to_h { |key, saved| [key, restored(table, saved)] } }
    end

    def merge!(hash)
      hash.each { |name, value| config_contexts.key?(name) ? config_contexts[name].restore(value) : configuration[name] = value }
      self
    end

    def default(symbol, default_value = nil, &block) = configurable(symbol).defaults_to(default_value, &block)
    def config_attr_writer(symbol, &block) = configurable(symbol).writes_value(&block)

    def configurable(symbol)
      unless configurables[symbol]
        raise ReopenedConfigContextWithConfigurableError, "Cannot redefine config_context #{symbol} as a configurable value" if config_contexts.key?(symbol)
        configurables[symbol] = Configurable.new(symbol)
        define_attr_accessor_methods(symbol)
      end
      yield configurables[symbol] if block_given?
      configurables[symbol]
    end

    def config_context(symbol, &block)
      no_configurable(symbol)
      unless config_contexts.key?(symbol)
        config_contexts[symbol] = define_context([])
        define_attr_accessor_methods(symbol)
      end
      config_contexts[symbol].instance_eval(&block) if block
      config_contexts[symbol]
    end

    # A list of contexts: `singular { ... }` adds one.
    def config_context_list(plural, singular, &block)
      no_configurable(plural)
      list = config_context_lists[plural] ||= { definition_blocks: [], values: [] }
      define_singleton_method(plural) { config_context_lists[plural][:values] }
      define_singleton_method(singular) do |&body|
        context = define_context(config_context_lists[plural][:definition_blocks])
        config_context_lists[plural][:values] << context
        within(context, &body)
      end
      list[:definition_blocks] << block if block
    end

    # Contexts by their names: `singular(name) { ... }` adds one or goes on with it.
    def config_context_hash(plural, singular, &block)
      no_configurable(plural)
      table = config_context_hashes[plural] ||= { definition_blocks: [], values: {} }
      define_singleton_method(plural) { config_context_hashes[plural][:values] }
      define_singleton_method(singular) do |key, &body|
        known = config_context_hashes[plural]
        within(known[:values][key] ||= define_context(known[:definition_blocks]), &body)
      end
      table[:definition_blocks] << block if block
    end

    # Whether unknown settings are errors (`true`), warned of (`:warn`) or taken.
    def config_strict_mode(value = NOT_PASSED)
      return self.config_strict_mode = value unless NOT_PASSED.equal?(value)
      return @config_strict_mode unless @config_strict_mode.nil?
      config_parent ? config_parent.config_strict_mode : false
    end

    def config_strict_mode=(value)
      raise ArgumentError, "config_strict_mode must be true, false, nil or :warn" unless [true, false, :warn, nil].include?(value)
      @config_strict_mode = value
    end

    def method_missing(name, *args) = internal_get_or_set(name.end_with?("=") && name.size > 1 ? name.to_s.chomp("=").to_sym : name, *args)

    def respond_to_missing?(name, include_private = false)
      name = name.to_s.chomp("=").to_sym
      configurables.key?(name) || configuration.key?(name) || super
    end

    protected

    # Hashes within become contexts.
    def apply_nested_hash(hash)
      hash.each do |key, value|
        next internal_set(key.to_sym, value) unless value.is_a?(Hash)
        (internal_get(key.to_sym) || config_context(key.to_sym)).apply_nested_hash(value)
      end
    end

    private

    def keep(context, empty_too)
      saved = context.save(empty_too)
      yield saved if empty_too || !saved.empty?
    end

    def restored(kind, saved) = define_context(kind[:definition_blocks]).tap { |context| context.restore(saved) }
    def within(context, &body) = body.arity == 0 ? context.instance_eval(&body) : body.call(context)

    def no_configurable(symbol)
      raise ReopenedConfigurableWithConfigContextError, "Cannot redefine config value #{symbol} with a config context" if configurables.key?(symbol)
    end

    def define_context(definition_blocks)
      context = Class.new.extend(::Mixlib::Config)
      context.config_parent = self
      definition_blocks.each { |block| context.instance_eval(&block) }
      context
    end

    def define_attr_accessor_methods(symbol)
      define_singleton_method("#{symbol}=") { |value| internal_set(symbol, value) }
      define_singleton_method(symbol) { |*args, &block| block ? within(internal_get(symbol), &block) : internal_get_or_set(symbol, *args) }
    end

    def internal_get_or_set(symbol, *args)
      internal_set(symbol, args.size == 1 ? args[0] : args) unless args.empty?
      internal_get(symbol)
    end

    def internal_get(symbol)
      return configurables[symbol].get(configuration) if configurables.key?(symbol)
      [config_contexts, config_context_lists, config_context_hashes].each { |known| return known[symbol] if known.key?(symbol) }
      strict("Reading unsupported config value #{symbol}.")
      configuration[symbol]
    end

    def internal_set(symbol, value)
      if configurables.key?(symbol)
        configurables[symbol].set(configuration, value)
      elsif config_contexts.key?(symbol)
        config_contexts[symbol].restore(value.to_hash)
      else
        strict("Cannot set unsupported config value #{symbol}.", "Setting unsupported config value #{symbol}.")
        configuration[symbol] = value
      end
    end

    def strict(message, warning = message)
      case config_strict_mode
      when :warn then Chef::Log.warn(warning)
      when true then raise UnknownConfigOptionError, message
      end
    end
  end
end
