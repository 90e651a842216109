require "rexml/document"

module REXML
  module Parsers
    # Events one after another, as whoever reads asks for them.
    class PullParser
      include XMLTokens

      def initialize(stream)
        @parser = BaseParser.new(stream)
        @entities = {}
        @ahead = []
      end

      def has_next?(...) = @parser.has_next?(...)
      def empty?(...) = @parser.empty?(...)
      def entity(...) = @parser.entity(...)
      def source(...) = @parser.source(...)
      # Nothing is told to listeners: rexml keeps those of a PullParser without asking them.
      def add_listener(listener) = (@listeners ||= []) << listener

      def each
        yield pull while has_next?
      end

      # A text that is looked at ahead does not have its references replaced.
      def peek(depth = 0)
        @ahead << PullEvent.new(@parser.pull) while @ahead.length <= depth
        @ahead[depth]
      end

      def pull
        return @ahead.shift unless @ahead.empty?
        event = @parser.pull
        case event[0]
        when :entitydecl then @entities[event[1]] = event[2] unless event[2].match?(/PUBLIC|SYSTEM/)
        when :text then event << @parser.unnormalize(event[1], @entities)
        end
        PullEvent.new(event)
      end

      def unshift(event) = @ahead.unshift(event)
    end

    # An event: its kind, and by index what it tells.
    class PullEvent
      def initialize(contents)
        @contents = contents
      end

      def [](start, length = nil)
        case start
        when Range then @contents.slice(start.begin + 1..start.end)
        when Numeric then length.nil? ? @contents[start + 1] : @contents[start + 1, length]
        else raise "Illegal argument #{start.inspect} (#{start.class})"
        end
      end

      def event_type = @contents[0]
      %i(start_element end_element text comment attlistdecl elementdecl entitydecl notationdecl entity cdata xmldecl error).each do |kind|
        define_method(:"#{kind}?") { @contents[0] == kind }
      end
      def instruction? = @contents[0] == :processing_instruction
      def doctype? = @contents[0] == :start_doctype
      def inspect = "#{@contents[0]}: #{@contents[1..].inspect}"
    end
  end
end
