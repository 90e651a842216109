# Conditions on the version of a gem: `>= 1.0`, `~> 2.1`.
module Gem
  class Requirement
    class BadRequirementError < ArgumentError; end

    OPS = {
      "=" => ->(v, r) { v == r }, "!=" => ->(v, r) { v != r }, ">" => ->(v, r) { v > r }, "<" => ->(v, r) { v < r },
      ">=" => ->(v, r) { v >= r }, "<=" => ->(v, r) { v <= r }, "~>" => ->(v, r) { v >= r && v.release < r.bump }
    }.freeze
    SOURCE_SET_REQUIREMENT = Struct.new(:for_lockfile).new("!")
    PATTERN_RAW = "\\s*(#{OPS.keys.map { |operator| Regexp.quote(operator) }.join("|")})?\\s*(#{Version::VERSION_PATTERN})\\s*".freeze
    PATTERN = /\A#{PATTERN_RAW}\z/
    DefaultRequirement = [">=", Version.new(0)].freeze
    DefaultPrereleaseRequirement = [">=", Version.new("0.a")].freeze

    class << self
      def create(*inputs)
        return new(inputs) if inputs.size > 1
        case (input = inputs.first)
        when Requirement then input
        when Version, Array then new(input)
        when "!" then source_set
        else input.respond_to?(:to_str) ? new(input.to_str) : default
        end
      end

      def default = new(">= 0")
      def default_prerelease = new(">= 0.a")
      def source_set = SOURCE_SET_REQUIREMENT

      def parse(object)
        return ["=", object] if object.is_a?(Version)
        match = PATTERN.match(object.to_s) or raise BadRequirementError, "Illformed requirement [#{object.inspect}]"
        case [match[1], match[2]]
        when [">=", "0"] then DefaultRequirement
        when [">=", "0.a"] then DefaultPrereleaseRequirement
        else [-(match[1] || "="), Version.new(match[2])]
        end
      end
    end

    attr_reader :requirements

    def initialize(*requirements)
      requirements = requirements.flatten.compact.uniq
      @requirements = requirements.empty? ? [DefaultRequirement] : requirements.map { |each| self.class.parse(each) }
    end

    def concat(requirements)
      @requirements.concat(requirements.flatten.compact.uniq.map { |each| self.class.parse(each) })
    end

    def satisfied_by?(version)
      raise ArgumentError, "Need a Gem::Version: #{version.inspect}" unless version.is_a?(Version)
      requirements.all? { |operator, wanted| OPS.fetch(operator).call(version, wanted) }
    end
    alias === satisfied_by?
    alias =~ satisfied_by?

    def none? = requirements.size == 1 && requirements[0] == DefaultRequirement
    def exact? = requirements.size == 1 && requirements[0][0] == "="
    def specific? = requirements.size > 1 || !%w(> >=).include?(requirements[0][0])
    def prerelease? = requirements.any? { |each| each.last.prerelease? }
    def as_list = requirements.map { |operator, version| "#{operator} #{version}" }
    def to_s = as_list.join(", ")
    def for_lockfile
      return if requirements == [DefaultRequirement]
      " (#{requirements.sort_by(&:last).map { |operator, version| "#{operator} #{version}" }.uniq.join(", ")})"
    end
    def pretty_print(out)
      out.group(1, "Gem::Requirement.new(", ")") { out.pp(as_list) }
    end

    # `~> 1` and `~> 1.0` allow different versions, `= 1` and `= 1.0` the same.
    def ==(other)
      return unless other.is_a?(Requirement)
      return false unless _sorted_requirements == other._sorted_requirements
      _tilde_requirements.none? || _tilde_requirements.eql?(other._tilde_requirements)
    end
    def hash = requirements.map { |operator, version| operator == "~>" ? [operator, version.to_s] : [operator, version] }.sort.hash

    def marshal_dump = [@requirements]
    def marshal_load(array)
      raise TypeError, "wrong @requirements" unless array[0].is_a?(Array)
      @requirements = array[0]
    end
    def encode_with(coder) = coder.add("requirements", @requirements)
    def init_with(coder)
      @requirements = coder.map["requirements"]
    end
    def yaml_initialize(_tag, values)
      values.each { |name, value| instance_variable_set("@#{name}", value) }
    end
    def to_yaml_properties = ["@requirements"]

    protected

    def _sorted_requirements = @_sorted_requirements ||= requirements.sort_by(&:to_s)
    def _tilde_requirements = @_tilde_requirements ||= _sorted_requirements.select { |operator,| operator == "~>" }
  end

  class Version
    Requirement = Gem::Requirement
  end
end
