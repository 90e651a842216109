# Writes what a Gemfile.lock says.
module Bundler
  class LockfileGenerator
    attr_reader :definition

    def self.generate(definition) = new(definition).generate!

    def initialize(definition)
      @definition = definition
    end

    def generate!
      ruby = definition.locked_ruby_version
      [
        *definition.sources.lock_sources.map { |source| source.to_lock + gems_of(source) },
        section("PLATFORMS", definition.platforms.map { |platform| "  #{platform}\n" }.sort),
        section("DEPENDENCIES", definition.dependencies.sort_by(&:to_s).uniq(&:name).map(&:to_lock)),
        *(section("RUBY VERSION", ["   #{ruby}\n"]) if ruby),
        section("BUNDLED WITH", ["   #{VERSION}\n"])
      ].join("\n")
    end

    private

    def section(name, lines) = "#{name}\n#{lines.join}"
    def gems_of(source)
      definition.resolve.select { |spec| source.can_lock?(spec) && spec.name != "bundler" }.sort_by(&:full_name).map(&:to_lock).join
    end
  end
end
