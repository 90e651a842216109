# Methods of a delegating class see their own block; frameworks that ask for events of TracePoint that are not there go on.
require "delegate"
class Wrapped < DelegateClass(Array)
  def given = block_given?
  def out
    begin
      yield(self)
    ensure
      push(:done)
    end
  end
end
wrapped = Wrapped.new([])
p wrapped.given, wrapped.given {}
wrapped.out { |w| w << 1 }
p wrapped.__getobj__
p SimpleDelegator.new([1]).instance_eval { [block_given?, map { |x| x + 1 }] }
begin
  TracePoint.new(:no_such_event) {}
rescue ArgumentError => e
  p e.message
end
