# Shows what went wrong without where.
module Bundler
  module FriendlyErrors
    class << self
      def enable! = @disabled = false
      def disable! = @disabled = true
      def disabled? = @disabled

      def guard
        enable!
        yield
      rescue SignalException, SystemExit
        raise
      rescue Exception => error
        raise if disabled? || error.is_a?(LoadError)
        log_error(error)
        exit exit_status(error)
      end

      def log_error(error)
        Bundler.ui.error(error.is_a?(BundlerError) || error.is_a?(Gem::InvalidSpecificationException) ? error.message : "#{error.class}: #{error.message}")
        Bundler.ui.trace(error.respond_to?(:orig_exception) ? error.orig_exception : error)
      end

      def exit_status(error) = error.is_a?(BundlerError) ? error.status_code : 1
    end
  end
end
