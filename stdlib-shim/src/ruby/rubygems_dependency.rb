# A gem by its name, and the versions of it that will do.
module Gem
  class Dependency
    TYPES = %i(development runtime).freeze
    attr_accessor :name
    attr_writer :prerelease

    def type = @type ||= :runtime
    def requirement = @requirement ||= @version_requirements
    def runtime? = type == :runtime
    def prerelease? = @prerelease || requirement.prerelease?
    def latest_version? = requirement.none?
    def specific? = requirement.specific?
    def prioritizes_bundler? = name == "bundler" && !specific?
    def requirements_list = requirement.as_list
    def identity
      specific = prerelease? ? specific? : !latest_version?
      prerelease? ? (specific ? :complete : :abs_latest) : (specific ? :released : :latest)
    end
    def hash = name.hash ^ type.hash ^ requirement.hash
    def inspect = "<Gem::Dependency type=#{type.inspect} name=#{name.inspect} requirements=#{requirement.to_s.inspect}>"
    def to_s = runtime? ? "#{name} (#{requirement})" : "#{name} (#{requirement}, #{type})"
    def pretty_print(out)
      out.group(1, "Gem::Dependency.new(", ")") do
        [name, requirement, type].each_with_index do |part, index|
          out.comma_breakable if index.positive?
          out.pp(part)
        end
      end
    end

    def ==(other) = other.is_a?(Dependency) && name == other.name && type == other.type && requirement == other.requirement
    def <=>(other) = name <=> other.name

    def =~(other)
      unless other.is_a?(Dependency)
        return false unless other.respond_to?(:name) && other.respond_to?(:version)
        other = Dependency.new(other.name, other.version)
      end
      return false unless name === other.name
      wanted = other.requirement.requirements
      return false unless wanted.size == 1 && wanted[0][0] == "="
      requirement.satisfied_by?(wanted[0][1])
    end
    alias === =~

    # Whether a version will do; one before a release only where it is asked for.
    def match?(object, version = nil, allow_prerelease = false)
      name, version = version ? [object, version] : [object.name, object.version]
      return false unless self.name === name
      version = Version.new(version)
      return true if requirement.none? && (allow_prerelease || !version.prerelease?)
      return false if version.prerelease? && !allow_prerelease && !prerelease?
      requirement.satisfied_by?(version)
    end

    def matches_spec?(spec)
      return false unless name === spec.name
      requirement.none? || requirement.satisfied_by?(spec.version)
    end

    def merge(other)
      raise ArgumentError, "#{self} and #{other} have different names" unless name == other.name
      mine, theirs = requirement, other.requirement
      return self.class.new(name, theirs) if mine.none?
      return self.class.new(name, mine) if theirs.none?
      self.class.new(name, mine.as_list.concat(theirs.as_list))
    end

    def matching_specs(_platform_only = false)
      Specification.stubs_for(name).select { |spec| requirement.satisfied_by?(spec.version) }
    end
    def to_specs
      found = matching_specs(true)
      return found unless found.empty?
      known = Specification.stubs_for(name)
      raise known.empty? ? MissingSpecError.new(name, requirement) : MissingSpecVersionError.new(name, requirement, known)
    end
    def to_spec
      found = to_specs
      (prerelease? ? nil : found.find { |spec| !spec.version.prerelease? }) || found.first
    end
  end
end

# The order of a dependency's fields, in which YAML has them.
module Gem
  class Dependency
    def initialize(name, *requirements)
      raise ArgumentError, "dependency name must be a String, was #{name.inspect}" unless name.is_a?(String) || name.is_a?(Regexp)
      type = requirements.last.is_a?(Symbol) ? requirements.pop : :runtime
      raise ArgumentError, "Valid types are #{TYPES.inspect}, not #{type.inspect}" unless TYPES.include?(type)
      requirements = requirements.first if requirements.size == 1
      @name, @requirement, @type, @prerelease = name, Requirement.create(requirements), type, false
      @version_requirements = @requirement
    end
  end
end
