# RubyGems' settings, and the places that gems come from.
require "rubygems/user_interaction"
require "rubygems"
require "rubygems/exceptions"
require "uri"

module Gem
  # What gemrc files and the command line say.
  class ConfigFile
    DEFAULT_BACKTRACE = false
    DEFAULT_BULK_THRESHOLD = 1000
    DEFAULT_VERBOSITY = true
    DEFAULT_UPDATE_SOURCES = true
    DEFAULT_CONCURRENT_DOWNLOADS = 8
    DEFAULT_CERT_EXPIRATION_LENGTH_DAYS = 365
    DEFAULT_IPV4_FALLBACK_ENABLED = false
    OPERATING_SYSTEM_DEFAULTS = {}
    PLATFORM_DEFAULTS = {}
    SYSTEM_CONFIG_PATH = "/etc"
    SYSTEM_WIDE_CONFIG_FILE = File.join(SYSTEM_CONFIG_PATH, "gemrc")
    SETTINGS = %i[backtrace bulk_threshold verbose update_sources concurrent_downloads cert_expiration_length_days ipv4_fallback_enabled disable_default_gem_server
                  sources ssl_verify_mode ssl_ca_cert ssl_client_cert].freeze
    private_constant :SETTINGS

    attr_reader :args, :ssl_verify_mode, :ssl_client_cert
    attr_accessor :path, :home, :ssl_ca_cert, :bulk_threshold, :verbose, :update_sources, :concurrent_downloads, :cert_expiration_length_days,
                  :ipv4_fallback_enabled, :disable_default_gem_server, :sources
    attr_writer :backtrace

    def initialize(args)
      set_defaults
      handle_arguments(args)
      @hash = [SYSTEM_WIDE_CONFIG_FILE, *ENV["GEMRC"].to_s.split(File::PATH_SEPARATOR), config_file_name]
              .map { |file| load_file(file) }.inject({}) { |found, given| found.merge(given) }
      SETTINGS.each do |name|
        value = @hash.key?(name) ? @hash[name] : @hash[name.to_s]
        instance_variable_set("@#{name}", value) unless value.nil?
      end
      @path = @hash[:gempath] if @hash.key?(:gempath)
      @home = @hash[:gemhome] if @hash.key?(:gemhome)
    end

    def hash = @hash
    def [](key) = @hash[key.to_s]
    def []=(key, value)
      @hash[key.to_s] = value
    end
    def ==(other) = self.class === other && backtrace == other.backtrace && bulk_threshold == other.bulk_threshold && verbose == other.verbose && hash == other.hash
    def each(&)
      { "update_sources" => update_sources, "verbose" => verbose, "backtrace" => backtrace, "bulk_threshold" => bulk_threshold }.merge(@hash).each(&)
    end

    def backtrace = @backtrace || $DEBUG
    def really_verbose = !!(verbose && verbose != true && verbose != :quiet)
    def config_file_name
      return @config_file_name if @config_file_name
      old = File.join(Dir.home, ".gemrc")
      File.exist?(old) ? old : File.join(ENV["XDG_CONFIG_HOME"] || File.join(Dir.home, ".config"), "gem", "gemrc")
    end

    # The settings of a file; none if there is no such file, or nothing in it that can be read.
    def load_file(file)
      return {} unless file && !file.empty? && File.exist?(file)
      require "yaml"
      content = YAML.load(File.read(file))
      return content if content.is_a?(Hash)
      warn "Failed to load #{file} because it doesn't contain valid YAML hash"
      {}
    rescue Psych::SyntaxError, ArgumentError, SystemCallError => error
      warn "Failed to load #{file}, #{error}"
      {}
    end

    def handle_arguments(arguments)
      @args = []
      arguments.each_with_index do |argument, at|
        case argument
        when "--backtrace", "--traceback" then @backtrace = true
        when "--debug" then $DEBUG = true
        when /\A--config-file=(.*)/
          @config_file_name = $1
          @args << argument
        when "--config-file" then @config_file_name = arguments[at + 1]
        else @args << argument unless arguments[at - 1] == "--config-file" && at.positive?
        end
      end
    end

    def credentials_path = Gem.__send__(:own_file, "credentials")
    # The keys of hosts, the one of rubygems as `:rubygems`.
    def write
      require "fileutils"
      FileUtils.mkdir_p(File.dirname(config_file_name))
      File.write(config_file_name, to_yaml)
    end
    def to_yaml
      require "yaml"
      YAML.dump(SETTINGS.first(7).to_h { |name| [name, instance_variable_get("@#{name}")] }.merge(sources: Gem.sources.to_a))
    end

    private

    def set_defaults
      @backtrace = DEFAULT_BACKTRACE
      @bulk_threshold = DEFAULT_BULK_THRESHOLD
      @verbose = DEFAULT_VERBOSITY
      @update_sources = DEFAULT_UPDATE_SOURCES
      @concurrent_downloads = DEFAULT_CONCURRENT_DOWNLOADS
      @cert_expiration_length_days = DEFAULT_CERT_EXPIRATION_LENGTH_DAYS
      @ipv4_fallback_enabled = DEFAULT_IPV4_FALLBACK_ENABLED
    end
  end

  # A server of gems.
  class Source
    include Comparable
    attr_reader :uri
    %i[Installed Vendor Local SpecificFile Lock].each { |name| autoload(name, "rubygems/source/kinds") }

    def initialize(uri)
      @uri = uri.is_a?(URI::Generic) ? uri : URI.parse(uri.to_s)
    end

    # What is at hand goes before a server.
    def <=>(other)
      return nil unless other.is_a?(Source)
      return -1 unless other.instance_of?(Source)
      return other.uri ? 1 : 0 unless uri
      return -1 unless other.uri
      uri.to_s == other.uri.to_s ? 0 : 1
    end
    def ==(other) = self.class === other && uri == other.uri
    alias eql? ==
    def hash = uri.hash
    def pretty_print(printer)
      printer.group(2, "[Remote:", "]") do
        printer.breakable
        printer.text(uri.to_s)
      end
    end

    # What a resolver asks of this server, by its lists.
    def dependency_resolver_set = Resolver::IndexSet.new(self)
  end

  # Servers of gems, in the order in which they are asked.
  class SourceList
    include Enumerable
    attr_reader :sources

    def self.from(list) = new.tap { |made| made.replace(list) }

    def initialize
      @sources = []
    end
    def initialize_copy(other)
      @sources = @sources.dup
    end

    def <<(object)
      source = object.is_a?(Source) ? object : Source.new(object)
      @sources << source unless @sources.include?(source)
      source
    end
    def replace(other)
      clear
      other.each { |each| self << each }
      self
    end
    def clear = @sources.clear
    def each(&block) = @sources.each { |source| block.call(source.uri.to_s) }
    def each_source(&) = @sources.each(&)
    def ==(other) = to_a == other
    def to_a = @sources.map { |source| source.uri.to_s }
    alias to_ary to_a
    def first = @sources.first
    def empty? = @sources.empty?
    def include?(other) = other.is_a?(Source) ? @sources.include?(other) : @sources.any? { |source| source.uri.to_s == other.to_s }
    def delete(source)
      source.is_a?(Source) ? @sources.delete(source) : @sources.delete_if { |each| each.uri.to_s == source.to_s }
    end
  end

  class << self
    def configuration = @configuration ||= ConfigFile.new([])
    def configuration=(config)
      @configuration = config
    end
    def default_sources = ["https://rubygems.org/"]
    def sources
      given = configuration.sources
      @sources ||= SourceList.from(given.nil? || given.empty? ? default_sources : given)
    end
    def sources=(list)
      @sources = list.nil? ? nil : SourceList.from(list)
    end
  end
end

# The credentials of the user, which a file of its own keeps.
module Gem
  class ConfigFile
    include UserInteraction

    # The keys of hosts, the one of rubygems.org as `:rubygems`.
    def api_keys
      load_api_keys unless @api_keys
      @api_keys
    end
    def rubygems_api_key = @rubygems_api_key || (load_api_keys && @rubygems_api_key)
    def rubygems_api_key=(key)
      set_api_key(:rubygems_api_key, key)
      @rubygems_api_key = key
    end

    def set_api_key(host, key)
      check_credentials_permissions
      require "fileutils"
      require "yaml"
      keys = load_file(credentials_path).merge(host => key)
      FileUtils.mkdir_p(File.dirname(credentials_path))
      File.open(credentials_path, "w", 0o600) { |file| file.write(YAML.dump(keys)) }
      load_api_keys
    end

    # Whether there was a file to remove.
    def unset_api_key! = File.exist?(credentials_path) && File.delete(credentials_path)

    def load_api_keys
      check_credentials_permissions
      @api_keys = File.exist?(credentials_path) ? load_file(credentials_path) : @hash
      return @api_keys unless @api_keys.key?(:rubygems_api_key)
      @rubygems_api_key = @api_keys.delete(:rubygems_api_key)
      @api_keys[:rubygems] ||= @rubygems_api_key
      @api_keys
    end

    # Others must not be able to read the keys.
    def check_credentials_permissions
      return unless File.exist?(credentials_path)
      mode = File.stat(credentials_path).mode & 0o777
      return if mode == 0o600
      alert_error(<<~TEXT)
        Your gem push credentials file located at:

        \t#{credentials_path}

        has file permissions of 0#{mode.to_s(8)} but 0600 is required.

        To fix this error run:

        \tchmod 0600 #{credentials_path}

        You should reset your credentials at:

        \thttps://rubygems.org/profile/edit

        if you believe they were disclosed to a third party.
      TEXT
      terminate_interaction(1)
    end
  end
end
