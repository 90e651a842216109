# The gems of a source.
module Bundler
  class Index
    include Enumerable
    RUBY = "ruby".freeze
    NULL = "\0".freeze

    def self.build = new.tap { |index| yield index }
    # By version, plain Ruby before other platforms.
    def self.sort_specs(specs) = specs.sort_by { |spec| [spec.version, spec.platform.to_s == RUBY ? NULL : spec.platform.to_s] }

    def initialize
      @specs = Hash.new { |hash, name| hash[name] = {} }
    end

    def <<(spec)
      @specs[spec.name][spec.full_name] = spec
      spec
    end
    def each(&block)
      return enum_for(:each) unless block
      @specs.values.flat_map(&:values).each(&block)
      self
    end
    def empty? = none?
    def size = count
    def spec_names = @specs.keys
    def dependency_names = flat_map { |spec| spec.dependencies.select(&:runtime?).map(&:name) }.uniq
    def unmet_dependency_names = dependency_names.reject { |name| @specs.key?(name) }
    def inspect = "#<#{self.class}:0x#{object_id} sources=[] specs.size=#{size}>"

    # Those of a name, those that fit a dependency, or the one of another specification.
    def search(query, _base = nil)
      named = @specs.key?(query.respond_to?(:name) ? query.name : query) ? @specs[query.respond_to?(:name) ? query.name : query].values : []
      found = case query
              when String then named
              when Gem::Dependency then named.select { |spec| Index.fits?(query, spec) }
              else named.select { |spec| spec.version == query.version && spec.platform == query.platform }
              end
      Index.sort_specs(found)
    end
    alias [] search
    alias local_search search
    def search_all(name) = search(name)

    # A version before a release will do where nothing else is said.
    def self.fits?(dependency, spec) = dependency.requirement.none? || dependency.requirement.satisfied_by?(spec.version)

    def use(other, override_dupes = false)
      other&.each { |spec| self << spec if override_dupes || search(spec).empty? }
      self
    end
  end
end
