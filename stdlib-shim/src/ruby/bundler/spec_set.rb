# Gems that go together, those that others need before these.
module Bundler
  class SpecSet
    include Enumerable

    def initialize(specs)
      @specs = specs.to_a
    end

    def each(&block) = sorted.each(&block)
    def to_a = sorted.dup
    def to_hash = @specs.group_by(&:name)
    def length = @specs.size
    alias size length
    def empty? = @specs.empty?
    def sort! = self
    def <<(spec)
      @sorted = nil
      @specs << spec
    end
    def [](key)
      name = key.respond_to?(:name) ? key.name : key
      Index.sort_specs(@specs.select { |spec| spec.name == name })
    end
    def []=(_name, spec)
      self << spec
    end
    def -(other) = SpecSet.new(to_a - other.to_a)
    def merge(other) = SpecSet.new(to_a + other.reject { |spec| any? { |own| own.full_name == spec.full_name } })
    def find_by_name_and_platform(name, platform) = @specs.find { |spec| spec.name == name && spec.match_platform(platform) }
    def missing_specs = @specs.grep(LazySpecification)
    # A gem, and the gems by which it came in, outermost first.
    def what_required(spec)
      needing = find { |each| each.dependencies.any? { |need| need.runtime? && need.name == spec.name } }
      needing ? what_required(needing) << spec : [spec]
    end

    # What these dependencies bring in; with `check` whether all of it is there.
    def for(dependencies, check = false, _match_current_platform = true)
      waiting = dependencies.to_a.dup
      seen, found = [], []
      until waiting.empty?
        name = waiting.shift.name
        next if seen.include?(name) || name == "bundler"
        seen << name
        spec = best(name)
        return false if check && spec.nil?
        next unless spec
        found << spec
        waiting.concat(spec.dependencies.select(&:runtime?))
      end
      check || found + self["bundler"].first(1)
    end

    # The gems themselves in place of what a lock says of them; what is not there stays as it is.
    def materialize(dependencies)
      SpecSet.new(self.for(dependencies).map { |spec| spec.is_a?(LazySpecification) ? spec.__materialize__ || spec : spec })
    end

    private

    def best(name) = GemHelpers.select_best_platform_match(self[name], Bundler.local_platform).last

    def sorted
      @sorted ||= begin
        @order, @open = [], []
        @specs.sort_by(&:name).each { |spec| visit(spec) }
        [@specs.find { |spec| spec.name == "rake" }, *@order].compact.uniq
      end
    end

    def visit(spec)
      return if @order.include?(spec)
      refuse_circle(spec) if @open.include?(spec)
      @open << spec
      spec.dependencies.select(&:runtime?).sort_by(&:name).each { |need| self[need.name].reverse_each { |each| visit(each) } }
      @open.delete(spec)
      @order << spec
    end

    def refuse_circle(spec)
      return if @open.last.equal?(spec)
      first, second = @open.drop(@open.index(spec)).map(&:name)
      raise CyclicDependencyError, "Your bundle requires gems that depend on each other, creating an infinite loop. Please remove either gem '#{second}' or gem '#{first}' and try again."
    end
  end
end
