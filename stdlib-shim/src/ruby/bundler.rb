# Bundler: the gems that a program's Gemfile names, as far as they are installed. Nothing is fetched or installed from here.
require "fileutils"
require "pathname"
require "rbconfig"
require "bundler/errors"
require "bundler/environment_preserver"
require "bundler/version"
require "bundler/constants"
require "bundler/rubygems_integration"
require "bundler/rubygems_ext"
require "bundler/current_ruby"
require "bundler/shared_helpers"

module Bundler
  preserver = EnvironmentPreserver.from_env
  ORIGINAL_ENV = preserver.restore
  preserver.replace_with_backup

  {
    Definition: "definition", Dependency: "dependency", Dsl: "dsl", GemHelper: "gem_helper", Index: "index", LazySpecification: "lazy_specification", LockfileGenerator: "lockfile_generator",
    LockfileParser: "lockfile_parser", Resolver: "resolver", RubyDsl: "ruby_dsl", RubyVersion: "ruby_version", Runtime: "runtime", Settings: "settings", Source: "source", SourceList: "source_list",
    SpecSet: "spec_set", UI: "ui", YAMLSerializer: "yaml_serializer", FriendlyErrors: "friendly_errors"
  }.each { |name, file| autoload(name, "bundler/#{file}") }

  class << self
    attr_writer :ui, :settings, :root, :bundle_path

    def ui = @ui ||= UI::Shell.new

    # Makes the gems of these groups loadable, all groups' where none is named.
    def setup(*groups)
      return @setup if @setup
      definition.validate_runtime!
      SharedHelpers.print_major_deprecations!
      groups.empty? ? @setup = load.setup : load.setup(*groups)
    end

    # The same, and loads them.
    def require(*groups) = setup(*groups).require(*groups)
    def load = @load ||= Runtime.new(root, definition)
    def environment
      SharedHelpers.major_deprecation(2, "Bundler.environment has been removed in favor of Bundler.load", print_caller_location: true)
      load
    end

    def definition(unlock = nil)
      @definition = nil if unlock
      @definition ||= begin
        configure
        Definition.build(default_gemfile, default_lockfile, unlock)
      end
    end

    def locked_gems = @locked_gems ||= @definition ? @definition.locked_gems : (LockfileParser.new(read_file(default_lockfile)) if default_lockfile.file?)
    def most_specific_locked_platform?(platform) = !@definition.nil? && @definition.most_specific_locked_platform == platform
    def frozen_bundle? = settings[:deployment] || settings[:frozen]
    def local_platform = settings[:force_ruby_platform] || Gem.platforms == [Gem::Platform::RUBY] ? Gem::Platform::RUBY : Gem::Platform.local

    def settings
      @settings ||= begin
        Settings.new(app_config_path)
      rescue GemfileNotFound
        Settings.new(Pathname.new(".bundle").expand_path)
      end
    end

    # Gems are looked for where the bundle has its own, too.
    def configure = @configured ||= configure_gem_home_and_path
    def configure_gem_home_and_path(path = bundle_path)
      return true if use_system_gems?
      SharedHelpers.set_env("GEM_HOME", path.to_s)
      Gem.use_paths(path.to_s, path.to_s, *Gem.extra_folders)
      true
    end

    def reset!
      reset_paths!
      rubygems.reset
      @rubygems = nil
    end
    def reset_paths!
      @bin_path = @bundle_path = @configured = @configured_bundle_path = @definition = @load = @locked_gems = @root = @settings = @setup = @user_home = nil
    end
    def reset_settings_and_root! = @settings = @root = nil
    def requires_sudo? = false

    # Ends the program with the message and the status of what goes wrong.
    def with_friendly_errors(&block) = FriendlyErrors.guard(&block)
  end
end

require "bundler/environment"
require "bundler/gemspecs"
require "bundler/paths"
