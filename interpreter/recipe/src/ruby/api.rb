class Chef
  class Handler
    attr_reader :run_status

    def self.handler_for(*) = []
    def name = self.class.name
    def run_context = @run_status ? @run_status.run_context : Chef.run_context
    def node = @run_status ? @run_status.node : Chef.node
    def all_resources = run_context ? run_context.resource_collection.all_resources : []
    def updated_resources = all_resources.select(&:updated)
    %i{elapsed_time start_time end_time exception backtrace formatted_exception success? failed?}.each do |name|
      define_method(name) { @run_status&.public_send(name) }
    end
    def report = nil
    def data = @run_status ? @run_status.to_hash : {}

    def run_report_safely(run_status)
      run_report_unsafe(run_status)
    rescue StandardError => e
      Chef::Log.error("Report handler #{name} raised #{e.inspect}")
    end

    def run_report_unsafe(run_status)
      @run_status = run_status
      report
    end

    class JsonFile < Handler
      attr_reader :config

      def initialize(config = {}) = @config = { path: "/var/chef/reports" }.merge(config)

      def report
        folder = config[:path]
        FileUtils.mkdir_p(folder)
        File.write(File.join(folder, "chef-run-report-#{Time.now.strftime("%Y%m%d%H%M%S")}.json"), Chef::JSONCompat.to_json_pretty(data))
      end
    end

    class ErrorReport < Handler
      def report = Chef::FileCache.store("failed-run-data.json", Chef::JSONCompat.to_json_pretty(data), 0640)
    end
  end

  class Digester
    class << self
      def instance = @instance ||= new
      def checksum_for_file(*args) = instance.checksum_for_file(*args)
      def generate_checksum(*args) = instance.generate_checksum(*args)
      def generate_md5_checksum_for_file(*args) = instance.generate_md5_checksum_for_file(*args)
      alias checksum checksum_for_file
    end

    def checksum_for_file(file) = generate_checksum(file)
    alias validate_checksum checksum_for_file
    alias checksum checksum_for_file
    def generate_checksum(file) = hexdigest(Digest::SHA256.new, file)
    def generate_md5_checksum_for_file(file) = hexdigest(Digest::MD5.new, file)
    def generate_md5_checksum(io) = Digest::MD5.hexdigest(io.read)

    private

    def hexdigest(digest, file)
      digest.update(file.respond_to?(:read) ? file.read : File.binread(file))
      digest.hexdigest
    end
  end

  class FileCache
    class << self
      def create_cache_path(path, create_if_missing = true)
        folder = File.expand_path(File.join(Chef::Config[:file_cache_path], path))
        FileUtils.mkdir_p(folder) if create_if_missing && !File.directory?(folder)
        folder
      end

      def store(path, contents, perm = 0640)
        create_cache_path(File.dirname(path))
        file = create_cache_path(path, false)
        File.open(file, "w", perm) { |io| io.print(contents) }
        true
      end

      def load(path, read = true)
        file = create_cache_path(path, false)
        raise Chef::Exceptions::FileNotFound, "Cannot find #{path} for #{file}!" unless File.exist?(file)
        read ? File.read(file) : file
      end

      def delete(path)
        File.unlink(create_cache_path(path, false)) if has_key?(path)
        true
      end

      def move_to(file, path)
        create_cache_path(File.dirname(path))
        FileUtils.mv(file, create_cache_path(path, false))
      end

      def has_key?(path) = File.exist?(create_cache_path(path, false))
      alias key? has_key?
      def list = find("**/*")

      def find(pattern)
        base = File.expand_path(Chef::Config[:file_cache_path])
        Dir[File.join(base, pattern)].select { |file| File.file?(file) }.map { |file| file.delete_prefix("#{base}/") }
      end
    end
  end

  class Platform
    class << self
      def set(*) = Chef.deprecated(:platform, "Chef::Platform.set does nothing: use `provides` in the provider class")
      def windows? = false
      def windows_server_2003? = false
      def windows_nano_server? = false
      def windows_server_core? = false
      def supports_msi? = false
      def supports_powershell_execution_bypass?(_node = nil) = false
      def supports_dsc?(_node = nil) = false
      def supports_dsc_invoke_resource?(_node = nil) = false
      def dsc_refresh_mode_disabled?(_node = nil) = false
      def find_provider_for_node(node, resource) = Chef::ProviderResolver.new(node, resource, :nothing).resolve
      def find_platform_and_version(node) = [node["platform"], node["platform_version"]]
      def provider_for_resource(*) = raise(NotImplementedError, "Chef::Platform.provider_for_resource: use Chef::Resource#provider_for_action")
    end

    class ServiceHelpers
      class << self
        def service_resource_providers
          {
            debian: ChefUtils.debianrcd?, invokercd: ChefUtils.invokercd?, upstart: ChefUtils.upstart?, insserv: ChefUtils.insserv?,
            redhat: ChefUtils.redhatrcd?, systemd: ChefUtils.systemd?
          }.select { |_, found| found }.keys
        end

        def config_for_service(name)
          %i{initd upstart xinetd etc_rcd systemd}.select { |kind| ChefUtils.service_script_exist?(kind, name) }
        end
      end
    end

    class PriorityMap
      def self.instance = @instance ||= new
      def initialize = @lists = {}
      def get_priority_array(_node, name) = @lists[name.to_sym] || []
      alias list get_priority_array

      def set_priority_array(name, priority, *)
        @lists[name.to_sym] = Array(priority)
      end
      alias priority set_priority_array
    end
    class ProviderPriorityMap < PriorityMap; end
    class ResourcePriorityMap < PriorityMap; end
  end

  class HandlerMap
    def initialize(&look_up) = @look_up = look_up
    def get(_node, name, **) = @look_up.call(name)
    def list(node, name, **) = [get(node, name)].compact
    def set(name, klass, **filters) = klass.provides(name, **filters)
  end

  class << self
    def resource_handler_map = @resource_handler_map ||= HandlerMap.new { |name| Chef::ResourceResolver.resolve(name) }
    def provider_handler_map = @provider_handler_map ||= HandlerMap.new { |name| Chef::ProviderResolver.named(name) }
    def resource_priority_map = Chef::Platform::ResourcePriorityMap.instance
    def provider_priority_map = Chef::Platform::ProviderPriorityMap.instance
    def get_resource_priority_array(name) = resource_priority_map.get_priority_array(node, name)
    def get_provider_priority_array(name) = provider_priority_map.get_priority_array(node, name)
  end

  class Application
    class << self
      def fatal!(text, status = -1)
        Chef::Log.fatal(text)
        exit(status.is_a?(Integer) ? status : 1)
      end

      def exit!(text, status = 0)
        Chef::Log.debug(text)
        exit(status)
      end

      def debug_stacktrace(_error) = true
    end
  end

  class Node
    class << self
      # A stored node of the chef-repo, or the one of this run under its own name; else what a server answers.
      def load(name)
        from_hash(Chef::ServerAPI.new(Chef::Config[:chef_server_url]).get("nodes/#{name}"))
      rescue Net::HTTPClientException => error
        own = Chef.run_context && Chef.run_context.node
        own && own.name == name && error.response.code == "404" ? own : raise
      end

      def list(inflate = false)
        names = Chef::ServerAPI.new(Chef::Config[:chef_server_url]).get("nodes")
        inflate ? names.keys.to_h { |name| [name, load(name)] } : names
      end

      def find_or_create(name)
        load(name)
      rescue Net::HTTPClientException => error
        raise unless error.response.code == "404"
        build(name)
      end
    end

    # Expands the run list and notes what came of it; MissingRole unless every role is there.
    def expand!(data_source = "server")
      expansion = run_list.expand(chef_environment, data_source)
      raise Chef::Exceptions::MissingRole, expansion if expansion.errors?
      tags
      automatic_attrs[:recipes] = expansion.recipes.with_duplicate_names
      automatic_attrs[:expanded_run_list] = expansion.recipes.with_fully_qualified_names_and_version_constraints
      automatic_attrs[:roles] = expansion.roles
      apply_expansion_attributes(expansion)
      automatic_attrs[:chef_environment] = chef_environment
      expansion
    end

    def apply_expansion_attributes(expansion)
      self.role_default = expansion.default_attrs
      self.role_override = expansion.override_attrs
      return if chef_environment == "_default"
      environment = expansion.respond_to?(:loaded_environment) ? expansion.loaded_environment : Chef::Environment.load(chef_environment)
      self.env_default = environment.default_attributes
      self.env_override = environment.override_attributes
    end

    # Evaluates an attribute file on the node.
    def from_file(path)
      raise IOError, "Cannot open or read #{path}!" unless File.file?(path) && File.readable?(path)
      instance_eval(File.read(path), path, 1)
    end
  end

  class HTTP
    attr_reader :url, :options, :last_response

    def initialize(url, options = {}) = (@url, @options = url, options)

    # Answered from the chef-repo, as a local run's server does.
    def get(path, *) = Chef::LocalData.get(path)

    %i{head post put delete request streaming_request}.each do |name|
      define_method(name) do |*|
        raise NotImplementedError, "#{self.class}##{name}: rchef does not speak to a Chef server; use Net::HTTP"
      end
    end

    class Simple < HTTP; end
    class SimpleJSON < HTTP; end
  end
  class ServerAPI < HTTP
    def initialize(url = Chef::Config[:chef_server_url], options = {}) = super
    alias get_rest get
    alias post_rest post
    alias put_rest put
    alias delete_rest delete
  end
  class REST < ServerAPI; end

  %w{User UserV1 ApiClient ApiClientV1 Org}.each do |name|
    const_set(name, Class.new {
      def self.method_missing(name, *) = raise(NotImplementedError, "#{self}.#{name}: rchef does not speak to a Chef server")
      def self.respond_to_missing?(*) = false
    })
  end

  # Recipes written as data: `resources`, each with type, name and properties, and `include_recipes`.
  class Recipe
    def from_json_file(path) = from_json(data_file(path))

    def from_yaml_file(path)
      text = data_file(path)
      raise ArgumentError, "YAML recipe '#{path}' contains multiple documents, only one is supported" if text.scan(/^---\s*$/).length > 1

      from_yaml(text)
    end

    def from_json(text)
      found = JSONCompat.from_json(text)
      raise ArgumentError, "JSON recipe '#{source_file}' must contain a top-level 'resources' hash" unless data_recipe?(found)

      from_hash(found)
    end

    def from_yaml(text)
      require "yaml"
      require "date"
      found = ::YAML.safe_load(text, permitted_classes: [Date])
      raise ArgumentError, "YAML recipe '#{source_file}' must contain a top-level 'resources' hash (YAML sequence), i.e. 'resources:'" unless data_recipe?(found)

      from_hash(found)
    end

    def from_hash(found)
      (found["resources"] || []).each do |fields|
        fields = fields.dup
        type, name = fields.delete("type"), fields.delete("name")
        __declare_with(type.to_sym, name, fields)
      end
      (found["include_recipes"] || []).each { |recipe| run_context.include_recipe(recipe) }
    end

    private

    def data_file(path)
      self.source_file = path
      raise IOError, "Cannot open or read file '#{path}'!" unless File.file?(path) && File.readable?(path)

      File.read(path)
    end

    def data_recipe?(found) = found.is_a?(Hash) && (found.key?("resources") || found.key?("include_recipes"))
  end

  module Mixin
    module Checksum
      def checksum(file) = Chef::Digester.checksum_for_file(file)
      def short_cksum(checksum) = checksum.nil? ? "none" : checksum[0, 6]
      def checksum_match?(wanted, found) = !wanted.nil? && !found.nil? && wanted.casecmp?(found)
    end

    module ConvertToClassName
      extend self

      def convert_to_class_name(text) = normalize_snake_case_name(text).split("_").map { |part| part[0..0].upcase + part[1..].to_s }.join
      def normalize_snake_case_name(text) = text.gsub(/[^A-Za-z0-9_]/, "_").gsub(/\A_+/, "")

      def convert_to_snake_case(text, namespace = nil)
        text = text.sub(/\A#{Regexp.escape(namespace.to_s)}(::)?/, "") if namespace
        text.gsub(/::/, "_").gsub(/([A-Z])/) { "_#{$1}" }.downcase.gsub(/\A_+/, "").squeeze("_")
      end

      def constantize(name) = Object.const_get(name.to_s.delete_prefix("::"))
      def snake_case_basename(text) = convert_to_snake_case(text.rpartition("::").last)

      def filename_to_qualified_string(base, file)
        file = File.basename(file, ".rb")
        file == "default" ? normalize_snake_case_name(base.to_s) : normalize_snake_case_name("#{base}_#{file}")
      end
    end

    module CreatePath
      def create_path(path)
        FileUtils.mkdir_p(path.is_a?(Array) ? File.join(*path) : path)
        File.expand_path(path.is_a?(Array) ? File.join(*path) : path)
      end
    end

    module FromFile
      attr_accessor :source_file unless method_defined?(:source_file)

      def class_from_file(file) = class_eval(File.read(file), file, 1)
    end

    module Uris
      def uri_scheme?(source) = !!source.to_s.match(%r{\A[a-z][a-z0-9+.-]*://}i)
      def as_uri(source) = source.is_a?(URI) ? source : URI.parse(source)
    end

    # Who runs `brew`: its owner, unless a user is named.
    module Homebrew
      include Chef::Mixin::Which

      BREW_DIRS = %w{/opt/homebrew/bin /usr/local/bin /home/linuxbrew/.linuxbrew/bin}.freeze

      def find_homebrew_uid(user = nil)
        return user if user.is_a?(Integer)
        return Etc.getpwnam(user).uid if user

        @homebrew_owner_uid ||= File.stat(homebrew_bin_path).uid
      end

      def find_homebrew_username(user = nil) = @homebrew_owner_username ||= Etc.getpwuid(find_homebrew_uid(user)).name

      def homebrew_bin_path(given = nil)
        return given if given && File.exist?(given)

        found = which("brew", prepend_path: BREW_DIRS)
        found || raise(Chef::Exceptions::CannotDetermineHomebrewPath, 'Couldn\'t find the "brew" executable anywhere on the path.')
      end
    end

    # The name that Chef had before 18.
    HomebrewUser = Homebrew

    module XMLEscape
      extend self

      def xml_escape(text) = text.encode(xml: :text).gsub('"', "&quot;")
    end
  end

  module DSL
    module Universal
      def render_json(hash) = "#{JSON.pretty_generate(hash)}\n"
      def render_yaml(hash) = hash.to_h.transform_keys(&:to_s).to_yaml.gsub(" :", " ")
      def render_toml(hash) = Chef::DSL::Toml.dump(hash)
      def parse_json(text) = JSON.parse(text)
      def parse_yaml(text) = YAML.load(text)
      def parse_toml(_text) = raise(NotImplementedError, "parse_toml: rchef reads no TOML")

      def parse_file(path)
        case File.extname(path)
        when ".json" then parse_json(File.read(path))
        when ".yml", ".yaml" then parse_yaml(File.read(path))
        when ".toml" then parse_toml(File.read(path))
        else raise "Do not know how to parse the file #{path}"
        end
      end

      def tagged?(*tags) = tags.all? { |tag| (node.tags || []).include?(tag) }

      def reboot_pending?
        return true if node.run_context.respond_to?(:reboot_requested?) && node.run_context.reboot_requested?
        platform_family?("debian") && File.exist?("/var/run/reboot-required")
      end

      %i{registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? valid_windows_architecture? assert_windows_architecture! wow64_architecture_override_required?
         forced_32bit_override_required? is_i386_process_on_x86_64_windows?}.each { |name| define_method(name) { |*| false } }
      %i{registry_get_values registry_get_subkeys node_windows_architecture wow64_directory}.each { |name| define_method(name) { |*| nil } }
      def with_os_architecture(*) = yield

      def powershell_exec(*) = raise(NotImplementedError, "powershell_exec: this platform has no PowerShell")
      alias powershell_exec! powershell_exec
      def ps_credential(*) = raise(NotImplementedError, "ps_credential: this platform has no PowerShell")

      { service: "default_secret_service", config: "default_secret_config" }.each_value do |name|
        define_method(name) do |*value|
          Chef::DSL::Secret.settings[name] = value.first unless value.empty?
          Chef::DSL::Secret.settings[name] || (name.end_with?("config") ? {} : nil)
        end
      end

      def with_secret_service(service)
        raise ArgumentError, "You must pass a block to with_secret_service" unless block_given?
        before, Chef::DSL::Secret.settings["default_secret_service"] = default_secret_service, service
        yield
      ensure
        Chef::DSL::Secret.settings["default_secret_service"] = before if block_given?
      end

      def with_secret_config(**config)
        raise ArgumentError, "You must pass a block to with_secret_config" unless block_given?
        before, Chef::DSL::Secret.settings["default_secret_config"] = default_secret_config, config
        yield
      ensure
        Chef::DSL::Secret.settings["default_secret_config"] = before if block_given?
      end

      def secret(name: nil, version: nil, service: default_secret_service, config: default_secret_config)
        sensitive(true) if is_a?(Chef::Resource)
        raise Chef::Exceptions::Secret::MissingFetcher.allocate.exception("No secret service given; use one of: #{Chef::DSL::Secret::SERVICES.map(&:inspect).join(" ")}") if service.nil?
        unless Chef::DSL::Secret::SERVICES.include?(service)
          raise Chef::Exceptions::Secret::InvalidFetcherService.allocate.exception("Unsupported secret service: '#{service}'. Must be one of #{Chef::DSL::Secret::SERVICES.map(&:inspect).join(" ")}")
        end
        return name if service == :example
        raise NotImplementedError, "secret: rchef has no client for the service #{service.inspect}"
      end
    end

    module Secret
      SERVICES = %i{example aws_secrets_manager azure_key_vault hashi_vault akeyless_vault}.freeze
      def self.settings = @settings ||= {}
    end

    module Toml
      class << self
        def dump(hash) = table(hash, [])

        private

        def table(hash, path)
          simple, nested = hash.to_h.transform_keys(&:to_s).sort.partition { |_, value| !value.is_a?(Hash) && !tables?(value) }
          text = simple.map { |key, value| "#{key(key)} = #{value(value)}\n" }.join
          nested.each do |name, value|
            inner = path + [key(name)]
            if value.is_a?(Hash)
              text << "[#{inner.join(".")}]\n" unless !value.empty? && value.values.all?(Hash)
              text << table(value, inner)
            else
              value.each { |item| text << "[[#{inner.join(".")}]]\n" << table(item, inner) }
            end
          end
          text
        end

        def tables?(value) = value.is_a?(Array) && !value.empty? && value.all?(Hash)
        def key(name) = name.match?(/\A[A-Za-z0-9_-]+\z/) ? name : name.inspect

        def value(value)
          case value
          when Array then "[#{value.map { |item| value(item) }.join(", ")}]"
          when Time then value.utc.strftime("%Y-%m-%dT%H:%M:%SZ")
          when Integer, Float, true, false then value.to_s
          else value.to_s.inspect
          end
        end
      end
    end
  end
end

module Ohai
  VERSION = "18.1.18"

  class Config
    @settings = { plugin_path: ["/etc/chef/ohai/plugins"], hints_path: ["/etc/chef/ohai/hints"], disabled_plugins: [], optional_plugins: [], directory: nil, log_level: :auto }

    class << self
      def ohai = self
      def [](key) = @settings[key.to_sym]
      def []=(key, value)
        @settings[key.to_sym] = value
      end

      def method_missing(name, *args)
        key = name.to_s.delete_suffix("=").to_sym
        args.empty? ? @settings[key] : @settings[key] = args.first
      end

      def respond_to_missing?(*) = true
    end
  end

  class << self
    def config = Config
    def plugin(*) = nil
  end

  module Exception
    class Error < StandardError; end
    %w{Exec CommandFailed InvalidPluginName InvalidPluginDefinition IllegalPluginDefinition AttributeNotFound ProviderNotFound DependencyNotFound DependencyCycle AttributeSyntaxError}.each { |name| const_set(name, Class.new(Error)) }
  end

  class System
    attr_reader :config

    def initialize(config = {})
      @config = config
      @data = nil
    end

    def data = @data ||= Mash.new(Chef.node ? Chef.node.automatic.to_hash : {})
    def [](key) = data[key]
    def all_plugins(*) = self
    alias require_plugin all_plugins
    alias refresh_plugins all_plugins
    alias run_plugins all_plugins
    alias load_plugins all_plugins
    def attributes_print(name) = JSON.pretty_generate(data[name])
    def to_json(*args) = data.to_json(*args)
  end
end
Ohai::Log = Chef::Log

module ChefUtils
  # A String that compares as a version: with Integers, Floats and Strings alike.
  class VersionString < String
    attr_reader :parsed_version

    def initialize(text)
      text ||= ""
      super(text)
      @parsed_version = version_of(text)
    end

    def +(other) = to_s + other
    def *(count) = to_s * count

    def <=>(other)
      theirs = version_of(other)
      theirs && parsed_version ? parsed_version <=> theirs : super
    end

    %i{< <= > >=}.each do |operator|
      define_method(operator) do |other|
        theirs = version_of(other)
        theirs && parsed_version ? parsed_version.public_send(operator, theirs) : super(other)
      end
    end

    def ==(other)
      theirs = version_of(other)
      theirs && parsed_version ? parsed_version == theirs : super
    end

    def satisfies?(*constraints) = Gem::Requirement.new(*constraints).satisfied_by?(parsed_version)
    def =~(other) = other.is_a?(Regexp) ? super : Gem::Requirement.create(other) =~ parsed_version

    private

    def version_of(value)
      return value.parsed_version if value.is_a?(VersionString)

      Gem::Version.correct?(value.to_s) ? Gem::Version.create(value.to_s) : nil
    end
  end

  module Dist
    class Org
      LEGACY_CONF_DIR = "chef"
      WEBSITE = "https://chef.io"
      KNIFE_DOCS = "https://docs.chef.io/workstation/knife/"
    end
    class Infra
      PRODUCT = "Chef Infra Client"
      CLIENT = "chef-client"
      SHORT = "chef"
      EXEC = "chef"
      SHELL = "chef-shell"
      DIRECTORY_SUFFIX = "chef"
      SOLO = "chef-solo"
    end
    class Server
      PRODUCT = "Chef Infra Server"
      CONF_DIR = "/etc/chef-server"
      CTL = "chef-server-ctl"
      CONFIG = "chef-server"
    end
    class Automate
      PRODUCT = "Chef Automate"
    end
    class Inspec
      PRODUCT = "Chef InSpec"
      EXEC = "inspec"
    end
    class Workstation
      PRODUCT = "Chef Workstation"
    end
    class Zero
      PRODUCT = "Chef Infra Zero"
      EXEC = "chef-zero"
    end
  end
end
