class Chef
  # Definitions by name, created in Ruby code instead of a definition file.
  class ResourceDefinitionList
    include Chef::Mixin::FromFile
    attr_accessor :defines

    def initialize = @defines = {}

    def define(name, defaults = nil, &block)
      made = ResourceDefinition.new
      made.define(name, defaults, &block)
      @defines[name] = made
      true
    end
  end

  class ResourceDefinition
    attr_accessor :name, :params, :recipe, :node

    def define(name, defaults = nil, &block)
      raise ArgumentError, "the name of a definition must be a Symbol, not #{name.inspect}" unless name.is_a?(Symbol)
      raise ArgumentError, "the defaults of a definition must be a Hash, not #{defaults.inspect}" unless defaults.nil? || defaults.is_a?(Hash)
      raise ArgumentError, "definition #{name} needs a block" unless block

      @name = name
      @params = defaults || {}
      @recipe = block
      # recipes call it by its name from now on
      self.class.send(:register, name, @params, &block)
      true
    end

    def to_s = name.to_s
  end
end
