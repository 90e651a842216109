# What a gem's author sets, as RubyGems keeps it, and the forms in which it is written: Ruby, YAML and Marshal.
require "rubygems/dependency"

module Gem
  class Specification
    CURRENT_SPECIFICATION_VERSION = 4
    NONEXISTENT_SPECIFICATION_VERSION = -1
    # Attributes that a specification may have, and what they are without being set.
    DEFAULTS = {
      authors: [], autorequire: nil, bindir: "bin", cert_chain: [], date: nil, dependencies: [], description: nil, email: nil, executables: [],
      extensions: [], extra_rdoc_files: [], files: [], homepage: nil, licenses: [], metadata: {}, name: nil, platform: Platform::RUBY,
      post_install_message: nil, rdoc_options: [], require_paths: ["lib"], required_ruby_version: Requirement.default,
      required_rubygems_version: Requirement.default, requirements: [], rubygems_version: VERSION, signing_key: nil,
      specification_version: CURRENT_SPECIFICATION_VERSION, summary: nil, test_files: [], version: nil
    }.freeze
    REQUIRED = %i[rubygems_version specification_version name version date summary require_paths].freeze
    DATE = /\A(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:\s+\d\d:\d\d:\d\d\.\d+\s*(?:Z|[-+]\d\d:\d\d))?\n?\z/
    # Of the versions of Ruby, the last one after which a fourth number is a patch level.
    RUBY_WITHOUT_PATCHES = Version.new("2.1")
    private_constant :DEFAULTS, :REQUIRED, :DATE, :RUBY_WITHOUT_PATCHES

    class << self
      def attribute_names = DEFAULTS.keys
      def array_attributes = DEFAULTS.select { |_, value| value == [] }.keys
      def non_nil_attributes = DEFAULTS.compact.keys
      def required_attributes = REQUIRED.dup
      def required_attribute?(name) = REQUIRED.include?(name.to_sym)

      # From the YAML of a gem's metadata.
      def from_yaml(input)
        require "yaml"
        made = YAML.safe_load(normalize_yaml_input(input), aliases: true, permitted_symbols: Dependency::TYPES,
                              permitted_classes: [Symbol, Time, Dependency, Platform, Requirement, Specification, Version])
        raise EndOfYAMLException if made == false
        raise Exception, "YAML data doesn't evaluate to gem specification" unless made.is_a?(Specification)
        made.reset_nil_attributes_to_default
        made
      end

      # Old gems lack the first line, and write nothing and times in other ways.
      def normalize_yaml_input(input)
        text = input.respond_to?(:read) ? input.read : input
        text = "--- #{text}" unless text.start_with?("--- ")
        text.gsub(" !!null \n", " \n").gsub(/^date: [-\d]{10} [:\d]{8}\.\d+\KZ/, " Z")
      end
    end

    def initialize(name = nil, version = nil)
      DEFAULTS.each { |attribute, value| instance_variable_set(:"@#{attribute}", value.dup) }
      @original_platform = @installed_by_version = @full_gem_path = @loaded_from = @package = @stand_in = nil
      self.name = name if name
      self.version = version if version
      # what `--platform` asks for
      asked = Gem.platforms.last
      self.platform = asked unless asked.nil? || [Platform::RUBY, Platform.local].include?(asked)
      yield self if block_given?
    end

    def initialize_copy(other)
      super
      self.class.array_attributes.each { |name| instance_variable_set(:"@#{name}", instance_variable_get(:"@#{name}").dup) }
    end

    lists, others = DEFAULTS.keys.partition { |name| DEFAULTS[name].is_a?(Array) }
    attr_reader(*lists - %i[files require_paths], *others - %i[date])
    attr_writer :cert_chain, *others - %i[date description platform required_ruby_version required_rubygems_version summary version]
    (lists - %i[authors cert_chain dependencies require_paths]).each do |name|
      define_method(:"#{name}=") { |values| instance_variable_set(:"@#{name}", Array(values)) }
    end

    def description=(text)
      @description = text.to_s
    end
    # One line: a word that was divided at its end is put together.
    def summary=(text)
      @summary = text.to_s.strip.gsub(/(?<=\w-)\n[ \t]*(?=\w)/, "").gsub(/\n[ \t]*/, " ")
    end
    def authors=(names)
      @authors = Array(names).flatten.grep(String)
    end
    def require_paths=(paths)
      @require_paths = Array(paths)
    end
    def raw_require_paths = @require_paths

    # All of the gem's files, those of other lists as well.
    def files
      @files = [@files, @test_files, bindir_files, @extra_rdoc_files, @extensions].flatten.compact.uniq.sort
    end
    def lib_files = @files.select { |file| require_paths.any? { |path| file.start_with?(path) } }
    def test_file = test_files.first

    # A prerelease needs a RubyGems that knows of them.
    def version=(version)
      @version = Version.create(version)
      self.required_rubygems_version = "> 1.3.1" if @version&.prerelease? && @name&.strip != "rubygems"
    end

    def required_ruby_version=(requirement)
      @required_ruby_version = Requirement.create(requirement)
      @required_ruby_version.requirements.map! do |operator, version|
        next [operator, version] unless version >= RUBY_WITHOUT_PATCHES && version.release.segments.size == 4
        parts = version.segments
        parts.delete_at(3)
        [operator == "~>" ? "=" : operator, Version.new(parts.join("."))]
      end
    end

    def platform=(platform)
      @original_platform = platform if @original_platform.nil? || @original_platform == Platform::RUBY
      @platform = Platform.new({ "mswin32" => "x86-mswin32", "i586-linux" => "x86-linux", "powerpc-darwin" => "ppc-darwin" }.fetch(platform, platform))
      @original_platform = @platform.to_s if platform == Platform::CURRENT
      @platform
    end
    def original_platform = @original_platform ||= platform
    def original_name = "#{name}-#{version}#{"-#{original_platform}" unless platform == Platform::RUBY || platform.nil?}"

    def date = @date ||= Gem.source_date_epoch.then { |time| Time.utc(time.year, time.month, time.day) }
    def date=(date)
      date = Time.now.utc unless date.is_a?(String) || date.respond_to?(:strftime)
      day = date.is_a?(String) ? date[DATE] && $~.captures.first(3).map(&:to_i) : [date.year, date.month, date.day]
      raise InvalidSpecificationException, "invalid date format in specification: #{date.inspect}" unless day
      @date = Time.utc(*day)
    end

    def installed_by_version = @installed_by_version ||= Version.new(0)
    def installed_by_version=(version)
      @installed_by_version = Version.new(version)
    end

    # What was set once, and now is only warned of.
    def removed_method_calls = @removed_method_calls ||= []
    def rubyforge_project=(_name)
      removed_method_calls << :rubyforge_project=
    end

    def default_value(name) = DEFAULTS[name]
    def mark_version
      @rubygems_version = VERSION
    end
    def name_tuple = NameTuple.new(name, version, original_platform)
    def file_name = "#{full_name}.gem"
    def spec_name = "#{full_name}.gemspec"

    # Only what an index needs.
    def for_cache
      dup.tap { |copy| copy.files = copy.test_files = nil }
    end
    def to_ruby_for_cache = for_cache.to_ruby
    def abbreviate
      self.files = self.test_files = self.rdoc_options = self.extra_rdoc_files = self.cert_chain = []
    end
    def sanitize
      self.summary = summary if summary
      self.description = description if description
      self.post_install_message = post_install_message&.to_s
      self.authors = authors
    end

    # Lists without doubles; documentation is among the files.
    def normalize
      @extra_rdoc_files&.uniq!
      @files = [*@files, *@extra_rdoc_files].uniq
      @extensions, @test_files, @executables = [@extensions, @test_files, @executables].map { |list| list&.uniq }
    end
    def keep_only_files_and_directories
      @executables.delete_if { |name| File.directory?(File.join(@bindir, name)) }
      [@extensions, @extra_rdoc_files, @files, @test_files].each { |list| list.delete_if { |path| File.directory?(path) && !File.symlink?(path) } }
    end

    def validate(packaging = true, strict = false)
      require "rubygems/specification_policy"
      normalize
      policy = SpecificationPolicy.new(self)
      policy.packaging = packaging
      policy.validate(strict)
    end

    def reset_nil_attributes_to_default
      self.class.non_nil_attributes.each do |name|
        instance_variable_set(:"@#{name}", DEFAULTS[name].dup) if instance_variable_get(:"@#{name}").nil?
      end
      @specification_version ||= NONEXISTENT_SPECIFICATION_VERSION
    end

    def encode_with(coder)
      mark_version
      coder.add("name", @name)
      coder.add("version", @version)
      coder.add("platform", @original_platform.to_s.empty? ? "ruby" : @original_platform.to_s)
      (DEFAULTS.keys - %i[name version platform]).each { |name| coder.add(name.to_s, instance_variable_get(:"@#{name}")) }
    end
    def init_with(coder) = yaml_initialize(coder.tag, coder.map)

    # Only what a specification may have: a gem cannot tell where it lies.
    def yaml_initialize(_tag, values)
      values.each do |name, value|
        next unless DEFAULTS.key?(name.to_sym)
        name == "date" ? self.date = value : instance_variable_set(:"@#{name}", value)
      end
      @original_platform = nil
      self.platform = @platform
      @installed_by_version = @full_gem_path = @loaded_from = @package = @stand_in = nil
    end

    def to_yaml(_options = {})
      require "rubygems/specification_writing"
      YAMLWriting.write(self)
    end
    def to_ruby
      require "rubygems/specification_writing"
      mark_version
      RubyWriting.new(self).text
    end

    # Of the fields that indexes of gem servers have, in their order.
    def _dump(_limit)
      Marshal.dump([
        @rubygems_version, @specification_version, @name, @version, date, @summary, @required_ruby_version, @required_rubygems_version,
        @original_platform, @dependencies, "", @email, @authors, @description, @homepage, true, platform, @licenses, @metadata
      ])
    end

    def self._load(text)
      fields = Marshal.load(text)
      raise TypeError, "invalid Gem::Specification format #{fields.inspect}" if fields.size < [16, 14 + [fields[1], 4].min].max
      new.tap { |made| made.__send__(:take_fields, fields) }
    end

    private

    def bindir_files = @executables && (@bindir ? Array(@executables).map { |name| File.join(@bindir, name) } : @executables)

    def take_fields(fields)
      @specification_version = [fields[1], CURRENT_SPECIFICATION_VERSION].min
      @rubygems_version, @name, @version, @summary, @required_ruby_version, @required_rubygems_version = fields.values_at(0, 2, 3, 5, 6, 7)
      self.date = fields[4]
      @original_platform, @dependencies, @email, @authors, @description, @homepage = fields.values_at(8, 9, 11, 12, 13, 14)
      # RubyGems 3.3 does not read the licenses, either
      @platform = fields[16]
      @metadata = fields[18] || {}
    end

    # A dependency that is given as one keeps its type.
    def add(gem, type, requirements)
      gem = Dependency.new(gem.to_s, requirements.empty? ? Requirement.default : requirements.flatten, type) unless gem.respond_to?(:name) && gem.respond_to?(:requirement)
      dependencies << gem
    end
  end
end
