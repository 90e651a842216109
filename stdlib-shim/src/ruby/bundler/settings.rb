# Configuration: what was set for a while, `.bundle/config` of the bundle, the variables BUNDLE_*, the user's own, in this order.
require "bundler/shared_helpers"

module Bundler
  class Settings
    BOOL_KEYS = %w[
      allow_deployment_source_credential_changes allow_offline_install auto_clean_without_path auto_install cache_all cache_all_platforms clean default_install_uses_path deployment
      disable_checksum_validation disable_exec_load disable_local_branch_check disable_local_revision_check disable_shared_gems disable_version_check force_ruby_platform forget_cli_options
      frozen gem.changelog gem.coc gem.mit git.allow_insecure global_gem_cache ignore_messages init_gems_rb inline no_install no_prune path_relative_to_cwd path.system plugins prefer_patch
      print_only_version_number setup_makes_kernel_gem_public silence_deprecations silence_root_warning suppress_install_using_messages update_requires_all_flag
      use_gem_version_promoter_for_major_updates
    ].freeze
    NUMBER_KEYS = %w[jobs redirect retry ssl_verify_mode timeout].freeze
    ARRAY_KEYS = %w[with without].freeze
    STRING_KEYS = %w[bin cache_path console gem.ci gem.github_username gem.linter gem.rubocop gem.test gemfile path shebang system_bindir trust-policy].freeze
    DEFAULT_CONFIG = {
      "BUNDLE_SILENCE_DEPRECATIONS" => false, "BUNDLE_DISABLE_VERSION_CHECK" => true, "BUNDLE_PREFER_PATCH" => false, "BUNDLE_REDIRECT" => 5, "BUNDLE_RETRY" => 3, "BUNDLE_TIMEOUT" => 10
    }.freeze

    def self.key_for(key)
      key = normalize_uri(key) if key.is_a?(String) && key.start_with?("http", "mirror.http")
      "BUNDLE_#{key.to_s.gsub(".", "__").gsub("-", "___").upcase}"
    end

    def self.normalize_uri(uri)
      before, address, after = uri.to_s.match(/\A(\w+\.)?(https?.*?)(\.fallback_timeout)?\z/i)&.captures || [nil, uri.to_s, nil]
      "#{before}#{address}#{"/" unless address.end_with?("/")}#{after}"
    end

    def initialize(root = nil)
      @root = root
      @temporary = {}
      @local_config = load_config(local_config_file)
      @env_config = ENV.to_h.select { |key, _| key.match?(/\ABUNDLE_.+/) }
      @global_config = load_config(global_config_file)
    end

    def [](name)
      key = key_for(name)
      converted(configs.each_value.map { |config| config[key] }.find { |value| !value.nil? }, name)
    end

    def set_local(name, value)
      file = local_config_file or raise GemfileNotFound, "Could not locate Gemfile"
      set(name, value, @local_config, file)
    end
    def set_global(name, value) = set(name, value, @global_config, global_config_file)
    def set_command_option(name, value) = set_local(name, value)
    def set_command_option_if_given(name, value) = value.nil? ? nil : set_command_option(name, value)

    # Until the block ends, or for good where there is none.
    def temporary(values)
      before = values.to_h { |name, _| [name, @temporary[key_for(name)]] }
      values.each { |name, value| set(name, value, @temporary) }
      return unless block_given?
      begin
        yield
      ensure
        before.each { |name, value| set(name, value, @temporary) }
      end
    end

    def all
      keys = [@temporary, @global_config, @local_config, @env_config].flat_map(&:keys).uniq
      keys.map { |key| key.delete_prefix("BUNDLE_").gsub("___", "-").gsub("__", ".").downcase }.sort
    end
    def local_overrides = all.grep(/\Alocal\./).to_h { |key| [key.delete_prefix("local."), self[key]] }
    def credentials_for(uri) = self[uri.to_s] || self[uri.host]
    def locations(name) = configs.transform_values { |config| config[key_for(name)] }.compact
    def app_cache_path = self[:cache_path] || "vendor/cache"
    def allow_sudo? = false
    def ignore_config? = ENV["BUNDLE_IGNORE_CONFIG"]
    def processor_count
      require "etc"
      Etc.nprocessors
    end
    def key_for(name) = self.class.key_for(name)

    def pretty_values_for(name)
      key = key_for(name)
      found = {
        "Set for the current command" => @temporary, "Set for your local app (#{local_config_file})" => @local_config, "Set via #{key}" => @env_config,
        "Set for the current user (#{global_config_file})" => @global_config
      }.filter_map { |place, config| "#{place}: #{printable(converted(config[key], name), name).inspect}" if config[key] }
      found.empty? ? ["You have not configured a value for `#{name}`"] : found
    end

    # Where gems go: what the first place says that says anything of it.
    def path
      configs.each_value do |config|
        path, system, apart, deployment = [:path, "path.system", :disable_shared_gems, :deployment].map { |name| converted(config[key_for(name)], name) }
        path ||= "vendor/bundle" if deployment
        return Path.new(path, system || apart == false) unless [path, system, apart].all?(&:nil?)
      end
      Path.new(nil, false)
    end

    Path = Struct.new(:explicit_path, :system_path) do
      def use_system_gems? = system_path || explicit_path.nil?
      def base_path = explicit_path || Gem.dir
      def path = use_system_gems? ? base_path : File.join(base_path, Bundler.ruby_scope)
      def validate!
        raise InvalidOption, "Using a custom path while using system gems is unsupported.\n" if explicit_path && system_path
      end
    end

    private

    def configs = { temporary: @temporary, local: @local_config, env: @env_config, global: @global_config, default: DEFAULT_CONFIG }

    def set(name, value, config, file = nil)
      value = Array(value).join(":").tr(" ", ":").then { |text| text unless text.empty? } if ARRAY_KEYS.include?(name.to_s)
      key = key_for(name)
      return if config[key] == value
      value.nil? ? config.delete(key) : config[key] = value
      write(file, config) if file
    end

    def write(file, config)
      require "fileutils"
      require "bundler/yaml_serializer"
      SharedHelpers.filesystem_access(file) do |path|
        FileUtils.mkdir_p(path.dirname)
        path.write(YAMLSerializer.dump(config))
      end
    end

    def converted(value, name)
      name = name.to_s
      return value.to_s.tr(" ", ":").split(":").map(&:to_sym) if ARRAY_KEYS.include?(name)
      return if value.nil?
      return !value.to_s.match?(/\A(false|f|no|n|0|)\z/i) if BOOL_KEYS.include?(name) || BOOL_KEYS.include?(name.split(".").first) || value == "false"
      NUMBER_KEYS.include?(name) ? value.to_i : value.to_s
    end

    # Passwords are not shown.
    def printable(value, name)
      return value unless value.is_a?(String) && !STRING_KEYS.include?(name.to_s) && !name.to_s.start_with?("local.", "mirror.", "build.")
      return "[REDACTED]" if name.to_s == "gem.push_key"
      user, password = value.split(":", 2)
      return value unless password
      password == "x-oauth-basic" ? "[REDACTED]:#{password}" : "#{user}:[REDACTED]"
    end

    def local_config_file = @root && Pathname.new(@root).join("config")
    def global_config_file
      named = ENV.values_at("BUNDLE_CONFIG", "BUNDLE_USER_CONFIG").find { |value| !value.to_s.empty? } and return Pathname.new(named)
      return Pathname.new(ENV["BUNDLE_USER_HOME"]).join("config") unless ENV["BUNDLE_USER_HOME"].to_s.empty?
      home = Bundler.rubygems.user_home.to_s
      Pathname.new(home).join(".bundle/config") unless home.empty?
    end

    def load_config(file)
      return {} if file.nil? || ignore_config?
      require "bundler/yaml_serializer"
      SharedHelpers.filesystem_access(file, :read) do |path|
        return {} unless path.file? && !path.empty?
        YAMLSerializer.load(path.read).transform_keys { |key| key.gsub("-", "___") }
      end
    end
  end
end
