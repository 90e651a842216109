# Ohai's Ruby API: its settings, and the plugins of cookbooks and of `ohai.plugin_path`. The facts of Ohai's own plugins are collected natively
# (`Ohai.facts`) before other plugins run.
module Ohai
  VERSION = "18.1.18"

  # Errors that end a run of Ohai, and `Exec`, which plugins may rescue.
  module Exceptions
    class Exec < RuntimeError; end
    class Error < StandardError; end
    class InvalidPlugin < Error; end
    class InvalidPluginName < Error; end
    class IllegalPluginDefinition < Error; end
    class AttributeNotFound < Error; end
    class ProviderNotFound < Error; end
    class DependencyCycle < Error; end
    class DependencyNotFound < Error; end
    class AttributeSyntaxError < Error; end
    class PluginConfigError < Error; end
    class CriticalPluginFailure < Error; end
  end
  Exception = Exceptions

  # The setting `ohai` of client.rb.
  class Config
    @settings = {
      plugin_path: ["/etc/chef/ohai/plugins"], hints_path: ["/etc/chef/ohai/hints"], disabled_plugins: [], optional_plugins: [], critical_plugins: [],
      run_all_plugins: false, directory: nil, log_level: :auto, log_location: $stderr, shellout_timeout: 30,
      plugin: Hash.new { |plugins, name| plugins[name] = Hash.new { |options, key| options[key] = {} } }
    }

    class << self
      def ohai = self
      def configuration = @settings
      def key?(key) = @settings.key?(key.to_sym)
      def [](key) = @settings[key.to_sym]

      def []=(key, value)
        value = Array(value).map(&:to_sym) if key.to_sym == :optional_plugins
        @settings[key.to_sym] = value
      end

      def merge!(other)
        other.each { |key, value| self[key] = value }
        self
      end

      def method_missing(name, *args)
        key = name.to_s.delete_suffix("=").to_sym
        args.empty? ? self[key] : self[key] = args.first
      end

      def respond_to_missing?(*) = true
    end
  end

  # Namespace of plugin classes: `Ohai::NamedPlugin::Nginx`.
  module NamedPlugin
    def self.valid_name?(name) = name.is_a?(Symbol) && name.match?(/\A[A-Z][^_]*\z/)
    def self.forget = constants(false).each { |name| remove_const(name) }
  end

  class << self
    def config = Config
    def dev_null = "/dev/null"
    def abs_path(path) = path

    def plugin(name, &block)
      unless NamedPlugin.valid_name?(name)
        raise Exceptions::InvalidPluginName,
              "#{name} is not a valid plugin name. A valid plugin name is a symbol which begins with a capital letter and contains no underscores"
      end
      if NamedPlugin.const_defined?(name, false)
        NamedPlugin.const_get(name, false).tap { |known| known.class_eval(&block) }
      else
        NamedPlugin.const_set(name, Class.new(DSL::Plugin::VersionVII, &block))
      end
    end
  end

  # Hints: `NAME.json` in the hint directories.
  module Hints
    def self.refresh_hints = @hints = {}

    def self.hint?(name)
      @hints ||= {}
      @hints[name] ||= Ohai.config[:hints_path].map { |folder| File.join(folder, "#{name}.json") }.select { |file| File.exist?(file) }.map { |file| parse_hint_file(file) }.last
    end

    def self.parse_hint_file(file)
      text = File.read(file)
      text.strip.empty? ? {} : JSON.parse(text) || {}
    rescue JSON::ParserError => e
      Chef::Log.error("Could not parse hint file at #{file}: #{e.message}")
    end
  end

  module Mixin
    # The operating system by which a `collect_data` block is chosen.
    module OS
      def collect_os = "linux"
      alias collect_os_local collect_os
      def target_mode? = false
      def nonruby_target? = false
      extend self
    end

    # Commands time out after `ohai.shellout_timeout` seconds; a timeout or a missing program raises `Exec`.
    module ShellOut
      include Chef::Mixin::ShellOut

      def shell_out(*command, **options)
        ended = super(*command, timeout: Ohai.config[:shellout_timeout], **options)
        logger.trace("Plugin #{name}: ran '#{command.join(" ")}' and returned #{ended.exitstatus}")
        ended
      rescue Errno::ENOENT => e
        logger.trace("Plugin #{name}: ran '#{command.join(" ")}' and failed #{e.inspect}")
        raise Exceptions::Exec, e.message
      rescue Mixlib::ShellOut::CommandTimeout => e
        logger.trace("Plugin #{name}: ran '#{command.join(" ")}' and timed out")
        raise Exceptions::Exec, e.message
      end
    end
    Command = ShellOut

    # Formats a duration.
    module SecondsToHuman
      def seconds_to_human(seconds)
        minutes, seconds = seconds.to_i.divmod(60)
        hours, minutes = minutes.divmod(60)
        days, hours = hours.divmod(24)
        return format("%02d seconds", seconds) if days + hours + minutes == 0
        return format("%d minutes %02d seconds", minutes, seconds) if days + hours == 0
        return format("%d hours %02d minutes %02d seconds", hours, minutes, seconds) if days == 0

        format("%d day%s %02d hours %02d minutes %02d seconds", days, days > 1 ? "s" : "", hours, minutes, seconds)
      end
    end

    # Finds programs.
    module Which
      include ChefUtils::DSL::Which
    end

    # Access to files for plugins that also support remote machines.
    module TrainHelpers
      include ChefUtils::DSL::TrainHelpers

      def dir_glob(path) = Dir.glob(path)
    end
  end

  module Util
    FileHelper = Mixin::Which
  end

  module DSL
    # Methods of plugins: data, commands, hints.
    class Plugin
      include Mixin::OS
      include Mixin::ShellOut
      include Mixin::SecondsToHuman
      include Mixin::Which
      include Mixin::TrainHelpers

      attr_reader :data, :failed, :logger
      attr_accessor :transport_connection

      def initialize(data, logger)
        @data = data
        @logger = logger
        @has_run = false
        @failed = false
      end

      def has_run? = @has_run
      def reset! = @has_run = false
      def [](key) = @data[key]
      def []=(key, value)
        @data[key] = value
      end

      def each(&) = @data.each(&)
      def has_key?(name) = @data.key?(name)
      def attribute?(name, *keys) = !get_attribute(name, *keys).nil?
      def hint?(name) = Hints.hint?(name)

      def run
        @has_run = true
        if Ohai.config[:disabled_plugins].map(&:to_sym).include?(name)
          logger.trace("Skipping disabled plugin #{name}")
        else
          run_plugin
        end
      end

      # The attribute of a failed plugin is left out; the error is logged at level trace.
      def safe_run
        run
      rescue Exceptions::Error
        @failed = true
        raise
      rescue => e
        @failed = true
        logger.trace("Plugin #{name} threw #{e.inspect}")
        e.backtrace.each { |line| logger.trace(line) }
      end

      def get_attribute(*keys)
        keys.inject(@data) do |found, key|
          raise TypeError, "Expected Hash but got #{found.class}." unless found.nil? || found.is_a?(Array) || found.is_a?(Hash)

          found.nil? ? nil : found[key]
        end
      end

      def set_attribute(name, *keys, value)
        *outer, last = name, *keys
        outer.inject(@data) { |found, key| found[key] ||= Mash.new }[last] = value
        @data[name]
      end
      alias set set_attribute

      def from(command)
        shell_out(command).stdout.to_s.strip
      end

      def from_with_regex(command, *patterns)
        output = from(command)
        patterns.flatten.each do |pattern|
          found = output.match(pattern)
          return found[1] if found
        end
        output.empty? ? "" : nil
      end

      def method_missing(name, *args)
        args.empty? ? get_attribute(name) : set_attribute(name, *args)
      end

      def respond_to_missing?(*) = false

      # Plugins that `Ohai.plugin` defines.
      class VersionVII < Plugin
        class << self
          def version = :version7
          def sources = @sources ||= []
          def provides_attrs = @provides_attrs ||= []
          def depends_attrs = @depends_attrs ||= []
          def data_collector = @data_collector ||= Mash.new
          def provides(*names) = provides_attrs.concat(names.flatten - provides_attrs)
          def depends(*names) = depends_attrs.concat(names.flatten - depends_attrs)
          def optional?  = !!@optional

          def optional(flag = true)
            @optional = flag
          end

          def collect_data(*systems, &block)
            systems = [:default] if systems.empty?
            systems.flatten.each do |system|
              Chef::Log.warn("collect_data already defined on os '#{system}' for #{self}, last plugin seen will be used") if data_collector.key?(system)
              data_collector[system] = block
            end
          end
        end

        def name = self.class.name.split("::").last.to_sym
        def version = self.class.version
        def source = self.class.sources
        def dependencies = self.class.depends_attrs
        def optional? = self.class.optional?

        def run_plugin
          collectors = self.class.data_collector
          collector = collectors[collect_os] || collectors[:default]
          return logger.trace("Plugin #{name}: No data to collect. Skipping...") unless collector

          instance_eval(&collector)
        end

        def provides(*paths)
          logger.warn("[UNSUPPORTED OPERATION] 'provides' is no longer supported in a 'collect_data' context. Please specify 'provides' before collecting plugin data. " \
                      "Ignoring command 'provides #{paths.join(", ")}")
        end

        def require_plugin(*names)
          logger.warn("[UNSUPPORTED OPERATION] 'require_plugin' is no longer supported. Please use 'depends' instead.\nIgnoring plugin(s) #{names.join(", ")}")
        end

        # A setting of the plugin, for example of SSHHostKey in `ohai.plugin[:ssh_host_key]`.
        def configuration(option, *inner)
          key = name.to_s.split(/([A-Z][a-z]+)/).reject(&:empty?).map(&:downcase).join("_").to_sym
          settings = Ohai.config[:plugin]
          return unless settings.key?(key)

          [option, *inner].inject(settings[key]) { |found, part| found.is_a?(Hash) && found.key?(part) ? found[part] : (return nil) }
        end
      end
    end
  end

  # Loads plugin files.
  class Loader
    def initialize(controller)
      @controller = controller
    end

    def plugin_files_by_dir(folders = Ohai.config[:plugin_path])
      Array(folders).flat_map { |folder| Dir.glob("**/*.rb", base: folder).sort.map { |file| File.join(folder, file) } }
    end

    # The plugins of these files, in order; a class that several files define is one plugin.
    def load(files) = files.filter_map { |file| load_plugin_class(file) }.uniq.map { |found| found.new(@controller.data, @controller.logger) }
    def load_all = load(plugin_files_by_dir)
    def load_additional(folder) = load(plugin_files_by_dir([Ohai.config[:plugin_path], folder].flatten))
    def load_plugin(file) = load([file]).first

    def load_plugin_class(file)
      text = File.read(file)
      unless text.include?("Ohai.plugin")
        raise Exceptions::IllegalPluginDefinition,
              "[DEPRECATION] Plugin at #{file} is a version 6 plugin. Version 6 plugins are no longer supported by Ohai. This plugin will need to be updated " \
              "to the v7 Ohai plugin format. See https://docs.chef.io/ohai_custom.html for v7 syntax."
      end
      define(text, file)
    rescue IOError, Errno::ENOENT
      logger.warn("Unable to open or read plugin at #{file}")
      nil
    end

    private

    def logger = @controller.logger

    def define(text, file)
      found = eval(text, TOPLEVEL_BINDING, file)
      unless found.is_a?(Class) && found < DSL::Plugin
        raise Exceptions::IllegalPluginDefinition, "Plugin file cannot contain any statements after the plugin definition"
      end
      found.sources << file
      found
    rescue SystemExit, Interrupt
      raise
    rescue Exceptions::InvalidPluginName => e
      refuse("Name", file, e.message)
    rescue Exceptions::IllegalPluginDefinition => e
      refuse("Definition", file, e.message)
    rescue NoMethodError => e
      refuse("Method", file, "unsupported operation '#{e.name}'")
    rescue SyntaxError => e
      refuse("Syntax", file, e.message)
    rescue ::Exception => e
      refuse(nil, file, e.message)
    end

    def refuse(kind, file, text)
      logger.warn("Plugin #{[*kind, "Error"].join(" ")}: <#{file}>: #{text}")
      nil
    end
  end

  # Plugins by the attributes that they provide: `nginx`, `network/interfaces`.
  class ProvidesMap
    def initialize
      @providers = {}
    end

    def set_providers_for(plugin, attributes) = attributes.each { |name| (@providers[parts(name)] ||= []) << plugin }
    def all_plugins(names = nil) = names.nil? ? @providers.values.flatten.uniq : deep_find_providers_for(Array(names))

    # The providers of an attribute and of those below it, else of the nearest one above it.
    def deep_find_providers_for(names) = names.flat_map { |name| below(parts(name)).then { |found| found.empty? ? closest(parts(name)) : found } }.uniq
    def find_closest_providers_for(names) = names.flat_map { |name| closest(parts(name)) }.uniq

    private

    def below(path) = @providers.select { |known, _| known.first(path.length) == path }.values.flatten
    def closest(path) = path.length.downto(1).lazy.filter_map { |length| @providers[path.first(length)] }.first || []

    def parts(name)
      name = name.to_s
      raise Exceptions::AttributeSyntaxError, "Attribute contains duplicate '/' characters: #{name}" if name.include?("//")
      raise Exceptions::AttributeSyntaxError, "Attribute contains a trailing '/': #{name}" if name.end_with?("/")

      name.delete_prefix("/").split("/")
    end
  end

  # Facts: the native ones, overlaid with those of plugins.
  class System
    attr_accessor :data
    attr_reader :config, :provides_map, :logger

    def initialize(config = {})
      @config = config
      @logger = config[:logger] || Chef::Log
      Ohai.config.merge!(config.reject { |key, _| %i{logger invoked_from_cli}.include?(key.to_sym) })
      reset_system
    end

    def reset_system
      @data = Mash.new
      @provides_map = ProvidesMap.new
      @failed = []
      @plugins = []
      Hints.refresh_hints
      NamedPlugin.forget
    end

    def [](key) = @data[key]
    def to_json(*args) = @data.to_json(*args)
    def json_pretty_print(item = nil) = JSON.pretty_generate(item || @data)
    def attributes_print(name) = JSON.pretty_generate(name.split("/").inject(@data) { |found, part| found[part] })

    # Collects all facts, or only those for the attributes of the filter with their dependencies.
    def all_plugins(filter = nil)
      reset_system
      load_plugins
      run_plugins(true, filter)
    end
    alias refresh_plugins all_plugins
    alias require_plugin all_plugins

    def load_plugins
      Array(Ohai.config[:directory]).each { |folder| Ohai.config[:plugin_path] |= [folder] }
      add(Loader.new(self).load_all)
    end

    def run_plugins(_safe = true, filter = nil)
      names = filter && Array(filter)
      run_over(Ohai.facts(nil), names)
    end

    def run_additional_plugins(folder) = run_files(Loader.new(self).plugin_files_by_dir(folder))

    # Runs the plugins of `ohai.plugin_path` and of these files; `data` then has the native facts and those of the plugins.
    def run_files(files)
      load_plugins
      add_files(files)
      run_over(Ohai.facts(nil), nil)
    end

    # Runs plugins over the native facts; with names, `data` then has only these facts.
    def run_over(facts, names)
      unknown = names&.find { |name| !Ohai.fact?(name) && @provides_map.all_plugins(name).empty? }
      not_found(unknown) if unknown
      return @data.replace(Mash.new(native(facts, names))) if @plugins.empty?

      before = Mash.new(facts)
      @data.replace(Mash.new(facts))
      @provides_map.all_plugins(names).each { |plugin| run_plugin(plugin) }
      check_critical
      changed = @data.reject { |key, value| before.key?(key) && before[key] == value }
      @data.replace(Mash.new(native(facts, names)).merge(changed))
    end

    def add_files(files) = add(Loader.new(self).load(files))

    private

    def native(facts, names) = names ? names.map { |name| Ohai.facts(name) || {} }.inject({}, :merge) : facts

    def add(plugins)
      plugins.each do |plugin|
        @plugins << plugin
        @provides_map.set_providers_for(plugin, plugin.class.provides_attrs)
      end
    end

    def not_found(name)
      error = Exceptions::AttributeNotFound.new("No such attribute: '#{name}'")
      logger.error("Encountered error while running plugins: #{error.inspect}")
      raise error
    end

    def run_plugin(plugin)
      wanted = Ohai.config[:run_all_plugins] || Ohai.config[:optional_plugins].map(&:to_sym).include?(plugin.name)
      run_with_dependencies(plugin, []) if !plugin.optional? || wanted
    rescue Exceptions::Error, SystemExit
      raise
    rescue ::Exception => e
      logger.warn("Plugin #{plugin.name} threw exception #{e.inspect} #{e.backtrace.join("\n")}")
    end

    def run_with_dependencies(plugin, waiting)
      return if plugin.has_run?

      if waiting.include?(plugin)
        error = Exceptions::DependencyCycle.new("Dependency cycle detected. Please refer to the following plugins: #{waiting.drop_while { |known| known != plugin }.map(&:name).join(", ")}")
        logger.error("Encountered error while running plugins: #{error.inspect}")
        raise error
      end
      plugin.dependencies.each do |name|
        providers = @provides_map.find_closest_providers_for([name]) - [plugin]
        not_found(name) if providers.empty? && !Ohai.fact?(name)
        providers.each { |provider| run_with_dependencies(provider, waiting + [plugin]) }
      end
      plugin.safe_run
      @failed << plugin.name if plugin.failed
    end

    def check_critical
      failed = Ohai.config[:critical_plugins].map(&:to_sym) & @failed
      return if failed.empty?

      raise Exceptions::CriticalPluginFailure, "The following Ohai plugins marked as critical failed: #{failed}. Failing Chef run."
    end
  end
end
Ohai::Log = Chef::Log
require "chef/rchef/facts"
