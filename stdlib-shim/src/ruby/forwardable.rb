module Forwardable
  VERSION = "1.3.2"
  FORWARDABLE_VERSION = VERSION

  class << self
    attr_accessor :debug
  end

  CALLABLE = /\A(?:[[:alpha:]_][[:alnum:]_]*[?!]?|\[\]=?|<<|>>|<=>|===?|=~|![=~]?|[+\-~]@?|\*\*?|[\/%&|^<>`]|[<>]=)\z/
  private_constant :CALLABLE

  # Defines a method that hands on to what `accessor` gives: an instance variable, a method or an expression. It is compiled as text, so that it calls
  # nothing of the object but that.
  def self.__define(object, owner, accessor, method, ali)
    accessor = accessor.to_s unless Symbol === accessor
    known = Module === object ? object.method_defined?(accessor) || object.private_method_defined?(accessor) : object.respond_to?(accessor, true)
    accessor = "#{accessor}()" if known
    call = ".__send__(:#{method}, *args, &block)"
    if CALLABLE.match?(method)
      place, = caller_locations(2, 1)
      given = "#{Module === object ? object : object.class}##{ali} at #{place&.path}:#{place&.lineno} forwarding to private method "
      keep = "_ = "
      call = <<~RUBY
        \nif defined? _.#{method}
          _.#{method}(*args, &block)
        else
          ::Kernel.warn(#{given.dump} "\#{_.class}" '##{method}', uplevel: 1)
          _#{call}
        end
      RUBY
    end
    defined = owner.module_eval("def #{ali}(*args, &block) #{keep}begin; #{accessor}\nend#{call}\nend", "<internal:forwardable>", 15)
    owner.__send__(:ruby2_keywords, ali)
    defined
  end

  def instance_delegate(hash)
    hash.each do |methods, accessor|
      methods = [methods] unless methods.respond_to?(:each)
      methods.each { |method| def_instance_delegator(accessor, method) }
    end
  end

  def def_instance_delegators(accessor, *methods)
    methods.each do |method|
      next if %w[__send__ __id__].include?(method.to_s)
      def_instance_delegator(accessor, method)
    end
  end

  def def_instance_delegator(accessor, method, ali = method)
    Forwardable.__define(self, Module === self ? self : singleton_class, accessor, method, ali)
  end

  alias delegate instance_delegate
  alias def_delegators def_instance_delegators
  alias def_delegator def_instance_delegator
end

module SingleForwardable
  def single_delegate(hash)
    hash.each do |methods, accessor|
      methods = [methods] unless methods.respond_to?(:each)
      methods.each { |method| def_single_delegator(accessor, method) }
    end
  end

  def def_single_delegators(accessor, *methods)
    methods.each do |method|
      next if %w[__send__ __id__].include?(method.to_s)
      def_single_delegator(accessor, method)
    end
  end

  def def_single_delegator(accessor, method, ali = method)
    Forwardable.__define(self, singleton_class, accessor, method, ali)
  end

  alias delegate single_delegate
  alias def_delegators def_single_delegators
  alias def_delegator def_single_delegator
end
