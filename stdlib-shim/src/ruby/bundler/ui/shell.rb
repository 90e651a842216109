# Says things on the terminal: what happens on the output, warnings and errors beside it, in colours where a terminal shows them.
require "bundler/ui"

module Bundler
  module UI
    class Shell
      LEVELS = %w[silent error warn confirm info debug].freeze
      COLORS = { black: 30, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, white: 37, bold: 1, clear: 0 }.freeze
      private_constant :COLORS
      attr_writer :shell

      def initialize(options = {})
        @plain = options["no-color"]
        @level = ENV["DEBUG"] ? "debug" : "info"
        @warned = []
      end

      def add_color(text, *colors) = colored(text, $stdout, colors)
      def info(message, newline = nil) = level("info") ? say(message, nil, newline) : nil
      def confirm(message, newline = nil) = level("confirm") ? say(message, :green, newline) : nil
      def debug(message, newline = nil) = debug? ? say(message, nil, newline) : nil
      def error(message, newline = nil, color = :red) = level("error") ? complain(message, color, newline) : nil
      # The same warning comes once.
      def warn(message, newline = nil, color = :yellow)
        return if !level("warn") || @warned.include?(message)
        @warned << message
        complain(message, color, newline)
      end
      def trace(error, newline = nil, force = false)
        complain("#{error.class}: #{error.message}\n#{error.backtrace.to_a.join("\n  ")}", nil, newline) if debug? || force
      end

      def debug? = level("debug")
      def quiet? = level("quiet")
      def ask(message)
        $stdout.print("#{message} ")
        $stdin.gets&.strip
      end
      def yes?(message) = ask(message).to_s.match?(/\Ay(es)?\z/i)
      def no?(message) = ask(message).to_s.match?(/\An(o)?\z/i)

      def level=(name)
        raise ArgumentError unless LEVELS.include?(name.to_s)
        @level = name.to_s
      end

      # The level; or whether what is of this level is said.
      def level(name = nil)
        return @level unless name
        rank = LEVELS.index(name) or raise "#{name.inspect} is not a valid level"
        rank <= LEVELS.index(@level)
      end

      def silence
        before, @level = @level, "silent"
        yield
      ensure
        @level = before
      end
      def unprinted_warnings = []

      private

      def say(message, color, newline) = put($stdout, message, color, newline)
      def complain(message, color, newline) = $stderr.closed? ? nil : put($stderr, message, color, newline)

      # A blank at the end asks for no new line.
      def put(out, message, color, newline)
        newline = !message.to_s.match?(/[ \t]\z/) if newline.nil?
        text = colored(message.to_s, out, [*color])
        out.print(newline && !message.to_s.end_with?("\n") ? "#{text}\n" : text)
        out.flush
      end

      def colored(text, out, colors)
        return text if @plain || colors.empty? || !out.tty? || !ENV["NO_COLOR"].to_s.empty?
        "#{colors.map { |color| "\e[#{COLORS.fetch(color, 0)}m" }.join}#{text}\e[0m"
      end
    end
  end
end
