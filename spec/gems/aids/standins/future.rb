# A promise whose block begins to run at once.
require "promise"
class Future < Promise
  def initialize(&block)
    @promise = ::Promise.new(&block)
    @thread = ::Thread.new { @promise.__force__ }
  end

  def __force__
    @thread.join
    @promise.__force__
  end
end
module Kernel
  def future(&block) = Future.new(&block)
end
