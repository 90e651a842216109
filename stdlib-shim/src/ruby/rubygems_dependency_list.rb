# Specifications, and in which order they depend on one another.
require "rubygems/specification"
require "rubygems/tsort"

module Gem
  class DependencyList
    include Enumerable
    include Gem::TSort

    attr_reader :specs
    attr_accessor :development

    def self.from_specs = new.tap { |list| list.add(*Specification.to_a) }

    def initialize(development = false)
      @specs, @development = [], development
    end

    def add(*gemspecs) = @specs.concat(gemspecs)
    def clear = @specs.clear
    # Gems before those that they need; of several versions the newest, in the place of the first.
    def dependency_order
      newest = {}
      strongly_connected_components.flatten.each { |spec| newest[spec.name] = spec if !newest[spec.name] || newest[spec.name].version < spec.version }
      newest.values.reverse
    end
    def each(&) = dependency_order.each(&)
    def find_name(full_name) = @specs.find { |spec| spec.full_name == full_name }
    def inspect = "#{Kernel.instance_method(:to_s).bind_call(self)[..-2]} #{map(&:full_name).inspect}>"
    def ok? = why_not_ok?(:quick).empty?

    # Dependencies that neither the list nor what is installed has, by the names of those that need them.
    def why_not_ok?(quick = false)
      missing = Hash.new { |hash, name| hash[name] = [] }
      each do |spec|
        spec.runtime_dependencies.each do |dependency|
          next if Specification.any? { |each| each.satisfies_requirement?(dependency) } || @specs.any? { |each| each.satisfies_requirement?(dependency) }
          missing[spec.name] << dependency
          return missing if quick
        end
      end
      missing
    end

    # Whether all that need a gem can have another version of it.
    def ok_to_remove?(full_name, check_dev = true)
      gem = find_name(full_name) or return true
      others = @specs.select { |spec| spec.name == gem.name && spec.full_name != full_name }
      needs = @specs.flat_map { |spec| check_dev ? spec.dependencies : spec.runtime_dependencies }.select { |dependency| gem.satisfies_requirement?(dependency) }
      needs.all? { |dependency| others.any? { |spec| spec.satisfies_requirement?(dependency) } }
    end

    def remove_specs_unsatisfied_by(dependencies)
      specs.reject! { |spec| dependencies[spec.name] && !dependencies[spec.name].requirement.satisfied_by?(spec.version) }
    end
    def remove_by_name(full_name) = @specs.delete_if { |spec| spec.full_name == full_name }

    # Specifications, and those that need them.
    def spec_predecessors
      sorted = @specs.sort.reverse
      found = Hash.new { |hash, spec| hash[spec] = [] }
      sorted.product(sorted) do |spec, other|
        other.dependencies.each { |dependency| found[spec] << other if spec != other && spec.satisfies_requirement?(dependency) }
      end
      found
    end

    def tsort_each_node(&) = @specs.each(&)
    def tsort_each_child(node)
      needed = @development ? node.runtime_dependencies + node.development_dependencies : node.runtime_dependencies
      needed.each { |dependency| (spec = @specs.select { |each| each.satisfies_requirement?(dependency) }.max) && yield(spec) }
    end
  end
end
