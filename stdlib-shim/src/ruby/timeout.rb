module Timeout
  class ExitException < Exception; end

  class Error < RuntimeError
    def self.handle_timeout(message) = raise(self, message)
  end

  def timeout(seconds, error = nil, message = nil)
    return yield(seconds) if seconds.nil? || seconds.zero?
    message ||= "execution expired"
    caller_thread = Thread.current
    done = false
    watcher = Thread.new do
      sleep seconds
      caller_thread.raise(error || Error, message) unless done
    end
    begin
      yield(seconds)
    ensure
      done = true
      watcher.kill
    end
  end
  module_function :timeout
end
