# The part of Erubis that Chef's templates need by themselves; any other constant of it loads the whole.
module Erubis
  # Variables of a template that runs with its own `self`.
  class Context
    include Enumerable

    def initialize(hash = nil) = hash&.each { |name, value| self[name] = value }
    def [](key) = instance_variable_get("@#{key}")
    def []=(key, value)
      instance_variable_set("@#{key}", value)
    end

    def keys = instance_variables.map { |name| name.to_s.delete_prefix("@") }

    def each
      instance_variables.each { |name| yield name.to_s.delete_prefix("@"), instance_variable_get(name) }
    end

    def to_hash = keys.to_h { |key| [key, self[key]] }
    def update(other) = (other.is_a?(Context) ? other.to_hash : other).each { |name, value| self[name] = value }
  end

  def self.const_missing(name)
    require("erubis") ? const_get(name) : super
  end
end
