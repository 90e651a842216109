# Specifications with the sources that they can be had from.
require "rubygems/config_file"
require "rubygems/specification"

module Gem
  class AvailableSet
    include Enumerable

    Tuple = Struct.new(:spec, :source)
    attr_reader :set
    attr_accessor :remote, :prerelease

    def initialize
      @set, @remote = [], true
    end

    def add(spec, source)
      @set << Tuple.new(spec, source)
      self
    end

    # Takes another set, or pairs.
    def <<(other)
      @set += case other
              when AvailableSet then other.set
              when Array
                other.map do |spec, source|
                  raise TypeError, "Array must be in [[spec, source], ...] form" unless spec.is_a?(Specification) && source.is_a?(Source)
                  Tuple.new(spec, source)
                end
              else raise TypeError, "must be a Gem::AvailableSet"
              end
      self
    end

    def each(&block) = block ? @set.each(&block) : enum_for(:each)
    def each_spec(&block) = block ? @set.each { |tuple| block.call(tuple.spec) } : enum_for(:each_spec)
    def all_specs = @set.map(&:spec)
    def empty? = @set.empty?
    def size = @set.size
    def source_for(spec) = @set.find { |tuple| tuple.spec == spec }.source
    # The best one first.
    def sorted
      @set.sort { |one, other| (other.spec <=> one.spec).then { |order| order.zero? ? one.source <=> other.source : order } }
    end
    def match_platform!
      @set.select! { |tuple| Platform.match_spec?(tuple.spec) }
      self
    end
    def pick_best!
      @set = sorted.first(1)
      self
    end
    def remove_installed!(dependency)
      @set.reject! { Specification.any? { |spec| spec.satisfies_requirement?(dependency) } }
      self
    end
    def inject_into_list(list) = @set.each { |tuple| list.add(tuple.spec) }
    def errors = []

    # All of them, as something to install.
    def to_request_set(development = :none)
      RequestSet.new.tap do |made|
        made.development = development == :all
        each_spec do |spec|
          made.always_install << spec
          made.gem(spec.name, spec.version)
          made.import(spec.development_dependencies) if development == :shallow
        end
      end
    end

    # What a resolver asks.
    def find_all(request)
      @set.select { |tuple| request.dependency.match?(tuple.spec) }.map { |tuple| Resolver::LocalSpecification.new(self, tuple.spec, tuple.source) }
    end
    def prefetch(_requests) = nil
  end
end
