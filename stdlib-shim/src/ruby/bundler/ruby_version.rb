# The version of Ruby that a Gemfile or its lock asks for.
module Bundler
  class RubyVersion
    PATTERN = /ruby\s([\d.]+)(?:p(-?\d+))?(?:\s\((\S+)\s(.+)\))?/
    attr_reader :versions, :patchlevel, :engine, :engine_versions, :gem_version, :engine_gem_version

    class << self
      def from_string(text) = PATTERN.match(text)&.then { |match| new(*match.captures) }
      def system = @system ||= new(RUBY_VERSION.dup, RUBY_PATCHLEVEL.to_s, RUBY_ENGINE.dup, RUBY_ENGINE_VERSION.dup)
    end

    def initialize(versions, patchlevel, engine, engine_version)
      @versions = Array(versions).map { |each| Gem::Requirement.parse(each).then { |operator, version| operator == "=" ? version.to_s : "#{operator} #{version}" } }
      @named_engine = engine&.to_s
      @engine = @named_engine || "ruby"
      @engine_versions = engine_version ? Array(engine_version) : @versions
      @patchlevel = patchlevel
      @gem_version, @engine_gem_version = [@versions, @engine_versions].map { |each| Gem::Requirement.create(each.first).requirements.first.last }
    end

    def to_s(versions = self.versions)
      "ruby #{versions_string(versions)}#{"p#{patchlevel}" if patchlevel}#{" (#{engine} #{versions_string(engine_versions)})" unless engine == "ruby"}"
    end
    def versions_string(versions) = Array(versions).join(", ")
    def single_version_string = to_s(gem_version)
    def host = @host ||= %w[host_cpu host_vendor host_os].map { |key| RbConfig::CONFIG[key] }.join("-")
    def ==(other) = %i[versions engine engine_versions patchlevel].all? { |each| public_send(each) == other.public_send(each) }

    # What first differs from another Ruby: its name, what this one says, what the other is; nil where the other will do.
    def diff(other)
      raise ArgumentError, "Can only diff with a RubyVersion, not a #{other.class}" unless other.is_a?(RubyVersion)
      return [:engine, engine, other.engine] if @named_engine && engine != other.engine
      return [:version, versions_string(versions), versions_string(other.versions)] if versions.empty? || !fits?(versions, other.gem_version)
      return [:engine_version, versions_string(engine_versions), versions_string(other.engine_versions)] if @named_engine && !fits?(engine_versions, other.engine_gem_version)
      [:patchlevel, patchlevel, other.patchlevel] unless patchlevel.nil? || same_patchlevel?(other.patchlevel)
    end

    private

    def same_patchlevel?(theirs) = [patchlevel, theirs].all?(String) && fits?(patchlevel, theirs)
    # -1 is the patch level of a Ruby in development: it fits only itself.
    def fits?(wanted, version)
      return wanted == version if [wanted, version].any? { |each| each.to_s == "-1" }
      Array(wanted).all? { |each| Gem::Requirement.create(each).satisfied_by?(Gem::Version.create(version)) }
    end
  end
end
