# A parser of JSON that comes in pieces; the examples give it none.
module JSON
  module Stream
    class ParserError < StandardError; end
    class Parser
      def initialize(*, &block) = instance_eval(&block)
      %i[start_document end_document start_object end_object start_array end_array key value].each { |name| define_method(name) { |*, &block| nil } }
      def <<(*) = self
    end
  end
end
