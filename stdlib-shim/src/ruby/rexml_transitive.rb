require "rexml/document"

module REXML
  module Formatters
    # Writes the space inside of tags, so that text stays as it is.
    class Transitive < Default
      def initialize(indentation = 2, ie_hack = false)
        super(ie_hack)
        @indentation, @level = indentation, 0
      end

      protected

      def attributes_of(node) = node.attributes.to_a

      def write_element(node, output)
        write_tag(node, output)
        output << "\n" << " " * @level
        if node.children.empty?
          output << (@ie_hack ? " />" : "/>")
          return
        end
        output << ">"
        @level += @indentation
        node.children.each { |child| write(child, output) }
        @level -= @indentation
        output << "</#{node.expanded_name}\n" << " " * @level << ">"
      end
    end
  end
end
