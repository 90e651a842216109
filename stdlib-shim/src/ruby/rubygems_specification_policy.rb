# What a specification must have to be packed (else an error), and what it should have (warnings).
require "rubygems/specification"
require "rubygems/user_interaction"

module Gem
  class SpecificationPolicy
    include UserInteraction

    VALID_NAME_PATTERN = /\A[a-zA-Z0-9.\-_]+\z/
    SPECIAL_CHARACTERS = /\A[.\-_]+/
    LABEL = /[A-Za-z\d-]+/
    # An address on the web: perhaps a user, a host of two names at least, perhaps a port and a path.
    VALID_URI_PATTERN = %r{\Ahttps?://(?:[^\s:@]+:[^\s:@]*@)?#{LABEL}(?:\.#{LABEL})+\.?(?::\d{1,5})?(?:[/?]\S*)?\z}
    METADATA_LINK_KEYS = %w[bug_tracker changelog documentation homepage mailing_list source_code wiki funding].map { |word| "#{word}_uri" }.freeze
    HELP = "See https://guides.rubygems.org/specification-reference/ for help"
    # What generators of gems write for authors to replace; in two halves, so that searches for it do not find this.
    LAZY = %w[FIX TO].zip(%w[ME DO]).map { |halves| "\"#{halves.join}\"" }.join(" or ")
    LAZY_PATTERN = /\A(?:FI[X]ME|TO[D]O)/
    LICENSES = "Use a license identifier from\nhttp://spdx.org/licenses or 'Nonstandard' for a nonstandard license.\n"
    private_constant :LABEL, :HELP, :LAZY, :LAZY_PATTERN, :LICENSES

    # Whether a path that a gem names stays in the folder that it is meant for.
    def self.inside?(path) = !path.start_with?("/", "~") && File.expand_path(path, "/gem").start_with?("/gem/")

    # Whether the files have to be there.
    attr_accessor :packaging

    def initialize(specification)
      @specification = specification
      @warnings = 0
    end

    def validate(strict = false)
      validate_required!
      validate_optional(strict) if packaging || strict
      true
    end

    def validate_required!
      validate_attributes
      validate_name
      error("specification must have at least one require_path") if @specification.raw_require_paths.empty?
      @specification.keep_only_files_and_directories
      validate_files
      error("specification_version must be an Integer (did you mean version?)") unless @specification.specification_version.is_a?(Integer)
      platform = @specification.platform
      error("invalid platform #{platform.inspect}, see Gem::Platform") unless platform.is_a?(Platform) || platform == Platform::RUBY
      validate_lists
      error("authors may not be empty") if @specification.authors.empty?
      validate_metadata
      error("each license must be 64 characters or less") if @specification.licenses.any? { |license| license.length > 64 }
      validate_placeholders
      validate_homepage
      validate_duplicate_dependencies
    end

    def validate_optional(strict)
      validate_licenses
      validate_permissions
      validate_values
      validate_dependencies
      validate_extensions
      @specification.removed_method_calls.each do |name|
        warning("#{name} is deprecated and ignored. Please remove this from your gemspec to ensure that your gem continues to build in the future.")
      end
      return if @warnings.zero?
      strict ? error("specification has warnings") : alert_warning(HELP)
    end

    def validate_metadata
      metadata = @specification.metadata
      error("metadata must be a hash") unless metadata.is_a?(Hash)
      metadata.each do |key, value|
        error("metadata keys must be a String") unless key.is_a?(String)
        error("metadata key is too large (#{key.size} > 128)") if key.size > 128
        entry = "metadata['#{key}']"
        error("#{entry} value must be a String") unless value.is_a?(String)
        error("#{entry} value is too large (#{value.size} > 1024)") if value.size > 1024
        error("#{entry} has invalid link: #{value.inspect}") if METADATA_LINK_KEYS.include?(key) && !value.match?(VALID_URI_PATTERN)
      end
    end

    def validate_duplicate_dependencies
      doubles = @specification.dependencies.group_by { |each| [each.type, each.name] }.values.flat_map { |same| same.each_cons(2).to_a }
      return if doubles.empty?
      doubles.sort_by! { |_, later| @specification.dependencies.index { |each| each.equal?(later) } }
      error(doubles.map do |before, later|
        "duplicate dependency on #{later}, (#{before.requirement}) use:\n" \
          "    add_#{later.type}_dependency '#{later.name}', '#{later.requirement}', '#{before.requirement}'\n"
      end.join)
    end

    # Requirements that any later version meets, and those that only a prerelease does.
    def validate_dependencies
      texts = @specification.dependencies.flat_map do |dependency|
        early = dependency.requirement.requirements.any? { |_, version| version.prerelease? } && !@specification.version.prerelease?
        open = dependency.requirement.requirements.all? { |operator, version| !version.prerelease? && %w[> >=].include?(operator) }
        [("prerelease dependency on #{dependency} is not recommended" if early), (open_ended(dependency) if open)]
      end
      texts.compact.each { |text| warning(text) }
    end

    def validate_permissions
      @specification.files.each { |file| warning("#{file} is not world-readable") if File.file?(file) && File.stat(file).mode & 0o444 != 0o444 }
      programs.each { |path| warning("#{path} is not executable") if File.file?(path) && !File.stat(path).executable? }
    end

    # A specification becomes Ruby code and names of files. Tells what would change their meaning; nil if nothing does.
    def danger
      spec = @specification
      lines = ->(values) { Array(values).any? { |value| value.to_s.match?(/\R/) } }
      return "#{spec} has an invalid name" unless spec.name.match?(VALID_NAME_PATTERN)
      return "#{spec} has an invalid require_paths" if lines[spec.raw_require_paths]
      return "#{spec} has an invalid extensions" if lines[spec.extensions]
      return "#{spec.platform} is an invalid platform" if spec.platform.to_s.match?(%r{\R|/})
      return "#{spec} has an invalid specification_version" unless spec.specification_version.to_s.match?(/\A\d+\z/)
      return "#{spec} has an invalid dependencies" unless spec.dependencies.all? { |each| Dependency::TYPES.include?(each.type) && !each.name.match?(/\R|[<>]/) }
      "#{spec} has an invalid executables" unless Array(spec.executables).all? { |name| sound_program?(name) }
    end

    private

    # Programs are written, made executable and named in Ruby code.
    def sound_program?(name)
      !name.match?(/['\\]|\R/) && SpecificationPolicy.inside?(name) && SpecificationPolicy.inside?(File.join(@specification.bindir, name))
    end

    def programs = @specification.executables.map { |name| File.join(@specification.bindir, name) }

    def validate_attributes
      missing = Specification.non_nil_attributes.select { |name| @specification.instance_variable_get(:"@#{name}").nil? }
      error("#{missing.join(", ")} must not be nil") unless missing.empty?
      version = @specification.rubygems_version
      error("expected RubyGems version #{VERSION}, was #{version}") if packaging && version != VERSION
      Specification.required_attributes.each { |name| error("missing value for attribute #{name}") unless @specification.public_send(name) }
    end

    def validate_name
      name = @specification.name
      error("invalid value for attribute name: \"#{name.inspect}\" must be a string") unless name.is_a?(String)
      fault = if !name.match?(/[a-zA-Z]/) then "must include at least one letter"
              elsif !name.match?(VALID_NAME_PATTERN) then "can only include letters, numbers, dashes, and underscores"
              elsif name.match?(SPECIAL_CHARACTERS) then "can not begin with a period, dash, or underscore"
              end
      error("invalid value for attribute name: #{name.dump} #{fault}") if fault
    end

    def validate_files
      absent = packaging ? @specification.files.reject { |path| File.file?(path) || File.symlink?(path) } : []
      error("[#{absent.map { |path| "\"#{path}\"" }.join(", ")}] are not files") unless absent.empty?
      own = @specification.file_name
      error("#{@specification.full_name} contains itself (#{own}), check your files list") if @specification.files.include?(own)
    end

    def validate_lists
      Specification.array_attributes.each do |name|
        value, kind = @specification.public_send(name), name == :dependencies ? Dependency : String
        error("#{name} must be an Array of #{kind}") unless value.is_a?(Array) && value.all?(kind)
      end
    end

    def validate_placeholders
      error("#{LAZY} is not an author") if @specification.authors.grep(LAZY_PATTERN).any?
      error("#{LAZY} is not an email") if Array(@specification.email).grep(LAZY_PATTERN).any?
      %i[description summary].each { |name| error("#{LAZY} is not a #{name}") if LAZY_PATTERN.match?(@specification.public_send(name)) }
    end

    def validate_homepage
      homepage = @specification.homepage
      return if homepage.nil? || homepage.empty?
      require "uri"
      kind = begin
        URI.parse(homepage).class
      rescue URI::InvalidURIError
        nil
      end
      error("\"#{homepage}\" is not a valid HTTP URI") unless [URI::HTTP, URI::HTTPS].include?(kind)
    end

    def validate_licenses
      require "rubygems/util/licenses"
      @specification.licenses.reject { |license| Licenses.match?(license) }.each do |license|
        similar = Licenses.suggestions(license)
        warning("license value '#{license}' is invalid.  #{LICENSES}#{"Did you mean #{similar.map { |each| "'#{each}'" }.join(", ")}?\n" if similar}")
      end
      warning("licenses is empty, but is recommended.  #{LICENSES}") if @specification.licenses.empty?
    end

    def validate_values
      %w[author homepage summary files].each do |name|
        value = @specification.public_send(name)
        warning("no #{name} specified") if value.nil? || value.empty?
      end
      warning("description and summary are identical") if @specification.description == @specification.summary
      warning("deprecated autorequire specified") if @specification.autorequire
      programs.each { |path| warning("#{path} is missing #! line") unless File.read(path, 2) == "#!" }
      @specification.files.each { |path| warning("#{path} is a symlink, which is not supported on all platforms") if File.symlink?(path) }
    end

    def validate_extensions
      return if @specification.extensions.none?(/rakefile|mkrf_conf/i) || @specification.dependencies.any? { |each| each.name == "rake" }
      warning("You have specified rake based extension, but rake is not added as dependency. It is recommended to add rake as a dependency in gemspec " \
              "since there's no guarantee rake will be already installed.\n")
    end

    def open_ended(dependency)
      operator, version = dependency.requirement.requirements.first
      parts = version.segments
      advice = "use a bounded requirement, such as '~> x.y'"
      unless parts == [0]
        more = ", '#{operator} #{version}'" if operator == ">" || parts.size > 2
        advice = "if #{dependency.name} is semantically versioned, use:\n    add_#{dependency.type}_dependency '#{dependency.name}', '~> #{parts.first(2).join(".")}'#{more}"
      end
      "open-ended dependency on #{dependency} is not recommended\n  #{advice}\n"
    end

    def warning(statement)
      @warnings += 1
      alert_warning(statement)
    end

    def error(statement)
      alert_warning(HELP)
      raise InvalidSpecificationException, statement
    end
  end
end
