# An object that stands for what a block gives, which runs when the object is first used.
class Promise < BasicObject
  def initialize(&block)
    @block = block
    @done = false
    @lock = ::Mutex.new
  end

  def __force__
    @lock.synchronize do
      unless @done
        @result = @block.call
        @done = true
      end
    end
    @result
  end

  def respond_to?(name, *) = name.to_sym == :__force__ || __force__.respond_to?(name)
  def method_missing(name, *args, &block) = __force__.__send__(name, *args, &block)
  alias force __force__
  undef_method :==, :!=, :!
end
module Kernel
  def promise(&block) = Promise.new(&block)
end
