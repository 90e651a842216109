class Chef
  class Version
    include Comparable
    attr_reader :major, :minor, :patch

    def initialize(text = "")
      match = /^(\d+)\.(\d+)(?:\.(\d+))?$/.match(text.to_s)
      raise Chef::Exceptions::InvalidCookbookVersion, "'#{text}' does not match 'x.y.z' or 'x.y'" unless match
      @major, @minor, @patch = match[1].to_i, match[2].to_i, match[3].to_i
    end

    def to_s = "#{@major}.#{@minor}.#{@patch}"
    alias inspect to_s

    def <=>(other)
      return nil unless other.respond_to?(:major) && other.respond_to?(:minor) && other.respond_to?(:patch)
      [@major, @minor, @patch] <=> [other.major, other.minor, other.patch]
    end

    def hash = to_s.hash
    def eql?(other) = other.is_a?(Chef::Version) && self == other

    # Versions of platforms: one number is enough, and FreeBSD's `10.0-release-p3` is one.
    class Platform < Version
      def initialize(text = "")
        plain = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.match(text.to_s)
        freebsd = /^(\d+).(\d+)-[a-z]+\d?(?:-p(\d+))?$/i.match(text.to_s)
        match = plain || freebsd
        raise Chef::Exceptions::InvalidPlatformVersion, "'#{text}' does not match 'x.y.z', 'x.y' or 'x'" unless match

        @major, @minor, @patch = match[1].to_i, match[2].to_i, match[3].to_i
      end
    end
  end

  class VersionConstraint
    DEFAULT_CONSTRAINT = ">= 0.0.0".freeze
    STANDARD_OPS = %w(< > <= >=).freeze
    OPS = %w(< > = <= >= ~>).freeze
    PATTERN = /^(<|>|=|<=|>=|~>) *([0-9].*)$/
    VERSION_CLASS = Chef::Version

    attr_reader :op, :version

    def initialize(spec = DEFAULT_CONSTRAINT)
      spec = DEFAULT_CONSTRAINT if spec.nil?
      if spec.is_a?(Array)
        if spec.size > 1
          raise Chef::Exceptions::InvalidVersionConstraint, "only one version constraint operation is supported, but you gave #{spec.size} ['#{spec.join(", ")}']"
        end
        spec = spec.first || DEFAULT_CONSTRAINT
      elsif !spec.is_a?(String)
        raise Chef::Exceptions::InvalidVersionConstraint, "VersionConstraint should be created from a String. You gave: #{spec.inspect}"
      end
      if !spec.include?(" ") && spec.match?(/^[0-9]/)
        @op, @raw_version = "=", spec
      elsif (match = PATTERN.match(spec))
        @op, @raw_version = match[1], match[2]
      else
        raise Chef::Exceptions::InvalidVersionConstraint, "'#{spec}'"
      end
      @version = self.class::VERSION_CLASS.new(@raw_version)
      @missing_patch_level = @op != "=" && @raw_version.split(".").size <= 2
    end

    def include?(other)
      text = other.respond_to?(:version) ? other.version : other
      other = self.class::VERSION_CLASS.new(text.to_s)
      case @op
      when "=" then other == @version
      when "~>"
        if @missing_patch_level
          other.major == @version.major && other.minor >= @version.minor
        else
          other.major == @version.major && other.minor == @version.minor && other.patch >= @version.patch
        end
      else other.public_send(@op, @version)
      end
    end

    def inspect = "(#{self})"
    def to_s = "#{@op} #{@raw_version}"
    def eql?(other) = other.class == self.class && @op == other.op && @version == other.version
    alias == eql?

    class Platform < VersionConstraint
      VERSION_CLASS = Chef::Version::Platform
    end
  end
end
