require "delegate"
require "weakref/native"

# A reference that does not keep its object: the object goes once only references like this one have it.
class WeakRef < Delegator
  VERSION = "0.1.1"

  class RefError < StandardError
  end

  def initialize(object)
    super
  end

  def __getobj__
    return @lent.object if weakref_alive?
    return yield if ::Kernel.block_given? && !defined?(@lent)
    ::Kernel.raise(RefError, "Invalid Reference - probably recycled", ::Kernel.caller(2))
  end

  def __setobj__(object)
    @lent = Lent.of(object)
  end

  def weakref_alive? = defined?(@lent) && @lent.alive? ? true : false
end
