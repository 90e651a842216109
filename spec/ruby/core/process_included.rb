# What Process's functions are in a class that includes it, and what a program makes of them.
class Clock
  include Process
  def now = clock_gettime(CLOCK_MONOTONIC).class
  def parent = ppid.class
end
p Clock.new.now, Clock.new.parent, Clock.new.respond_to?(:wait), Clock.private_method_defined?(:wait), Clock.private_method_defined?(:last_status)
module Process
  class << self
    alias_method :old_clock_gettime, :clock_gettime
  end
  undef clock_gettime
  def clock_gettime(*) = [:mine, old_clock_gettime(CLOCK_MONOTONIC).class]
  module_function :clock_gettime
end
p Process.clock_gettime
p Gem.configuration.rubygems_api_key, Gem.configuration.api_keys
