require "optparse"

module Mixlib
  # Options of a command line, declared by the class that includes this: `option :name, short: "-n NAME", ...`.
  module CLI
    VERSION = "2.1.8"
    PLACES = { on: :on, tail: :on_tail, head: :on_head }.freeze
    UNSET = { on: :on, boolean: false, required: false, proc: nil, show_options: false, exit: nil, in: nil }.freeze
    private_constant :PLACES, :UNSET

    def self.included(into)
      super
      into.extend(ClassMethods)
      into.extend(InheritMethods)
    end

    # How options and their values are shown.
    class Formatter
      # `-s/--long` without the names of arguments.
      def self.combined_option_display_name(short, long)
        [short, long].compact.map { |flag| flag.split(" ").first }.join("/")
      end

      def self.friendly_opt_list(values)
        *first, last = values.map { |value| "'#{value}'" }
        case first.size
        when 0 then last.to_s
        when 1 then "#{first[0]} or #{last}"
        else "#{first.join(", ")}, or #{last}"
        end
      end
    end

    # A subclass has copies of the options of its parent.
    module InheritMethods
      def inherited(below)
        below.options = deep_dup(options)
        below.extend(InheritMethods)
      end

      def deep_dup(object)
        case object
        when Hash then object.to_h { |key, value| [deep_dup(key), deep_dup(value)] }
        when Array then object.map { |each| deep_dup(each) }
        else object.respond_to?(:dup) ? object.dup : object
        end
      rescue TypeError
        object
      end
    end

    module ClassMethods
      def options = @options ||= {}

      def options=(table)
        raise ArgumentError, "Options must recieve a hash" unless table.is_a?(Hash)
        @options = table
      end

      def option(name, settings)
        raise ArgumentError, "Option name must be a symbol" unless name.is_a?(Symbol)
        options[name] = settings
      end

      # An option that says so when it is used; its value becomes the replacement's.
      def deprecated_option(name, replacement: nil, long: nil, short: nil, boolean: false, value_mapper: nil, keep: true)
        advice = "and will be removed in a future release."
        if replacement
          newer = options[replacement]
          advice = "Use #{Formatter.combined_option_display_name(newer[:short], newer[:long])} instead."
        end
        text = "This flag is deprecated#{"." if replacement} #{advice}"
        option(name, long: long, short: short, boolean: boolean, description: text, on: :tail, deprecated: true, keep: keep,
                     replacement: replacement, value_mapper: value_mapper || proc { |value| value })
      end

      def banner(text = nil)
        return @banner = text if text
        @banner ||= "Usage: #{$0} (options)"
      end

      # Whether defaults stay out of `config`, in `default_config`.
      def use_separate_default_options(setting)
        @separate_default_options = setting
      end
      def use_separate_defaults? = @separate_default_options ||= false
    end

    attr_accessor :options, :config, :default_config, :cli_arguments, :banner

    def initialize(*args)
      @config, @default_config = {}, {}
      @opt_parser = nil
      @banner = self.class.banner
      @options = self.class.options.transform_values(&:dup)
      defaults = self.class.use_separate_defaults? ? @default_config : @config
      @options.each do |name, settings|
        UNSET.each { |key, value| settings[key] ||= value }
        defaults[name] = settings[:default] if settings.key?(:default)
      end
      super(*args)
    end

    # Fills `config`; what is no option is the result. Ends with status 2 when a required option is missing or a value is not allowed.
    def parse_options(argv = ARGV, show_deprecations: true)
      rest = argv.dup
      opt_parser.parse!(rest)
      handle_deprecated_options(show_deprecations)
      options.each { |name, settings| check_option(name, settings) }
      @cli_arguments = rest
    end

    def opt_parser
      @opt_parser ||= OptionParser.new do |parser|
        parser.banner = banner
        options.sort_by { |name, _| name.to_s }.each do |name, settings|
          place = PLACES[settings[:on]] or raise ArgumentError, "You must pass :on, :tail, or :head to :on"
          parser.public_send(place, *build_option_arguments(settings), proc { |value| take_option(parser, name, settings, value) })
        end
      end
    end

    def build_option_arguments(settings)
      flags = settings.values_at(:short, :long).select(&:itself)
      return flags unless settings.key?(:description)
      text = settings[:description].dup
      text << " (required)" if settings[:required]
      text << " (valid options: #{Formatter.friendly_opt_list(settings[:in])})" if settings[:in]
      settings[:description] = text
      flags << text
    end

    def handle_deprecated_options(show_deprecations)
      replaced = {}
      config.keys.each do |name|
        settings = options[name]
        next unless settings && settings[:deprecated]
        if settings[:replacement]
          replaced[settings[:replacement]] = settings[:value_mapper].call(config[name])
          config.delete(name) unless settings[:keep]
        end
        puts "#{Formatter.combined_option_display_name(settings[:short], settings[:long])}: #{settings[:description]}" if show_deprecations
      end
      config.merge!(replaced)
      nil
    end

    private

    def take_option(parser, name, settings, value)
      convert = settings[:proc]
      value = convert.arity == 2 ? convert.call(value, config[name]) : convert.call(value) if convert
      config[name] = value
      puts parser if settings[:show_options]
      exit settings[:exit] if settings[:exit]
    end

    def check_option(name, settings)
      refuse_options("You must supply #{settings[:short] || settings[:long]}!") if settings[:required] && !config.key?(name)
      allowed = settings[:in] or return
      raise ArgumentError, "Options config key :in must receive an Array" unless allowed.is_a?(Array)
      return if !config[name] || allowed.include?(config[name])
      shown = Formatter.combined_option_display_name(settings[:short], settings[:long])
      refuse_options("#{shown}: #{config[name]} is not one of the allowed values: #{Formatter.friendly_opt_list(allowed)}")
    end

    def refuse_options(text)
      puts text, opt_parser
      exit 2
    end
  end
end
