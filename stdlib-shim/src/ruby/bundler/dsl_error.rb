# A Gemfile that cannot be read, with the line that is to blame.
module Bundler
  class Dsl
    class DSLError < GemfileError
      attr_reader :description, :dsl_path, :backtrace

      def initialize(description, dsl_path, backtrace, contents = nil)
        super()
        @description, @dsl_path, @backtrace, @contents = description, dsl_path, backtrace, contents
        @status = $!.status_code if $!.respond_to?(:status_code)
      end

      def status_code = @status || super
      def contents = @contents ||= dsl_path && File.exist?(dsl_path) && File.read(dsl_path)
      def to_s = @to_s ||= compose

      private

      INDENT = " #  ".freeze
      RULE = "#{INDENT}-------------------------------------------\n".freeze
      private_constant :INDENT, :RULE

      def compose
        place, text = place_in_description
        head = "\n[!] #{text}. Bundler cannot continue.\n"
        return head unless backtrace && dsl_path && contents
        place = backtrace.find { |line| line.include?(dsl_path.to_s) } || place
        place ? "#{head}\n#{INDENT}from #{place.sub(/:in.*$/, "")}\n#{RULE}#{excerpt(place.split(":")[1].to_i - 1)}#{RULE}" : head
      end

      # The line, between the one before and the one after it.
      def excerpt(number)
        lines = contents.lines
        text = number.zero? ? "" : "#{INDENT}#{lines[number - 1]}"
        text += " >  #{lines[number]}"
        text += "#{INDENT}#{lines[number + 1]}" unless number == lines.size - 1
        text.end_with?("\n") ? text : "#{text}\n"
      end

      # A syntax error says where it is in its message only.
      def place_in_description
        return [nil, description] unless dsl_path
        place = description[/(?:#{Regexp.quote(File.expand_path(dsl_path))}|#{Regexp.quote(dsl_path.to_s)}):\d+/] or return [nil, description]
        [place, description.sub(/\n.*\n(\.\.\.)? *\^~+$/, "").sub(/#{Regexp.quote(place)}:\s*/, "").sub("\n", " - ")]
      end
    end
  end
end
