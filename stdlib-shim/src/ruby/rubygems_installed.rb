# Gems of pure Ruby: found in GEM_PATH, in vendor/gems, in what `--gem-path` names and in rchef's own gem home; `.gem` archives are unpacked there.
# A gem with a compiled extension is refused by name.
require "rubygems/native"

module Gem
  # Gems that a library of rchef is in place of: the version that Ruby 3.1 or Chef 18 comes with; for others than Ruby's own, what is required.
  PROVIDED = [
    *{
      "abbrev" => "0.1.0", "base64" => "0.1.1", "benchmark" => "0.2.0", "bigdecimal" => "3.1.1", "bundler" => "2.3.15", "cgi" => "0.3.1", "csv" => "3.2.2",
      "date" => "3.2.2", "delegate" => "0.2.0", "did_you_mean" => "1.6.1", "digest" => "3.1.0", "drb" => "2.1.0", "english" => "0.7.1", "erb" => "2.2.3",
      "error_highlight" => "0.3.0", "etc" => "1.3.0", "fcntl" => "1.0.1", "fileutils" => "1.6.0", "find" => "0.1.1", "forwardable" => "1.3.2",
      "getoptlong" => "0.1.1", "io-console" => "0.5.11", "io-nonblock" => "0.1.0", "io-wait" => "0.2.1", "ipaddr" => "1.2.4", "irb" => "1.4.1", "json" => "2.6.1",
      "logger" => "1.5.0", "matrix" => "0.4.2", "mutex_m" => "0.1.1", "net-http" => "0.2.0", "net-protocol" => "0.1.2", "nkf" => "0.1.1", "observer" => "0.1.1",
      "open-uri" => "0.2.0", "open3" => "0.1.1", "openssl" => "3.0.0", "optparse" => "0.2.0", "ostruct" => "0.5.2", "pathname" => "0.2.0", "pp" => "0.3.0",
      "prettyprint" => "0.1.1", "prime" => "0.1.2", "pstore" => "0.1.1", "psych" => "4.0.3", "racc" => "1.6.0", "rdoc" => "6.4.1.1", "readline" => "0.0.3", "reline" => "0.3.0",
      "resolv" => "0.2.1", "resolv-replace" => "0.1.0", "ruby2_keywords" => "0.0.5", "securerandom" => "0.1.1", "set" => "1.0.2", "shellwords" => "0.1.0",
      "singleton" => "0.1.1", "stringio" => "3.0.1", "strscan" => "3.0.1", "syslog" => "0.1.0", "tempfile" => "0.1.2", "time" => "0.2.0", "timeout" => "0.2.0",
      "tmpdir" => "0.1.2", "tsort" => "0.1.0", "uri" => "0.11.0", "weakref" => "0.1.1", "yaml" => "0.2.0", "zlib" => "2.1.1"
    }.to_a,
    ["net-ftp", "0.1.3", "net/ftp"], ["net-imap", "0.2.3", "net/imap"], ["net-pop", "0.1.1", "net/pop"], ["net-smtp", "0.3.1", "net/smtp"], ["rexml", "3.2.5", "rexml/document"], ["rinda", "0.1.1", "rinda/rinda"], ["addressable", "2.8.6", "addressable/uri"], ["erubis", "2.7.0", "erubis"], ["hashie", "4.1.0", "hashie"],
    ["iniparse", "1.5.0", "iniparse"], ["mixlib-cli", "2.1.8", "mixlib/cli"], ["mixlib-config", "3.0.27", "mixlib/config"], ["mixlib-log", "3.0.9", "mixlib/log"], ["mixlib-shellout", "3.2.7", "mixlib/shellout"],
    ["mixlib-versioning", "1.2.12", "mixlib/versioning"], ["plist", "3.7.1", "plist"], ["rest-client", "2.1.0", "rest-client"], ["tomlrb", "1.3.0", "tomlrb"],
    ["chef-vault", "4.1.11", "chef-vault"], ["deep_merge", "1.2.2", "deep_merge"], ["deepsort", "0.4.5", "deepsort"], ["inifile", "3.0.0", "inifile"], ["toml", "0.3.0", "toml"],
    ["toml-rb", "2.2.0", "toml-rb"], ["ohai", "18.1.18", "ohai"], ["ffi", "1.16.3", "ffi"], ["ffi-yajl", "2.7.11", "ffi_yajl"],
    ["mixlib-authentication", "3.0.10", "mixlib/authentication"]
  ].freeze

  # The gems of Chef itself, which are loaded from the start where it runs, with what they depend on; all have its version.
  CHEF = {
    "chef" => {
      "train-core" => ["~> 3.13", ">= 3.13.4"], "train-winrm" => "~> 0.4.0", "train-rest" => ">= 0.4.1", "license-acceptance" => [">= 1.0.5", "< 3"],
      "mixlib-cli" => [">= 2.1.1", "< 3.0"], "mixlib-log" => [">= 2.0.3", "< 3.2"], "mixlib-authentication" => [">= 2.1", "< 4"], "mixlib-shellout" => [">= 3.1.1", "< 4.0"],
      "mixlib-archive" => [">= 0.4", "< 2.0"], "ohai" => "~> 18.0", "inspec-core" => [">= 5", "< 8"], "ffi" => [">= 1.15.5", "< 1.18.0"], "ffi-yajl" => [">= 2.2", "!= 3.0.0", "< 4.0"],
      "net-sftp" => [">= 2.1.2", "< 5.0"], "net-ftp" => ">= 0", "erubis" => "~> 2.7", "diff-lcs" => [">= 1.2.4", "!= 1.4.0", "< 2.1.0"], "ffi-libarchive" => ["~> 1.0", ">= 1.0.3"],
      "chef-zero" => "~> 15.1.11", "chef-vault" => ">= 0", "plist" => "~> 3.2", "iniparse" => "~> 1.4", "addressable" => ">= 0", "syslog-logger" => "~> 1.6",
      "uuidtools" => [">= 2.1.5", "< 4.0"], "unf_ext" => [">= 0.0.8.2", "< 0.0.10.0"], "uri" => [">= 1.0.4", "< 1.2.0"], "corefoundation" => "~> 0.3.4", "proxifier2" => "~> 1.1",
      "aws-sdk-s3" => [">= 1.218.0", "< 1.219.0"], "aws-sdk-secretsmanager" => "~> 1.46", "vault" => [">= 0.18.2", "< 0.21.0"]
    },
    "chef-config" => {
      "mixlib-shellout" => [">= 2.0", "< 4.0"], "mixlib-config" => [">= 2.2.12", "< 4.0"], "fuzzyurl" => ">= 0", "addressable" => ">= 0", "tomlrb" => "~> 1.2"
    },
    "chef-utils" => { "concurrent-ruby" => ">= 0" }
  }.freeze
  # Which of them depend on which, at their own version.
  CHEF_AMONG = { "chef" => %w(chef-config chef-utils), "chef-config" => %w(chef-utils), "chef-utils" => [] }.freeze
  private_constant :CHEF, :CHEF_AMONG

  class << self
    attr_writer :extra_folders

    # Specifications of Chef's own gems; none outside of Chef.
    def chef_specs
      return [] unless defined?(::Chef::VERSION)

      @chef_specs ||= CHEF.map do |name, needed|
        Specification.new(name, ::Chef::VERSION.to_s).tap do |spec|
          spec.stand_in = "chef"
          CHEF_AMONG[name].each { |other| spec.add_dependency(other, "= #{::Chef::VERSION}") }
          needed.each { |other, requirements| spec.add_dependency(other, *requirements) }
        end
      end
    end

    # Where unpacked archives go.
    def home = Native.home
    alias default_dir home
    # The folder where gems are installed, and all that gems are in: those of the environment, or what `paths=` has chosen. Found once, until `refresh`: code
    # appends to the list.
    def paths = @paths ||= PathSupport.new(ENV.to_h.merge("GEM_HOME" => home).merge(@chosen.to_h))
    def dir = paths.home
    def path = paths.path
    def default_path = [user_dir, home].select { |folder| File.directory?(folder) }
    def spec_cache_dir = paths.spec_cache_dir
    def folders = [*extra_folders, *(path - [dir]), File.join(Dir.pwd, "vendor", "gems"), dir].uniq.select { |path| File.exist?(path) }
    def extra_folders = @extra_folders ||= Gem::Native.folders
    def loaded_specs
      @loaded_specs ||= begin
        needed = chef_specs.flat_map { |spec| spec.dependencies.map(&:name) }
        (chef_specs + Specification.stand_ins(needed)).to_h { |spec| [spec.name, spec] }
      end
    end
    def paths=(environment)
      clear_paths
      @chosen = environment.to_h.slice("GEM_HOME", "GEM_PATH", "GEM_SPEC_CACHE").compact.transform_values { |value| value.is_a?(Array) ? value.join(path_separator) : value }
    end
    def use_paths(home, *paths)
      @extra_folders = paths.flatten.compact
      [*@extra_folders, *home].each { |path| Native.add(path) }
      self.paths = { "GEM_HOME" => home, "GEM_PATH" => @extra_folders.empty? ? home : @extra_folders.join(path_separator) }.compact
    end
    def clear_paths
      @chosen = nil
      refresh
    end
    def refresh
      @paths = nil
      Specification.reset
    end
    def bindir(folder = dir) = File.join(folder, "bin")
    def default_bindir = RbConfig::CONFIG["bindir"]
    def plugindir(folder = dir) = File.join(folder, "plugins")
    # What the name of a program becomes with `--format-executable`.
    def default_exec_format = RbConfig::CONFIG["ruby_install_name"].sub("ruby", "%s")
    def gem_path = path
    def ensure_gem_subdirectories(folder = dir, mode = nil) = ensure_subdirectories(folder, mode, REPOSITORY_SUBDIRECTORIES)
    def ensure_default_gem_subdirectories(folder = dir, mode = nil) = ensure_subdirectories(folder, mode, REPOSITORY_DEFAULT_GEM_SUBDIRECTORIES)
    # What cannot be made is told where it is needed.
    def ensure_subdirectories(folder, mode, names)
      require "fileutils"
      umask = File.umask
      File.umask(umask | 0o002)
      names.each { |name| FileUtils.mkdir_p(File.join(folder, name), mode: mode) }
    rescue SystemCallError
      nil
    ensure
      File.umask(umask)
    end
    # Where a gem's folders go in `$LOAD_PATH`: after all others.
    def load_path_insert_index = $LOAD_PATH.size
    def default_specifications_dir = File.join(home, "specifications", "default")
    def datadir(name) = loaded_specs[name]&.then { |spec| File.join(spec.full_gem_path, "data", name) }
    def env_requirement(name) = Requirement.create(ENV[name] || ">= 0")
    def finish_resolve(*) = []
    # Programs that RubyGems has made ask for this; Bundler is what reads files of dependencies here.
    def use_gemdeps(path = ENV["RUBYGEMS_GEMDEPS"])
      raise OperationNotSupportedError, "#{path} is not read here: use Bundler" unless path.to_s.empty?
    end
    def latest_spec_for(name) = SpecFetcher.fetcher.detect(:latest) { |tuple| tuple.name == name }.map { |tuple, source| source.fetch_spec(tuple) }.last
    def latest_version_for(name) = latest_spec_for(name)&.version

    # Files below `$LOAD_PATH`, and in the gems that there are.
    def find_files(pattern, check_load_path = true)
      found = check_load_path ? find_files_from_load_path(pattern) : []
      found.concat(Specification.installed.reject(&:package).uniq(&:name).flat_map { |spec| spec.matches_for_glob("#{pattern}{,.rb}") })
      found.select { |path| File.file?(path) }.uniq
    end
    alias find_latest_files find_files
    def find_files_from_load_path(pattern) = $LOAD_PATH.flat_map { |folder| Dir.glob(File.expand_path("#{pattern}{,.rb}", folder)) }.select { |path| File.file?(path) }

    # Files that gems have for the `gem` command; one that cannot be loaded is told, and left out. They are looked for in the gems themselves: those that were
    # unpacked without an installer have none among the plug-ins of the folder.
    def load_plugin_files(paths)
      paths.each do |path|
        load(path)
      rescue ::Exception => error
        warn("Error loading RubyGems plugin #{path.inspect}: #{error.message} (#{error.class})")
      end
    end
    def load_plugins = load_plugin_files(find_files("rubygems_plugin", false))
    def load_env_plugins = load_plugin_files(find_files_from_load_path("rubygems_plugin"))

    def bin_path(name, executable = nil, *requirements) = program(name, executable, requirements).last
    # The same, with the gem's files visible to `require`.
    def activate_bin_path(name, executable = nil, *requirements)
      spec, path = program(name, executable, requirements)
      spec.activate
      path
    end
    private def program(name, executable, requirements)
      spec = Specification.find_all_by_name(name, *requirements).find { |each| each.executables.include?(executable || each.executables.first) }
      raise GemNotFoundException, "can't find gem #{Dependency.new(name, *requirements)} with executable #{executable}" unless spec
      [spec, spec.bin_file(executable || spec.executables.first)]
    end

    # Makes the gem that holds a feature visible to `require`; false where none does.
    def try_activate(feature)
      spec = Specification.find_by_path(feature)
      return spec.activate if spec
      _, error = Specification.refused.find { |name, _| [name, name.tr("-", "/")].any? { |each| feature == each || feature.start_with?("#{each}/") } }
      raise LoadError, error.message if error
      false
    end
    # What Kernel#gem does.
    def __gem(name, *requirements)
      dependency = name.is_a?(Gem::Dependency) ? name : Gem::Dependency.new(name, *requirements)
      loaded = Gem.loaded_specs[dependency.name]
      return false if loaded && dependency.matches_spec?(loaded)

      dependency.to_spec.activate
    end
    # Installs a gem with what it needs.
    def install(name, version = Requirement.default, *options)
      installer = DependencyInstaller.new(*options)
      installer.install(name, version)
      installer.installed_gems
    end
  end
end
