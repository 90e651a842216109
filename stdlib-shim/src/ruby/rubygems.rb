module Gem
  VERSION = "3.3.15"

  class LoadError < ::LoadError
    attr_accessor :name, :requirement
  end

  class MissingSpecError < LoadError; end
  class MissingSpecVersionError < MissingSpecError; end
  class ConflictError < LoadError; end
  class InstallError < StandardError; end

  class Version
    include Comparable
    VERSION_PATTERN = '[0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?'
    ANCHORED_VERSION_PATTERN = /\A\s*(#{VERSION_PATTERN})?\s*\z/

    def self.correct?(version) = version.nil? ? false : ANCHORED_VERSION_PATTERN.match?(version.to_s)
    def self.create(input) = input.is_a?(self) ? input : (input.nil? ? nil : new(input))

    def initialize(version)
      raise ArgumentError, "Malformed version number string #{version}" unless version.nil? || self.class.correct?(version)
      version = 0 if version.is_a?(String) && version.strip.empty?
      @version = version.to_s.strip.gsub("-", ".pre.")
      @version = "0" if @version.empty?
    end

    def version = @version
    alias to_s version
    def inspect = "#<#{self.class} #{version.inspect}>"
    def prerelease? = @version.match?(/[a-zA-Z]/)
    def segments = _segments.dup
    def hash = canonical_segments.hash
    def eql?(other) = self.class === other && @version == other.version
    def _segments = @segments ||= @version.scan(/[0-9]+|[a-z]+/i).map { |part| part.match?(/\A\d+\z/) ? part.to_i : part }.freeze
    def release = prerelease? ? self.class.new(_segments.take_while { |part| part.is_a?(Integer) }.join(".")) : self

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
      numbers = _segments.take_while { |part| part.is_a?(Integer) }
      strings = _segments.drop(numbers.size)
      [numbers, strings].flat_map { |parts| parts.reverse.drop_while { |part| part == 0 }.reverse }
    end

    def <=>(other)
      return self <=> self.class.new(other) if other.is_a?(String) && self.class.correct?(other)
      return nil unless other.is_a?(Gem::Version)
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
  end

  class Requirement
    class BadRequirementError < ArgumentError; end
    OPS = {
      "=" => ->(v, r) { v == r }, "!=" => ->(v, r) { v != r }, ">" => ->(v, r) { v > r }, "<" => ->(v, r) { v < r },
      ">=" => ->(v, r) { v >= r }, "<=" => ->(v, r) { v <= r }, "~>" => ->(v, r) { v >= r && v.release < r.bump }
    }.freeze
    PATTERN = /\A\s*(=|!=|>=|<=|~>|>|<)?\s*(#{Gem::Version::VERSION_PATTERN})\s*\z/
    DefaultRequirement = [">=", Gem::Version.new(0)].freeze

    def self.create(*inputs)
      return new(inputs) if inputs.size > 1
      case (input = inputs.first)
      when Requirement then input
      when Version, Array then new(input)
      else input.respond_to?(:to_str) ? new(input.to_str) : default
      end
    end

    def self.default = new(">= 0")

    def self.parse(object)
      return ["=", object] if object.is_a?(Version)
      match = PATTERN.match(object.to_s) or raise BadRequirementError, "Illformed requirement [#{object.inspect}]"
      [match[1] || "=", Version.new(match[2])]
    end

    attr_reader :requirements

    def initialize(*requirements)
      requirements = requirements.flatten.compact.uniq
      @requirements = requirements.empty? ? [DefaultRequirement] : requirements.map { |each| self.class.parse(each) }
    end

    def satisfied_by?(version)
      raise ArgumentError, "Need a Gem::Version: #{version.inspect}" unless version.is_a?(Version)
      requirements.all? { |operator, wanted| OPS[operator].call(version, wanted) }
    end
    alias === satisfied_by?
    alias =~ satisfied_by?

    def none? = requirements.size == 1 && requirements[0] == DefaultRequirement
    def exact? = requirements.size == 1 && requirements[0][0] == "="
    def prerelease? = requirements.any? { |each| each.last.prerelease? }
    def as_list = requirements.map { |operator, version| "#{operator} #{version}" }
    def to_s = as_list.join(", ")
    def inspect = "Gem::Requirement.new(#{as_list.map(&:inspect).join(", ")})"
    def ==(other) = other.is_a?(Requirement) && as_list.sort == other.as_list.sort
    def hash = as_list.sort.hash
  end

  class Dependency
    attr_accessor :name
    attr_reader :type, :requirement

    def initialize(name, *requirements)
      raise ArgumentError, "dependency name must be a String, was #{name.inspect}" unless name.is_a?(String)
      @type = requirements.last.is_a?(Symbol) ? requirements.pop : :runtime
      @name = name
      @requirement = Requirement.create(*requirements.flatten(1))
    end

    def matches_spec?(spec) = name == spec.name && requirement.satisfied_by?(spec.version)
    def match?(name, version) = @name == name && requirement.satisfied_by?(Version.create(version))
    def to_s = "#{name} (#{requirement})"
    def ==(other) = other.is_a?(Dependency) && name == other.name && type == other.type && requirement == other.requirement
    alias eql? ==
    def hash = [name, type, requirement].hash
  end

  class Platform
    RUBY = "ruby"
  end

  class << self
    def ruby_version = Version.new(RUBY_VERSION)
    def rubygems_version = Version.new(VERSION)
    def user_dir = File.join(ENV["HOME"] || "/", ".local/share/gem/ruby/3.1.0")
    def win_platform? = false
    def platforms = ["ruby"]
    def ruby = "/usr/bin/ruby"
  end
end

require "rubygems/installed"
