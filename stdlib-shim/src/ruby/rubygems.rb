# Versions, requirements and dependencies of gems, and what is known of those installed.
module Gem
  VERSION = "3.3.15"

  class Exception < RuntimeError; end
  class InstallError < Exception; end
  class FormatException < Exception; end
  class GemNotFoundException < Exception; end
  class InvalidSpecificationException < Exception; end

  %i[
    CommandLineError UnknownCommandError DependencyError DependencyRemovalException DependencyResolutionError GemNotInHomeException
    DocumentError EndOfYAMLException FilePermissionError SpecificGemNotFoundException ImpossibleDependenciesError RuntimeRequirementNotMetError
    OperationNotSupportedError RemoteError RemoteInstallationCancelled RemoteInstallationSkipped RemoteSourceException RubyVersionMismatch
    VerificationError SystemExitException UninstallError UnsatisfiableDependencyError UnsatisfiableDepedencyError
  ].each { |name| autoload(name, "rubygems/exceptions") }
  %i[RemoteFetcher Util Text].each { |name| autoload(name, "rubygems/remote_fetcher") }
  %i[ConfigFile Source SourceList].each { |name| autoload(name, "rubygems/config_file") }
  %i[DefaultUserInteraction UserInteraction StreamUI ConsoleUI SilentUI].each { |name| autoload(name, "rubygems/user_interaction") }
  RubyGemsVersion = VERSION
  RUBYGEMS_DIR = RbConfig::CONFIG["rubylibdir"].freeze
  DEFAULT_HOST = "https://rubygems.org"
  MARSHAL_SPEC_DIR = "quick/Marshal.4.8/"
  REPOSITORY_SUBDIRECTORIES = %w[build_info cache doc extensions gems plugins specifications].freeze
  REPOSITORY_DEFAULT_GEM_SUBDIRECTORIES = %w[gems specifications/default].freeze
  WIN_PATTERNS = [/bccwin/i, /cygwin/i, /djgpp/i, /mingw/i, /mswin/i, /wince/i].freeze
  GEM_DEP_FILES = %w[gem.deps.rb gems.rb Gemfile Isolate].freeze

  class LoadError < ::LoadError
    attr_accessor :name, :requirement
  end

  class MissingSpecError < LoadError
    def initialize(name, requirement, extra = nil)
      super()
      @name, @requirement, @extra_message = name, requirement, extra
    end
    def message = "#{build_message}Checked in 'GEM_PATH=#{Gem.path.join(":")}' #{@extra_message}, execute `gem env` for more information"

    private

    def build_message = "Could not find '#{name}' (#{requirement}) among #{Specification.all.size} total gem(s)\n"
  end

  class MissingSpecVersionError < MissingSpecError
    attr_reader :specs
    def initialize(name, requirement, specs)
      super(name, requirement)
      @specs = specs
    end

    private

    def build_message = "Could not find '#{name}' (#{requirement}) - did find: [#{specs.map(&:full_name).join(",")}]\n"
  end

  class ConflictError < LoadError
    attr_reader :target, :conflicts
    def initialize(target, conflicts)
      @target, @conflicts = target, conflicts
      @name = target.name
      reasons = conflicts.map { |active, dependencies| "#{active.full_name} conflicts with #{dependencies.join(", ")}" }
      super("Unable to activate #{target.full_name}, because #{reasons.join(" and ")}")
    end
  end

  # Marks methods as old: they work, and say so.
  module Deprecate
    @skip = false

    def deprecate(name, instead, year, month)
      Deprecate.mark(self, name, instead, format("on or after %4d-%02d", year, month))
    end
    def rubygems_deprecate(name, instead = :none) = Deprecate.mark(self, name, instead, "in Rubygems 4")
    module_function :deprecate, :rubygems_deprecate

    class << self
      attr_writer :skip
      def skip = @skip
      def mark(owner, name, instead, time)
        owner.class_eval do
          old = instance_method(name)
          define_method(name) do |*args, **options, &block|
            target = is_a?(Module) ? "#{self}." : "#{self.class}#"
            text = "NOTE: #{target}#{name} is deprecated#{instead == :none ? " with no replacement" : "; use #{instead} instead"}. It will be removed #{time}."
            warn "#{text}\n#{target}#{name} called from #{Gem.location_of_caller.join(":")}." unless Deprecate.skip
            old.bind_call(self, *args, **options, &block)
          end
        end
      end
      def skip_during
        before, @skip = @skip, true
        yield
      ensure
        @skip = before
      end
    end
  end

  class Version
    include Comparable
    VERSION_PATTERN = '[0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?'
    ANCHORED_VERSION_PATTERN = /\A\s*(#{VERSION_PATTERN})?\s*\z/
    @made = {}

    class << self
      def new(version) = equal?(Version) ? @made[version] ||= super : super
      def create(input) = input.is_a?(self) ? input : (new(input) unless input.nil?)
      def correct?(version)
        warn "nil versions are discouraged and will be deprecated in Rubygems 4" if version.nil? && !Deprecate.skip
        ANCHORED_VERSION_PATTERN.match?(version.to_s)
      end
    end

    def initialize(version)
      raise ArgumentError, "Malformed version number string #{version}" unless self.class.correct?(version)
      version = 0 if version.is_a?(String) && version.strip.empty?
      @version = -version.to_s.strip.gsub("-", ".pre.")
      @segments = nil
    end

    attr_reader :version
    alias to_s version
    def inspect = "#<#{self.class} #{version.inspect}>"
    def pretty_print(out) = out.text("Gem::Version.new(#{version.inspect})")
    def prerelease? = @version.match?(/[a-zA-Z]/)
    def segments = _segments.dup
    def hash = canonical_segments.hash
    def eql?(other) = self.class === other && @version == other._version
    def release = prerelease? ? self.class.new(_segments.take_while { |part| part.is_a?(Integer) }.join(".")) : self

    def freeze
      _segments
      super
    end

    def bump
      parts = segments
      parts.pop while parts.any? { |part| part.is_a?(String) }
      parts.pop if parts.size > 1
      parts[-1] = parts[-1].succ
      self.class.new(parts.join("."))
    end

    def approximate_recommendation
      parts = segments
      parts.pop while parts.any? { |part| part.is_a?(String) }
      parts.pop while parts.size > 2
      parts.push(0) while parts.size < 2
      "~> #{parts.join(".")}#{".a" if prerelease?}"
    end

    def canonical_segments
      _split_segments.flat_map { |parts| parts.reverse.drop_while { |part| part == 0 }.reverse }
    end

    def <=>(other)
      return self <=> self.class.new(other) if other.is_a?(String) && self.class.correct?(other)
      return nil unless other.is_a?(Version)
      return 0 if @version == other._version
      mine, theirs = canonical_segments, other.canonical_segments
      [mine.size, theirs.size].max.times do |index|
        left, right = mine[index] || 0, theirs[index] || 0
        next if left == right
        return -1 if left.is_a?(String) && right.is_a?(Integer)
        return 1 if left.is_a?(Integer) && right.is_a?(String)
        return left <=> right
      end
      0
    end

    def marshal_dump = [version]
    def marshal_load(array)
      raise TypeError, "wrong string" unless array[0].is_a?(String)
      initialize(array[0])
    end
    def encode_with(coder) = coder.add("version", @version)
    def init_with(coder) = initialize(coder.map["version"])
    def yaml_initialize(_tag, map)
      @version = map["version"]
      @segments = nil
    end
    def to_yaml_properties = ["@version"]

    protected

    def _version = @version
    def _segments = @segments ||= @version.scan(/[0-9]+|[a-z]+/i).map { |part| part.match?(/\A\d+\z/) ? part.to_i : part }.freeze
    def _split_segments
      numbers = _segments.take_while { |part| part.is_a?(Integer) }
      [numbers, _segments.drop(numbers.size)]
    end
  end
end

module Gem
  {
    Dependency: "dependency", Platform: "platform", Package: "package",
    ExtensionError: "specification", BasicSpecification: "basic_specification", Specification: "specification", StubSpecification: "stub_specification",
    SpecFetcher: "spec_fetcher", NameTuple: "spec_fetcher", PathSupport: "path_support", AvailableSet: "available_set", DependencyList: "dependency_list",
    DependencyInstaller: "dependency_installer", Installer: "installer", InstallerUninstallerUtils: "installer_uninstaller_utils", Uninstaller: "uninstaller",
    RequestSet: "request_set", Resolver: "resolver", Security: "security", Ext: "ext", Uri: "uri", SourceFetchProblem: "spec_fetcher"
  }.each { |name, file| autoload(name, "rubygems/#{file}") }

  class << self
    # Made when they are asked for.
    %i[configuration configuration= default_sources sources sources=].each do |name|
      define_method(name) do |*arguments|
        require "rubygems/config_file"
        __send__(name, *arguments)
      end
    end

    def ruby_version = Version.new(RUBY_VERSION)
    def rubygems_version = Version.new(VERSION)
    def ruby_api_version = "#{RUBY_VERSION[/\A\d+\.\d+/]}.0"
    def extension_api_version = ruby_api_version
    def user_dir = File.join(ENV["HOME"] || "/", ".local/share/gem/ruby/#{ruby_api_version}")
    def user_home = ENV["HOME"] || "/"
    def data_home = ENV["XDG_DATA_HOME"] || File.join(user_home, ".local", "share")
    # Where the user's key and certificate for signing gems are.
    def default_key_path = own_file("gem-private_key.pem")
    def default_cert_path = own_file("gem-public_cert.pem")
    # A file where users of old have it, if it is there, else where one is made.
    private def own_file(name)
      old = File.join(user_home, ".gem", name)
      File.exist?(old) ? old : File.join(data_home, "gem", name)
    end
    def location_of_caller(depth = 1) = caller[depth].to_s.match(/\A(.*?):(\d+)/).then { |found| found ? [found[1], found[2].to_i] : ["", 0] }
    def win_platform? = false
    def java_platform? = false
    attr_writer :platforms
    def platforms
      @platforms = [Platform::RUBY, Platform.local] if @platforms.nil? || @platforms.empty?
      @platforms
    end
    def ruby = RbConfig.ruby
    def ruby_engine = RUBY_ENGINE
    def suffixes = ["", ".rb", ".so"]
    def suffix_pattern = "{#{suffixes.join(",")}}"
    def suffix_regexp = /#{Regexp.union(suffixes)}\z/
    def plugin_suffix_pattern = "_plugin#{suffix_pattern}"
    def plugin_suffix_regexp = /_plugin#{suffix_regexp}\z/
    def path_separator = File::PATH_SEPARATOR
    def binary_mode = "rb"
    def marshal_version = "#{Marshal::MAJOR_VERSION}.#{Marshal::MINOR_VERSION}"
    def add_to_load_path(*paths) = $LOAD_PATH.unshift(*paths)
    def solaris_platform? = nil
    attr_reader :gemdeps
    attr_accessor :disable_system_update_message

    def open_file(path, flags, &block) = File.open(path, flags, &block)
    def read_binary(path) = File.binread(path)
    def write_binary(path, data) = File.binwrite(path, data)
    def source_date_epoch_string = ENV["SOURCE_DATE_EPOCH"] || (@default_source_date_epoch ||= Time.now.to_i.to_s)
    def source_date_epoch = Time.at(source_date_epoch_string.to_i).utc.freeze

    # What plug-ins want to be called for.
    %i[pre_install post_build post_install pre_uninstall post_uninstall pre_reset post_reset done_installing].each do |name|
      hooks = []
      define_method(:"#{name}_hooks") { hooks }
      define_method(name) { |&hook| hooks << hook }
    end

    def host = DEFAULT_HOST
  end
end

require "rubygems/version"
require "rubygems/requirement"
require "rubygems/installed"
