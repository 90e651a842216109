# Versions in the formats that packages carry, in the manner of the gem mixlib-versioning.
module Mixlib
  class Versioning
    class ParseError < RuntimeError
    end

    DEFAULT_FORMATS = %w[PartialSemVer GitDescribe OpscodeSemVer SemVer Rubygems].freeze

    # The parts of a version; releases sort after their prereleases.
    class Format
      include Comparable
      attr_reader :major, :minor, :patch, :prerelease, :build, :iteration, :input

      def initialize(input)
        @input = input
        match = pattern.match(input.to_s) or raise ParseError, "'#{input}' is not a valid #{self.class} string!"
        names = match.names
        part = ->(name) { names.include?(name) ? match[name] : nil }
        @major, @minor, @patch = %w[major minor patch].map { |name| part.(name).to_i }
        @prerelease, @build = part.("prerelease"), part.("build")
        @iteration = part.("iteration")&.to_i
        check(match)
      end

      def release? = prerelease.nil? && build.nil?
      def prerelease? = !prerelease.nil? && build.nil?
      def build? = !build.nil?
      def release_build? = prerelease.nil? && build?
      def prerelease_build? = !prerelease.nil? && build?
      def release_version = "#{major}.#{minor}.#{patch}"
      def mixlib_version_string = [release_version, prerelease && "-#{prerelease}", build && "+#{build}"].join
      def to_semver_string = mixlib_version_string
      def to_rubygems_string = [release_version, prerelease && ".#{prerelease}"].join
      def to_s = input.to_s
      alias version_string to_s
      def hash = mixlib_version_string.hash
      def eql?(other) = other.is_a?(Format) && (self <=> other) == 0

      def <=>(other)
        other = Versioning.parse(other) unless other.is_a?(Format)
        return nil unless other
        parts = [major, minor, patch] <=> [other.major, other.minor, other.patch]
        return parts unless parts == 0
        by_release = identifiers(prerelease, other.prerelease, 1)
        return by_release unless by_release == 0
        by_build = identifiers(build, other.build, -1)
        by_build == 0 ? iteration.to_i <=> other.iteration.to_i : by_build
      end

      private

      def check(_match) = nil

      def identifiers(mine, theirs, absent)
        return 0 if mine == theirs
        return absent if mine.nil?
        return -absent if theirs.nil?
        ours = mine.split(".")
        others = theirs.split(".")
        ours.zip(others) do |a, b|
          return 1 if b.nil?
          numeric = [a, b].map { |part| part.match?(/\A\d+\z/) }
          order = numeric.all? ? a.to_i <=> b.to_i : numeric[0] ? -1 : numeric[1] ? 1 : a <=> b
          return order unless order == 0
        end
        ours.size <=> others.size
      end

      class SemVer < Format
        def pattern = /\A(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)(?:-(?<prerelease>[\dA-Za-z\-.]+))?(?:\+(?<build>[\dA-Za-z\-.]+))?\z/
      end

      class OpscodeSemVer < SemVer
        private

        def check(_match)
          raise ParseError, "'#{input}' is not a valid Opscode pre-release identifier" if prerelease && !prerelease.match?(/\A(?:alpha|beta|rc)(?:\.\d+)?\z/)
          raise ParseError, "'#{input}' is not a valid Opscode build identifier" if build && !build.match?(/\A(?:\d{14}|git|\d{14}\.git\.\d+\.[a-f0-9]+|git\.\d+\.[a-f0-9]+)\z/)
        end
      end

      class GitDescribe < Format
        def pattern = /\A(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)(?:[-.](?<prerelease>.+?))?-(?<commits>\d+)-g(?<sha>[a-f0-9]{7,40})(?:-(?<iteration>\d+))?\z/

        private

        def check(match) = @build = "#{match[:commits]}.g#{match[:sha]}"
      end

      class Rubygems < Format
        def pattern = /\A(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)(?:\.(?<prerelease>[\dA-Za-z\-.]*[A-Za-z][\dA-Za-z\-.]*))?(?:-(?<iteration>\d+))?\z/
      end

      class PartialSemVer < Format
        def pattern = /\A(?<major>\d+)(?:\.(?<minor>\d+))?\z/
      end
    end

    def self.parse(version, format = nil)
      return version if version.is_a?(Format)
      classes = format ? Array(format) : DEFAULT_FORMATS
      classes.each do |item|
        klass = item.is_a?(Class) ? item : Format.const_get(item.to_s.split(/[_:]+/).map { |part| part[0].upcase + part[1..] }.join.sub("Semver", "SemVer"))
        return klass.new(version)
      rescue ParseError
        next
      end
      nil
    end

    def self.find_target_version(all, filter = nil, use_prerelease = false, use_build = false)
      versions = all.map { |version| parse(version) }.compact
      wanted = filter && parse(filter)
      return versions.find { |version| version == wanted } if wanted && !wanted.release?
      versions = versions.select { |version| version.release_version == wanted.release_version } if wanted
      versions.select { |version| (use_prerelease || !version.prerelease) && (use_build || !version.build) }.max
    end
  end
end
