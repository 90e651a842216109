# Where the Gemfile is, and what else every part of Bundler needs.
require "pathname"
require "rbconfig"
require "bundler/version"
require "bundler/constants"
require "bundler/errors"
require "bundler/rubygems_integration"
require "bundler/current_ruby"

module Bundler
  autoload :EnvironmentPreserver, "bundler/environment_preserver"

  module SharedHelpers
    extend self
    GEMFILE_NAMES = %w[gems.rb Gemfile].freeze
    private_constant :GEMFILE_NAMES

    # What the system says of a file, and what is raised in its place.
    REFUSALS = { Errno::EACCES => :PermissionError, Errno::EAGAIN => :TemporaryResourceError, Errno::ENOSPC => :NoSpaceOnDeviceError, Errno::ENOTSUP => :OperationNotSupportedError }.freeze
    private_constant :REFUSALS

    def root = default_gemfile.parent
    def default_gemfile
      found = find_gemfile or raise GemfileNotFound, "Could not locate Gemfile"
      Pathname.new(found).expand_path
    end
    def default_lockfile
      gemfile = default_gemfile
      gemfile.basename.to_s == "gems.rb" ? gemfile.sub_ext(".locked") : Pathname.new("#{gemfile}.lock")
    end
    def default_bundle_dir
      found = search_up(".bundle") { |path| File.directory?(path) }
      Pathname.new(found) if found && Pathname.new(found) != Bundler.user_home.join(".bundle")
    end

    def in_bundle? = find_gemfile
    def chdir(folder, &block) = Bundler.rubygems.ext_lock.synchronize { Dir.chdir(folder, &block) }
    def pwd = Bundler.rubygems.ext_lock.synchronize { Pathname.pwd }

    def with_clean_git_env
      kept = %w[GIT_DIR GIT_WORK_TREE].to_h { |key| [key, ENV.delete(key)] }
      yield
    ensure
      ENV.update(kept)
    end

    # So that what is started from here finds the same gems.
    def set_bundle_environment
      set_env("BUNDLE_BIN_PATH", File.join(RbConfig::CONFIG["bindir"].to_s, "bundle"))
      set_env("BUNDLE_GEMFILE", find_gemfile.to_s)
      set_env("BUNDLER_VERSION", VERSION)
      set_env("PATH", ["#{Bundler.bundle_path}/bin", *ENV["PATH"].to_s.split(File::PATH_SEPARATOR)].uniq.join(File::PATH_SEPARATOR))
      options = ENV["RUBYOPT"].to_s
      set_env("RUBYOPT", "-rbundler/setup #{options}".strip) unless options.split.include?("-rbundler/setup")
    end

    def set_env(key, value)
      raise ArgumentError, "new key #{key}" unless EnvironmentPreserver::BUNDLER_KEYS.include?(key)
      ENV["#{EnvironmentPreserver::BUNDLER_PREFIX}#{key}"] ||= ENV[key] || EnvironmentPreserver::INTENTIONALLY_NIL
      ENV[key] = value
    end

    def filesystem_access(path, action = :write)
      yield path.dup
    rescue *REFUSALS.keys => error
      _, name = REFUSALS.find { |kind, _| error.is_a?(kind) }
      raise Bundler.const_get(name).new(path, action)
    rescue Errno::EPROTO
      raise VirtualProtocolError
    rescue Errno::EEXIST, Errno::ENOENT
      raise
    rescue SystemCallError => error
      raise GenericSystemCallError.new(error, "There was an error accessing `#{path}`.")
    end

    # Says once that something is old; from the given version on it is refused.
    def major_deprecation(version, message, print_caller_location: false)
      if print_caller_location
        place = caller_locations(2, 1).first
        message = "#{message} (called at #{place.path}:#{place.lineno})"
      end
      raise DeprecatedError, "[REMOVED] #{message}" if Bundler.bundler_major_version > version
      Bundler.ui.warn("[DEPRECATED] #{message}") if Bundler.bundler_major_version == version && prints_major_deprecations?
    end

    def print_major_deprecations!
      found = search_up(*GEMFILE_NAMES) { |path| File.file?(path) } or return
      return unless GEMFILE_NAMES.all? { |name| File.file?(File.join(File.dirname(found), name)) }
      Bundler.ui.warn "Multiple gemfiles (gems.rb and Gemfile) detected. Make sure you remove Gemfile and Gemfile.lock since bundler is ignoring them in favor of gems.rb and gems.locked."
    end

    def pretty_dependency(dependency, print_source = false)
      text = dependency.name.dup
      text << " (#{dependency.requirement})" unless dependency.requirement == Gem::Requirement.default
      platforms = dependency.is_a?(Dependency) ? dependency.platforms.join(", ") : ""
      text << " #{platforms}" unless platforms.empty? || platforms == Gem::Platform::RUBY
      text << " from the `#{dependency.source}` source" if print_source && dependency.source
      text
    end

    def md5_available? = true
    def digest(name)
      Kernel.require "digest"
      ::Digest.const_get(name)
    end
    def write_to_gemfile(path, contents) = filesystem_access(path) { |name| File.write(name, "#{contents.chomp}\n") }

    private

    def find_gemfile
      given = ENV["BUNDLE_GEMFILE"].to_s
      given.empty? ? search_up(*GEMFILE_NAMES) { |path| File.file?(path) } : given
    end

    # The nearest of these names that will do, from the working directory upwards.
    def search_up(*names, &block)
      pwd.ascend.lazy.flat_map { |folder| names.map { |name| folder.join(name).to_s } }.find(&block)
    end

    def prints_major_deprecations? = !Bundler.settings[:silence_deprecations] && !Deprecate.skip
  end

  # Old methods of Bundler itself.
  module Deprecate
    class << self
      attr_accessor :skip
      def skip_during
        before, self.skip = skip, true
        yield
      ensure
        self.skip = before
      end
    end
  end
end
