# A gem as a lock names it: it need not be there.
require "bundler/gem_helpers"

module Bundler
  class LazySpecification
    include MatchPlatform
    attr_reader :name, :version, :dependencies, :platform
    attr_accessor :source, :remote

    def initialize(name, version, platform, source = nil)
      @name, @version, @source = name, version, source
      @platform = platform || Gem::Platform::RUBY
      @dependencies = []
      @specification = nil
    end

    def full_name = "#{name}-#{qualified_version}"
    def to_s = "#{name} (#{qualified_version})"
    def identifier = [name, version, platform == Gem::Platform::RUBY ? Index::NULL : platform.to_s]
    def ==(other) = identifier == other.identifier
    def eql?(other) = identifier.eql?(other.identifier)
    def hash = identifier.hash
    def runtime_dependencies = dependencies.select(&:runtime?)
    # Whether a library of the engine is in its place; not before it is known what it is.
    def stand_in? = !@specification.nil? && @specification.stand_in?
    def git_version = source.is_a?(Source::Git) ? " #{source.revision[0..6]}" : nil

    def satisfies?(dependency)
      name == dependency.name && (dependency.requirement.none? || dependency.requirement.satisfied_by?(Gem::Version.create(version)))
    end

    def to_lock
      needed = dependencies.select(&:runtime?).sort_by(&:to_s).uniq
      ["    #{self}\n", *needed.map { |each| "    #{each.to_lock.chomp}\n" }].join
    end

    # What was chosen for it already, where that was done.
    def self.of(spec, source)
      new(spec.name, spec.version, spec.platform, source).tap do |lazy|
        lazy.dependencies.concat(spec.dependencies.select(&:runtime?))
        lazy.chosen = spec
      end
    end
    attr_accessor :chosen

    # The gem itself, if it is there.
    def __materialize__
      found = chosen || (source.is_a?(Source::Gemspec) && source.gemspec.name == name ? source.gemspec : candidate || stand_in)
      found.source = source if found && source
      @specification = found
    end

    def respond_to_missing?(method, all = false) = @specification.respond_to?(method, all)
    def method_missing(method, *arguments, &block)
      raise "LazySpecification has not been materialized yet (calling :#{method} #{arguments.inspect})" unless @specification
      @specification.respond_to?(method) ? @specification.public_send(method, *arguments, &block) : super
    end

    private

    def qualified_version = platform == Gem::Platform::RUBY ? version.to_s : "#{version}-#{platform}"
    def candidate
      found = source.specs.search(Gem::Dependency.new(name, version)).select { |spec| MatchPlatform.platforms_match?(spec.platform, Gem::Platform.new(platform)) }
      found.reverse.find { |spec| suits_ruby?(spec) } || found.last
    end
    # A library of the engine will do in any version.
    def stand_in = source.is_a?(Source::Rubygems) ? source.stand_in(Gem::Dependency.new(name, version)) : nil
    def suits_ruby?(spec) = spec.required_ruby_version.satisfied_by?(Gem.ruby_version) && spec.required_rubygems_version.satisfied_by?(Gem.rubygems_version)
    def to_ary = nil
  end
end
