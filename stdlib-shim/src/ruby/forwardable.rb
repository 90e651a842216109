module Forwardable
  def instance_delegate(hash)
    hash.each { |methods, accessor| Array(methods).each { |method| def_instance_delegator(accessor, method) } }
  end
  alias delegate instance_delegate

  def def_instance_delegators(accessor, *methods)
    methods.each { |method| def_instance_delegator(accessor, method) unless %w(__send__ __id__).include?(method.to_s) }
  end
  alias def_delegators def_instance_delegators

  def def_instance_delegator(accessor, method, ali = method)
    accessor = accessor.to_s
    body = proc do |*args, **options, &block|
      target = accessor.start_with?("@") ? instance_variable_get(accessor) : instance_eval(accessor)
      target.__send__(method, *args, **options, &block)
    end
    is_a?(Module) ? define_method(ali, &body) : define_singleton_method(ali, &body)
    ali.to_sym
  end
  alias def_delegator def_instance_delegator
end

module SingleForwardable
  def def_single_delegator(accessor, method, ali = method)
    accessor = accessor.to_s
    define_singleton_method(ali) { |*args, **options, &block| (accessor.start_with?("@") ? instance_variable_get(accessor) : instance_eval(accessor)).__send__(method, *args, **options, &block) }
  end
  alias def_delegator def_single_delegator

  def def_single_delegators(accessor, *methods) = methods.each { |method| def_single_delegator(accessor, method) }
  alias def_delegators def_single_delegators
end
