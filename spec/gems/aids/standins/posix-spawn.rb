# A small stand-in for posix-spawn: a child whose output is collected.
require "open3"
module POSIX
  module Spawn
    class MaximumOutputExceeded < StandardError; end
    class TimeoutExceeded < StandardError; end
    class Child
      attr_reader :out, :err, :status, :runtime

      def initialize(*words)
        options = words.last.is_a?(Hash) ? words.pop : {}
        environment = words.first.is_a?(Hash) ? words.shift : {}
        kept = options.slice(:chdir, :umask, :pgroup, :unsetenv_others)
        started = Time.now
        @out, @err, @status = Open3.capture3(environment.transform_values { |value| value&.to_s }, *words.map(&:to_s), **kept, stdin_data: options[:input].to_s, binmode: true)
        @runtime = Time.now - started
        raise MaximumOutputExceeded if options[:max].to_i.positive? && @out.bytesize + @err.bytesize > options[:max]
      end

      def success? = @status&.success?
    end
  end
end
