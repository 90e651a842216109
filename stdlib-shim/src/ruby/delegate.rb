# An object that hands calls on to another.
class Delegator < BasicObject
  VERSION = "0.2.0"
  kernel = ::Kernel.dup
  kernel.class_eval do
    alias_method :__raise__, :raise
    %i[to_s =~ !~ === <=> hash inspect].each { |name| undef_method(name) if method_defined?(name) || private_method_defined?(name) }
    private_instance_methods.each { |name| undef_method(name) unless %i[__raise__ block_given? iterator? respond_to_missing? __method__ __callee__ __dir__ initialize_copy initialize_clone initialize_dup].include?(name) }
  end
  include kernel

  def self.const_missing(name) = ::Object.const_get(name)

  def initialize(object) = __setobj__(object)

  def method_missing(name, *args, &block)
    reachable = true
    target = __getobj__ { reachable = false }
    if reachable && target_responds?(target, name, false)
      target.__send__(name, *args, &block)
    elsif ::Kernel.method_defined?(name) || ::Kernel.private_method_defined?(name)
      ::Kernel.instance_method(name).bind_call(self, *args, &block)
    else
      super(name, *args, &block)
    end
  end
  ruby2_keywords(:method_missing)

  def respond_to_missing?(name, include_private)
    reachable = true
    target = __getobj__ { reachable = false }
    return false unless reachable
    answers = target_responds?(target, name, include_private)
    if answers && include_private && !target_responds?(target, name, false)
      ::Kernel.warn("delegator does not forward private method \##{name}", uplevel: 3)
      return false
    end
    answers
  end

  # A BasicObject has no respond_to? unless it defines one.
  def target_responds?(target, name, include_private)
    return target.respond_to?(name, include_private) if ::Object === target
    asked = ::Kernel.instance_method(:respond_to?)
    return target.respond_to?(name, include_private) if asked.bind_call(target, :respond_to?)
    asked.bind_call(target, name, include_private)
  end
  private :target_responds?

  def methods(all = true) = __getobj__.methods(all) | super
  def public_methods(all = true) = __getobj__.public_methods(all) | super
  def protected_methods(all = true) = __getobj__.protected_methods(all) | super
  def ==(other) = other.equal?(self) || __getobj__ == other
  def !=(other) = !other.equal?(self) && __getobj__ != other

  def eql?(other)
    return true if other.equal?(self)
    other.eql?(__getobj__)
  end

  def ! = !__getobj__
  def to_s(...) = __getobj__.to_s(...)

  def inspect(...)
    target = __getobj__ { return ::Kernel.instance_method(:inspect).bind_call(self) }
    target.inspect(...)
  end

  def hash = __getobj__.hash
  def =~(other) = __getobj__ =~ other
  def !~(other) = __getobj__ !~ other
  def ===(other) = __getobj__ === other
  def <=>(other) = __getobj__ <=> other

  def __getobj__ = __raise__(::NotImplementedError, "need to define `__getobj__'")
  def __setobj__(_object) = __raise__(::NotImplementedError, "need to define `__setobj__'")

  def marshal_dump
    names = instance_variables.reject { |name| name.start_with?("@delegate_") }
    [:__v2__, names, names.map { |name| instance_variable_get(name) }, __getobj__]
  end

  def marshal_load(data)
    version, names, values, object = data
    if version == :__v2__
      names.each_with_index { |name, index| instance_variable_set(name, values[index]) }
      __setobj__(object)
    else
      __setobj__(data)
    end
  end

  def initialize_clone(other, freeze: nil) = __setobj__(other.__getobj__.clone(freeze: freeze))
  def initialize_dup(other) = __setobj__(other.__getobj__.dup)
  private :initialize_clone, :initialize_dup

  def freeze
    __getobj__.freeze
    super()
  end

  def self.public_api = @public_api ||= public_instance_methods
end

class SimpleDelegator < Delegator
  def __getobj__
    unless defined?(@delegate_sd_obj)
      return yield if ::Kernel.block_given?
      __raise__(::ArgumentError, "not delegated")
    end
    @delegate_sd_obj
  end

  def __setobj__(object)
    __raise__(::ArgumentError, "cannot delegate to self") if equal?(object)
    @delegate_sd_obj = object
  end
end

# A class whose instances hand the methods of `superclass` on to an object of it.
def DelegateClass(superclass, &block)
  klass = Class.new(Delegator)
  own = Delegator.public_api + %i[to_s inspect =~ !~ === !]
  forwarded = superclass.instance_methods - own
  hidden = superclass.protected_instance_methods - own
  klass.class_eval do
    def __getobj__
      unless defined?(@delegate_dc_obj)
        return yield if ::Kernel.block_given?
        __raise__(::ArgumentError, "not delegated")
      end
      @delegate_dc_obj
    end

    def __setobj__(object)
      __raise__(::ArgumentError, "cannot delegate to self") if equal?(object)
      @delegate_dc_obj = object
    end

    forwarded.each do |name|
      define_method(name) { |*args, &given| __getobj__.__send__(name, *args, &given) }
      ruby2_keywords(name)
    end
    hidden.each do |name|
      protected(name)
    end
  end
  klass.define_singleton_method(:public_instance_methods) { |all = true| super(all) | superclass.public_instance_methods }
  klass.define_singleton_method(:protected_instance_methods) { |all = true| super(all) | superclass.protected_instance_methods }
  klass.define_singleton_method(:instance_methods) { |all = true| super(all) | superclass.instance_methods }
  klass.define_singleton_method(:public_instance_method) do |name|
    super(name)
  rescue NameError
    raise unless superclass.public_instance_methods.include?(name)
    superclass.public_instance_method(name)
  end
  klass.define_singleton_method(:instance_method) do |name|
    super(name)
  rescue NameError
    raise unless superclass.instance_methods.include?(name)
    superclass.instance_method(name)
  end
  klass.module_eval(&block) if block
  klass
end
