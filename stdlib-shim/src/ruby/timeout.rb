module Timeout
  class ExitException < Exception; end

  # Without a class of the caller's own it leaves by a throw, so that a plain `rescue` inside cannot swallow it.
  class Error < RuntimeError
    def self.handle_timeout(message) = raise(self, message)

    attr_accessor :thread, :tag
    def exception(*)
      tag, home = @tag, @thread
      return self unless tag && home == Thread.current
      @tag = nil
      begin
        throw(tag, self)
      rescue UncaughtThrowError
        self
      end
    end
  end

  def timeout(seconds, error = nil, message = nil)
    return yield(seconds) if seconds.nil? || seconds.zero?
    message ||= "execution expired"
    caller_thread = Thread.current
    done = false
    expired = error ? nil : Error.new(message)
    watcher = Thread.new do
      sleep seconds
      next if done
      error ? caller_thread.raise(error, message) : caller_thread.raise(expired)
    end
    begin
      return yield(seconds) if error
      tag = Object.new
      expired.thread, expired.tag = caller_thread, tag
      late = true
      caught = catch(tag) { yield(seconds).tap { late = false } }
      return caught unless late && caught.equal?(expired)
      raise Error, message
    ensure
      expired.tag = nil if expired
      done = true
      watcher.kill
    end
  end
  module_function :timeout
end
