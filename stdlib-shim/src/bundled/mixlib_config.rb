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
      attr_reader :symbol

      def initialize(symbol)
        @symbol = symbol
        @has_default = false
      end

      def defaults_to(default_value = nil, &block)
        @default = block || default_value
        @computed = !block.nil?
        @has_default = true
        self
      end

      def writes_value(&block)
        @writes_value = block
        self
      end

      def has_default? = @has_default
      def constant_default? = @has_default && !@computed

      def get(config, context = nil)
        return config[@symbol] if config.key?(@symbol)
        return nil unless @has_default
        return context.instance_eval(&@default) if @computed
        value = @default
        # what can be changed in place is kept, so that changes to it last
        value.is_a?(::Array) || value.is_a?(::Hash) || value.is_a?(::String) ? config[@symbol] = value.dup : value
      end

      def set(config, value) = config[@symbol] = @writes_value ? @writes_value.call(value) : value
      def default(context = nil) = @computed ? context.instance_eval(&@default) : @default
    end

    def self.extended(base)
      class << base; attr_accessor :configuration, :configurables, :config_contexts, :config_context_lists, :config_context_hashes, :config_parent; end
      base.configuration = {}
      base.configurables = {}
      base.config_contexts = {}
      base.config_context_lists = {}
      base.config_context_hashes = {}
      base.initialize_mixlib_config
    end

    def initialize_mixlib_config
      @config_strict_mode = nil
    end

    def from_file(filename, parser: nil)
      case (parser || File.extname(filename)[1..])&.to_s
      when "json", "yaml", "yml", "toml" then send("from_#{parser || File.extname(filename)[1..]}".sub("yml", "yaml"), filename)
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
    def restore(hash) = (@configuration = hash.reject { |key, _| context?(key.to_sym) }) && hash.each { |key, value| restore_context(key.to_sym, value) }
    def merge!(hash) = (hash.each { |key, value| context?(key.to_sym) ? restore_merge(key.to_sym, value) : self[key] = value }; self)
    def configure = yield(configuration)
    def [](name) = internal_get(name.to_sym)
    def []=(name, value)
      internal_set(name.to_sym, value)
    end

    def key?(key) = configuration.key?(key.to_sym)
    alias has_key? key?
    def keys = (configuration.keys + configurables.keys + config_contexts.keys).uniq
    def hash_dup = save(true)
    def to_hash = save(true)
    alias to_h to_hash

    def save(include_defaults = false)
      result = configuration.dup
      if include_defaults
        configurables.each { |name, setting| result[name] = setting.default if setting.constant_default? && !result.key?(name) }
      end
      config_contexts.each { |name, context| (saved = context.save(include_defaults)).empty? && !include_defaults ? nil : result[name] = saved }
      config_context_lists.each { |name, meta| result[name] = meta[:values].map { |context| context.save(include_defaults) } }
      config_context_hashes.each { |name, meta| result[name] = meta[:values].transform_values { |context| context.save(include_defaults) } }
      result
    end

    def reset
      self.configuration = {}
      config_contexts.each_value(&:reset)
      config_context_lists.each_value { |meta| meta[:values].clear }
      config_context_hashes.each_value { |meta| meta[:values].clear }
    end

    def delete(name) = configuration.delete(name.to_sym)

    def default(symbol, default_value = nil, &block) = configurable(symbol).defaults_to(default_value, &block)
    def writes_with(symbol, &block) = configurable(symbol).writes_value(&block)

    def config_attr_writer(symbol, &block) = configurable(symbol).writes_value(&block)

    def configurable(symbol, &block)
      symbol = symbol.to_sym
      raise ReopenedConfigContextWithConfigurableError, "Cannot redefine config value #{symbol} with a config context" if context?(symbol)
      made = configurables[symbol] ||= Configurable.new(symbol)
      block&.call(made)
      define_attr_accessor_methods(symbol)
      made
    end

    def config_context(symbol, &block)
      symbol = symbol.to_sym
      raise ReopenedConfigurableWithConfigContextError, "Cannot redefine config value #{symbol} with a config context" if configurables.key?(symbol)
      context = config_contexts[symbol] ||= new_context
      context.instance_eval(&block) if block
      define_attr_accessor_methods(symbol)
      context
    end

    def config_context_list(plural, singular, &block)
      config_context_lists[plural.to_sym] ||= { definition_blocks: [], values: [] }
      config_context_lists[plural.to_sym][:definition_blocks] << block if block
      define_singleton_method(plural) { |*given| given.empty? ? config_context_lists[plural.to_sym][:values] : nil }
      define_singleton_method(singular) do |&body|
        meta = config_context_lists[plural.to_sym]
        context = defined_context(meta)
        context.instance_eval(&body) if body
        meta[:values] << context
        context
      end
    end

    def config_context_hash(plural, singular, &block)
      config_context_hashes[plural.to_sym] ||= { definition_blocks: [], values: {} }
      config_context_hashes[plural.to_sym][:definition_blocks] << block if block
      define_singleton_method(plural) { config_context_hashes[plural.to_sym][:values] }
      define_singleton_method(singular) do |key, &body|
        meta = config_context_hashes[plural.to_sym]
        context = meta[:values][key] ||= defined_context(meta)
        context.instance_eval(&body) if body
        context
      end
    end

    def config_strict_mode(value = NOT_PASSED)
      @config_strict_mode = value unless value.equal?(NOT_PASSED)
      return @config_strict_mode unless @config_strict_mode.nil?
      config_parent ? config_parent.config_strict_mode : false
    end

    def config_strict_mode=(value)
      @config_strict_mode = value
    end

    def method_missing(method_symbol, *args)
      name = method_symbol.to_s.sub(/=\z/, "").to_sym
      return internal_set(name, *args) if method_symbol.end_with?("=") || !args.empty?
      internal_get(name)
    end

    def respond_to_missing?(name, include_private = false)
      return super if name.end_with?("?", "!") || %i[to_str to_ary to_proc to_int to_io to_path to_regexp to_a begin end].include?(name)
      known?(name.to_s.chomp("=").to_sym) || super
    end

    private

    def new_context
      context = Class.new
      context.extend(::Mixlib::Config)
      context.config_parent = self
      context
    end

    def defined_context(meta)
      context = new_context
      meta[:definition_blocks].each { |block| context.instance_eval(&block) }
      context
    end

    def context?(name) = config_contexts.key?(name) || config_context_lists.key?(name) || config_context_hashes.key?(name)
    def known?(name) = configurables.key?(name) || configuration.key?(name) || context?(name)

    def define_attr_accessor_methods(symbol)
      define_singleton_method("#{symbol}=") { |value| internal_set(symbol, value) }
      define_singleton_method(symbol) do |*args, &block|
        if config_contexts.key?(symbol)
          args.empty? ? nil : restore_context(symbol, args[0])
          config_contexts[symbol].instance_eval(&block) if block
          config_contexts[symbol]
        elsif args.empty?
          internal_get(symbol)
        else
          internal_set(symbol, args[0])
        end
      end
    end

    def internal_get(symbol)
      return configurables[symbol].get(configuration, self) if configurables.key?(symbol)
      return config_contexts[symbol] if config_contexts.key?(symbol)
      return config_context_lists[symbol][:values] if config_context_lists.key?(symbol)
      return config_context_hashes[symbol][:values] if config_context_hashes.key?(symbol)
      strict("Reading unsupported config value #{symbol}.") unless configuration.key?(symbol)
      configuration[symbol]
    end

    def internal_set(symbol, value = nil)
      if configurables.key?(symbol)
        configurables[symbol].set(configuration, value)
      elsif context?(symbol)
        restore_context(symbol, value)
      else
        strict("Cannot set unsupported config value #{symbol}.")
        configuration[symbol] = value
      end
    end

    def strict(message)
      case config_strict_mode
      when :warn then warn(message)
      when false, nil then nil
      else raise UnknownConfigOptionError, message
      end
    end

    def restore_context(name, value)
      if config_contexts.key?(name) then config_contexts[name].restore(value.to_hash)
      elsif config_context_lists.key?(name)
        config_context_lists[name][:values] = value.map { |hash| defined_context(config_context_lists[name]).tap { |context| context.restore(hash) } }
      elsif config_context_hashes.key?(name)
        config_context_hashes[name][:values] = value.transform_values { |hash| defined_context(config_context_hashes[name]).tap { |context| context.restore(hash) } }
      end
    end

    def restore_merge(name, value)
      config_contexts.key?(name) ? config_contexts[name].merge!(value) : restore_context(name, value)
    end

    def apply_nested_hash(hash)
      hash.each do |key, value|
        name = key.to_sym
        if config_contexts.key?(name) then config_contexts[name].from_hash(value)
        elsif context?(name) then restore_context(name, value)
        else internal_set(name, value)
        end
      end
    end
  end
end
