# Which versions of gems go together: from what is needed, and sets that say what there is.
require "rubygems/dependency"
require "rubygems/exceptions"
require "rubygems/config_file"

module Gem
  class Resolver
    DEBUG_RESOLVER = !ENV["DEBUG_RESOLVER"].nil?
    # A gem that has no choice of versions is always decided first.
    ONLY_CHOICE = 1_000_000
    private_constant :ONLY_CHOICE

    {
      requests: %i[ActivationRequest Conflict DependencyRequest RequirementList Stats], search: %i[Search],
      sets: %i[Set BestSet ComposedSet CurrentSet IndexSet InstallerSet LockSet SourceSet VendorSet],
      specifications: %i[Specification SpecSpecification IndexSpecification InstalledSpecification LocalSpecification LockSpecification VendorSpecification]
    }.each { |file, names| names.each { |name| autoload(name, "rubygems/resolver/#{file}") } }

    attr_accessor :development, :development_shallow, :ignore_dependencies, :skip_gems, :soft_missing
    attr_reader :missing, :stats

    class << self
      # One set of several; the sets of a composed one count themselves.
      def compose_sets(*sets)
        sets = sets.compact.flat_map { |set| set.is_a?(ComposedSet) && !set.is_a?(BestSet) ? set.sets : [set] }
        raise ArgumentError, "one set in the composition must be non-nil" if sets.empty?
        sets.size == 1 ? sets.first : ComposedSet.new(*sets)
      end
      # Whether a gem is for this Ruby and this RubyGems.
      def runs_here?(spec) = spec.required_ruby_version.satisfied_by?(Gem.ruby_version) && spec.required_rubygems_version.satisfied_by?(Gem.rubygems_version)
      def for_current_gems(needed) = new(needed, CurrentSet.new)
    end

    # `needed`: dependencies; what servers offer answers them if no set is given.
    def initialize(needed, set = nil)
      @needed, @set = needed, set || IndexSet.new
      @development = @development_shallow = @ignore_dependencies = @soft_missing = false
      @missing, @skip_gems, @stats, @freedom = [], {}, Stats.new, {}
    end

    # An activation for each gem, those that others need before them.
    def resolve
      @offers, @freedom = {}, {}
      Search.new(self).run(@needed.map { |dependency| DependencyRequest.new(dependency, nil) })
    ensure
      @offers = nil
    end

    # What a set has for a request: all of it, and what runs on this machine.
    def find_possible(dependency)
      all = offers(dependency)
      kept = skip_gems.fetch(dependency.name, []).map(&:version)
      same = all.select { |spec| kept.include?(spec.version) }
      all = same unless same.empty?
      [select_local_platforms(all), all]
    end
    def select_local_platforms(specs) = specs.select { |spec| Platform.installable?(spec) }

    # The candidates for a request, the best one last: by their sources, then by versions.
    def search_for(dependency)
      possible, all = find_possible(dependency)
      if possible.empty? && !@soft_missing
        @missing << dependency
        raise UnsatisfiableDependencyError.new(dependency, all).tap { |error| error.errors = @set.errors }
      end
      possible.group_by(&:source).values.reverse.flat_map do |group|
        group.sort_by { |spec| [spec.version, Platform.local =~ spec.platform ? 1 : 0] }.map { |spec| ActivationRequest.new(spec, dependency) }
      end
    end

    # What a candidate needs, as requests.
    def dependencies_for(activation) = @ignore_dependencies ? [] : requests(activation.spec, activation)

    def requests(spec, activation, found = [])
      return found if @ignore_dependencies
      spec.fetch_development_dependencies if @development
      spec.dependencies.reverse_each do |dependency|
        next if dependency.type == :development && !development_of?(activation)
        found << DependencyRequest.new(dependency, activation)
        @stats.requirement!
      end
      @set.prefetch(found)
      @stats.record_requirements(found)
      found
    end

    def requirement_satisfied_by?(request, _activated, activation)
      request.matches_spec?(activation) && (@soft_missing || Resolver.runs_here?(activation.spec))
    end
    def name_for(dependency) = dependency.name

    # Whether a gem that is not there may be left out; it is told among the missing ones.
    def allow_missing?(dependency)
      @missing << dependency
      @soft_missing
    end

    # Requests in the order in which they are decided: decided names first, then those with few choices, then those that conflicted.
    def sort_dependencies(requests, decided, conflicts)
      requests.sort_by.with_index do |request, index|
        known = decided.include?(request.name)
        [known ? 0 : 1, freedom(request), conflicts.key?(request.name) ? 0 : 1, known ? 0 : search_for(request).size, index]
      end
    end

    private

    # A search asks for the same again and again; sets would each time read specifications anew.
    def offers(request)
      return @set.find_all(request) unless @offers
      @offers[[request.dependency, request.dependency.prerelease?]] ||= @set.find_all(request)
    end

    def development_of?(activation) = @development && !(@development_shallow && (activation.development? || activation.parent))

    # How much a request leaves of what there is of its gem: the less, the smaller the number.
    def freedom(request)
      @freedom[request.name] ||= begin
        all = offers(DependencyRequest.new(Dependency.new(request.name), request.requester)).size
        all <= 1 ? all - ONLY_CHOICE : search_for(request).size - all
      end
    end
  end
end
