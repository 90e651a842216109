module Timeout
  VERSION = "0.2.0"

  # Without a class of the caller's own it leaves by a throw, so that a plain `rescue` inside cannot swallow it.
  class Error < RuntimeError
    attr_reader :thread

    def exception(*)
      return super unless thread == Thread.current
      begin
        throw(self, caller)
      rescue UncaughtThrowError
        super
      end
    end
  end

  def timeout(seconds, error = nil, message = nil)
    return yield(seconds) if seconds.nil? || seconds.zero?
    message ||= "execution expired"
    if Fiber.current_scheduler.respond_to?(:timeout_after)
      return Fiber.current_scheduler.timeout_after(seconds, error || Error, message) { |given| yield(given) }
    end
    unless error
      expired = Error.new(message)
      expired.instance_variable_set(:@thread, Thread.current)
    end
    body = proc { Timeout.__send__(:watched, seconds, expired || error, message) { |given| return yield(given) } }
    if error
      begin
        body.call
      rescue error => late
        nil
      end
      raise(late, late.message, Timeout.__send__(:seen_from_outside, late.backtrace))
    end
    trace = catch(expired, &body)
    raise(Error, message, Timeout.__send__(:seen_from_outside, trace))
  end
  module_function :timeout

  # The block's value; when the time is over before it, `expired` is raised in it.
  def self.watched(seconds, expired, message)
    target = Thread.current
    watcher = Thread.new do
      begin
        sleep(seconds)
      rescue => failure
        target.raise(failure)
      else
        expired.is_a?(Error) ? target.raise(expired) : target.raise(expired, message)
      end
    end
    yield(seconds)
  ensure
    if watcher
      watcher.kill
      watcher.join
    end
  end
  private_class_method :watched

  # A backtrace in which this library is one line.
  def self.seen_from_outside(trace)
    own = trace.each_index.select { |index| trace[index].start_with?("#{__FILE__}:") }
    own.pop
    trace.reject.with_index { |_, index| own.include?(index) }
  end
  private_class_method :seen_from_outside
end
