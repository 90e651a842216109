class Chef
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
      def windows? = false
      def windows_nano_server? = false
      def supports_msi? = false
      def supports_powershell_execution_bypass?(_node = nil) = false
      def supports_dsc?(_node = nil) = false
      def supports_dsc_invoke_resource?(_node = nil) = false
      def dsc_refresh_mode_disabled?(_node = nil) = false
      def find_platform_and_version(node) = [node["platform"], node["platform_version"]]
    end

    class ServiceHelpers
      class << self
        def service_resource_providers
          services = ChefUtils::DSL::Service
          {
            debian: services.debianrcd?, invokercd: services.invokercd?, upstart: services.upstart?, insserv: services.insserv?,
            redhat: services.redhatrcd?, systemd: services.systemd?
          }.select { |_, found| found }.keys
        end

        def config_for_service(name)
          %i{initd upstart xinetd etc_rcd systemd}.select { |kind| ChefUtils.service_script_exist?(kind, name) }
        end
      end
    end

    # The restart that a `reboot` resource asked for.
    module Rebooter
      def self.reboot_if_needed!(node) = (Chef::Log.warn("Rebooting server as requested") if node.run_context.reboot_requested?)
    end

    class PriorityMap < Chef::NodeMap
      def self.instance = @instance ||= new

      def initialize
        super
        @lists = {}
      end

      def get_priority_array(_node, name) = @lists[name.to_sym] || []
      alias list get_priority_array

      def set_priority_array(name, priority, *, **)
        @lists[name.to_sym] = Array(priority)
      end
      alias priority set_priority_array
    end
    class ProviderPriorityMap < PriorityMap; end
    class ResourcePriorityMap < PriorityMap; end
  end

  # Definitions by name, made outside of a definition file.
  class ResourceDefinitionList
    include Chef::Mixin::FromFile
    attr_accessor :defines

    def initialize = @defines = {}

    def define(name, defaults = nil, &block)
      made = ResourceDefinition.new
      made.define(name, defaults, &block)
      @defines[name] = made
      true
    end
  end

  class ResourceDefinition
    attr_accessor :name, :params, :recipe, :node

    def define(name, defaults = nil, &block)
      raise ArgumentError, "the name of a definition must be a Symbol, not #{name.inspect}" unless name.is_a?(Symbol)
      raise ArgumentError, "the defaults of a definition must be a Hash, not #{defaults.inspect}" unless defaults.nil? || defaults.is_a?(Hash)
      raise ArgumentError, "definition #{name} needs a block" unless block

      @name = name
      @params = defaults || {}
      @recipe = block
      true
    end

    def to_s = name.to_s
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
    def resource_priority_map = @resource_priority_map ||= Chef::Platform::ResourcePriorityMap.instance
    def provider_priority_map = @provider_priority_map ||= Chef::Platform::ProviderPriorityMap.instance

    # defines: set_resource_priority_map set_provider_priority_map set_resource_priority_array set_provider_priority_array
    %w{resource provider}.each do |kind|
      define_method(:"set_#{kind}_priority_map") { |map| instance_variable_set(:"@#{kind}_priority_map", map) }
      define_method(:"set_#{kind}_priority_array") { |name, list, **filters| public_send(:"#{kind}_priority_map").set_priority_array(name.to_sym, list, **filters) }
    end

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

  # constants: User UserV1 ApiClientV1 Group Org
  { User: Object, UserV1: Object, ApiClientV1: Object, Group: Object, Org: :Group }.each do |name, superclass|
    superclass = const_get(superclass) if superclass.is_a?(Symbol)
    const_set(name, Class.new(superclass) {
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

      # Whether the run or the system asks for a restart.
      def reboot_pending?
        return true if respond_to?(:node, true) && node && node.run_context.respond_to?(:reboot_requested?) && node.run_context.reboot_requested?
        return platform_family?("debian") && File.exist?("/var/run/reboot-required") unless ChefUtils.windows?

        registry_value_exists?('HKLM\SYSTEM\CurrentControlSet\Control\Session Manager', { name: "PendingFileRenameOperations" }) ||
          registry_key_exists?('HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\WindowsUpdate\Auto Update\RebootRequired') ||
          registry_key_exists?('HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending')
      end

      # defines: registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? valid_windows_architecture?
      # defines: assert_windows_architecture! wow64_architecture_override_required? forced_32bit_override_required?
      # defines: is_i386_process_on_x86_64_windows? registry_get_values registry_get_subkeys node_windows_architecture wow64_directory
      %i{registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? valid_windows_architecture? assert_windows_architecture! wow64_architecture_override_required?
         forced_32bit_override_required? is_i386_process_on_x86_64_windows?}.each { |name| define_method(name) { |*| false } }
      %i{registry_get_values registry_get_subkeys node_windows_architecture wow64_directory}.each { |name| define_method(name) { |*| nil } }
      def with_os_architecture(*) = yield

      def powershell_exec(*) = raise(NotImplementedError, "powershell_exec: this platform has no PowerShell")
      alias powershell_exec! powershell_exec
      def ps_credential(*) = raise(NotImplementedError, "ps_credential: this platform has no PowerShell")

      # defines: default_secret_service default_secret_config
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
        return Chef::EncryptedDataBagItem.remember(name) if service == :example
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

module ChefUtils
  # The names of what Chef ships.
  module Dist
    {
      Apply: { PRODUCT: "Chef Infra Apply", EXEC: "chef-apply" },
      Automate: { PRODUCT: "Chef Automate" },
      Cli: { PRODUCT: "Chef CLI", GEM: "chef-cli" },
      Habitat: { PRODUCT: "Chef Habitat", SHORT: "habitat", EXEC: "hab" },
      Infra: {
        PRODUCT: "Chef Infra Client", SHORT: "chef", CLIENT: "chef-client", EXEC: "chef", SHELL: "chef-shell", SHELL_CONF: "chef_shell.rb",
        USER_CONF_DIR: ".chef", DIR_SUFFIX: "chef", GEM: "chef", CONTAINER_REF: "chef/chef"
      },
      Inspec: { PRODUCT: "Chef InSpec", EXEC: "inspec" },
      Org: {
        WEBSITE: "https://chef.io", DOWNLOADS_URL: "chef.io/downloads", LEGACY_CONF_DIR: "opscode", ENFORCE_LICENSE: true,
        PATENTS: "https://www.chef.io/patents", KNIFE_DOCS: "https://docs.chef.io/workstation/knife/", PRODUCT: "Chef Infra",
        OMNITRUCK_URL: "https://omnitruck.chef.io/install.sh"
      },
      Server: {
        PRODUCT: "Chef Infra Server", CONF_DIR: "/etc/chef-server", SERVER: "chef-server", SERVER_CTL: "chef-server-ctl",
        SERVER_DOCS: "https://docs.chef.io/server/", SYSTEM_USER: "opscode"
      },
      Solo: { PRODUCT: "Chef Infra Solo", EXEC: "chef-solo" },
      Workstation: { PRODUCT: "Chef Workstation", DIR_SUFFIX: "chef-workstation", DOCS: "https://docs.chef.io/workstation/" },
      Zero: { PRODUCT: "Chef Infra Zero", EXEC: "chef-zero" }
    }.each do |name, names|
      product = const_set(name, Class.new)
      names.each { |key, value| product.const_set(key, value.freeze) }
    end
  end
end
