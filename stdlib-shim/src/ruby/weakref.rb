require "delegate"

# A reference that does not say what it refers to; the object lives as long as the reference here.
class WeakRef < Delegator
  class RefError < StandardError
  end

  def initialize(object)
    super
  end

  def __getobj__
    return @delegate_object if defined?(@delegate_object)
    return yield if ::Kernel.block_given?
    ::Kernel.raise(RefError, "Invalid Reference - probably recycled", ::Kernel.caller(2))
  end

  def __setobj__(object)
    @delegate_object = object
  end

  def weakref_alive? = defined?(@delegate_object) ? true : false
end
