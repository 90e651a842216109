# Events of a parser, or of what writes documents: they become nodes, and nodes become text.
require "psych"

module Psych
  # Builds the nodes of what it is told; `root` is the stream, once it has ended.
  class TreeBuilder < Handler
    attr_reader :root

    def initialize
      @stack = []
      @last = nil
      @root = nil
      @place = nil
    end

    def event_location(*place)
      @place = place
    end

    def start_stream(encoding)
      push(begun(Nodes::Stream.new(encoding)))
    end
    def end_stream
      ended(pop).tap { |stream| @root = stream }
    end

    def start_document(version, tag_directives, implicit)
      document = begun(Nodes::Document.new(version, tag_directives, implicit))
      @last&.children&.push(document)
      push(document)
    end
    def end_document(implicit_end = !streaming?)
      @last.implicit_end = implicit_end
      ended(pop)
    end

    def start_sequence(anchor, tag, implicit, style) = nest(Nodes::Sequence.new(anchor, tag, implicit, style))
    def start_mapping(anchor, tag, implicit, style) = nest(Nodes::Mapping.new(anchor, tag, implicit, style))
    def end_sequence = ended(pop)
    def end_mapping = ended(pop)

    def scalar(value, anchor, tag, plain, quoted, style)
      add(Nodes::Scalar.new(value, anchor, tag, plain, quoted, style))
    end
    def alias(anchor) = add(Nodes::Alias.new(anchor))

    private

    def nest(node)
      @last.children << begun(node)
      push(node)
    end
    def add(node)
      node.__place = @place if @place
      @last.children << node
      node
    end
    def push(node)
      @stack.push(node)
      @last = node
    end
    def pop
      node = @stack.pop
      @last = @stack.last
      node
    end
    def begun(node)
      node.start_line, node.start_column = @place if @place
      node
    end
    def ended(node)
      node.end_line, node.end_column = @place.last(2) if @place
      node
    end
  end

  module Handlers
    # Hands every document on as soon as it has ended.
    class DocumentStream < TreeBuilder
      def initialize(&block)
        super
        @block = block
      end

      def start_document(version, tag_directives, implicit)
        push(begun(Nodes::Document.new(version, tag_directives, implicit)))
      end
      def end_document(implicit_end = !streaming?)
        @last.implicit_end = implicit_end
        @block.call(ended(pop))
      end
    end

    # Keeps what it is told.
    class Recorder < Handler
      attr_reader :events

      def initialize
        @events = []
        super
      end

      EVENTS.each do |event|
        define_method(event) { |*arguments| @events << [event, arguments] }
      end
    end
  end

  module Visitors
    # Tells an emitter of nodes.
    class Emitter < Visitor
      def initialize(io, options = {})
        super()
        settings = %i[indentation canonical line_width].select { |name| options.key?(name) }
        settings.each { |name| check_width(options[name]) if name == :line_width }
        @handler = Psych::Emitter.new(io)
        settings.each { |name| @handler.__send__("#{name}=", options[name]) }
      end

      def visit_Psych_Nodes_Stream(node)
        @handler.start_stream(node.encoding)
        node.children.each { |child| accept(child) }
        @handler.end_stream
      end
      def visit_Psych_Nodes_Document(node)
        @handler.start_document(node.version, node.tag_directives, node.implicit)
        node.children.each { |child| accept(child) }
        @handler.end_document(node.implicit_end)
      end
      def visit_Psych_Nodes_Scalar(node)
        @handler.scalar(node.value, node.anchor, node.tag, node.plain, node.quoted, node.style)
      end
      def visit_Psych_Nodes_Sequence(node)
        @handler.start_sequence(node.anchor, node.tag, node.implicit, node.style)
        node.children.each { |child| accept(child) }
        @handler.end_sequence
      end
      def visit_Psych_Nodes_Mapping(node)
        @handler.start_mapping(node.anchor, node.tag, node.implicit, node.style)
        node.children.each { |child| accept(child) }
        @handler.end_mapping
      end
      def visit_Psych_Nodes_Alias(node) = @handler.alias(node.anchor)

      private

      def check_width(width)
        raise ArgumentError, "Invalid line_width #{width}, must be non-negative or -1 for unlimited." if width && width < -1
      end
    end
  end
end
