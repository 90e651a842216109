require "rexml/document"

module REXML
  # Trees of bare Arrays: an event, its parent, what the event tells, its children.
  module Light
    class Node
      PARENTS = %i[element document doctype].freeze
      STARTS = { start_element: :element, start_doctype: :doctype, start_document: :document }.freeze
      private_constant :STARTS

      def initialize(node = nil)
        @node = node
        node = [:document, nil, nil] if node.nil?
        node[0] = STARTS.fetch(node[0], node[0]) unless node.is_a?(String)
      end

      def size = PARENTS.include?(@node[0]) ? @node[-1].size : 0
      def children = self
    end
  end

  module Parsers
    # What the two parsers of such trees share.
    class LightTree
      def initialize(stream)
        @stream = stream
        @parser = BaseParser.new(stream)
      end

      def add_listener(listener) = @parser.add_listener(listener)
      def rewind
        @stream.rewind
        @parser.stream = @stream
      end

      def parse
        root = context = document
        until (event = @parser.pull)[0] == :end_document
          if event[0] == :end_element || event[0] == :end_doctype
            context = context[1]
          else
            context << event
            holds = event[0] == :start_element || event[0] == :start_doctype
            event[1, 0] = [context] if holds || root[0] == :document
            context = event if holds
          end
        end
        root
      end
    end
    private_constant :LightTree

    # Its root is marked as a document.
    class LightParser < LightTree
      private def document = [:document]
    end

    # Its root has nothing but its children, and only what has children knows its parent.
    class UltraLightParser < LightTree
      private def document = []
    end
  end
end
