# frozen_string_literal: true

module ChefUtils
  # A String that compares as a version, with Integers, Floats and Strings.
  class VersionString < String
    def initialize(text) = super(text || "")

    # The Gem::Version of the text, or nil if the text is not a version. It is not cached: attributes are frozen, and few are ever compared.
    def parsed_version = version_of(to_s)

    def +(other) = to_s + other
    def *(count) = to_s * count

    def <=>(other)
      theirs = version_of(other)
      theirs && parsed_version ? parsed_version <=> theirs : super
    end

    %i{< <= > >=}.each do |operator|
      define_method(operator) do |other|
        theirs = version_of(other)
        theirs && parsed_version ? parsed_version.public_send(operator, theirs) : super(other)
      end
    end

    def ==(other)
      theirs = version_of(other)
      theirs && parsed_version ? parsed_version == theirs : super
    end

    def satisfies?(*constraints) = Gem::Requirement.new(*constraints).satisfied_by?(parsed_version)

    def =~(other)
      return super if other.is_a?(Regexp)

      begin
        Gem::Requirement.create(other) =~ parsed_version
      rescue Gem::Requirement::BadRequirementError
        super
      end
    end

    private

    def version_of(value)
      return value.parsed_version if value.is_a?(VersionString)

      Gem::Version.correct?(value.to_s) ? Gem::Version.create(value.to_s) : nil
    end
  end
end

class Chef
  VersionString = ChefUtils::VersionString
end
