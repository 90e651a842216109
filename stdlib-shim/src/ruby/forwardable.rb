module Forwardable
  VERSION = "1.3.2"
  FORWARDABLE_VERSION = VERSION

  class << self
    attr_accessor :debug
  end

  # The body of a method that hands on to what `accessor` gives: an instance variable, a method or an expression.
  def self.__body(accessor, method)
    accessor = accessor.to_s
    fetch = accessor.match?(/\A@[a-z_]\w*\z/i) ? :variable : accessor.match?(/\A[a-z_]\w*[?!]?\z/) ? :method : :expression
    body = proc do |*args, &block|
      target = case fetch
               when :variable then instance_variable_get(accessor)
               when :method then respond_to?(accessor, true) ? __send__(accessor) : instance_eval(accessor)
               else instance_eval(accessor)
               end
      target.__send__(method, *args, &block)
    end
    body.ruby2_keywords
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
    body = Forwardable.__body(accessor, method)
    is_a?(Module) ? define_method(ali, &body) : define_singleton_method(ali, &body)
    ali.to_sym
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
    define_singleton_method(ali, &Forwardable.__body(accessor, method))
    ali.to_sym
  end

  alias delegate single_delegate
  alias def_delegators def_single_delegators
  alias def_delegator def_single_delegator
end
