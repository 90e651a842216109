module REXML
  # How a tree is written: `Default` as it is, `Pretty` indented with text wrapped, `Transitive` with the space inside of tags.
  module Formatters
    class Default
      def initialize(ie_hack = false)
        @ie_hack = ie_hack
      end

      def write(node, output)
        case node
        when Document
          output = Output.new(output, node.encoding) if node.encoding != "UTF-8" && !output.is_a?(Output)
          write_document(node, output)
        when Element then write_element(node, output)
        when CData then write_cdata(node, output)
        when Text then write_text(node, output)
        when Comment then write_comment(node, output)
        when Instruction then write_instruction(node, output)
        when Declaration, NotationDecl, ExternalEntity, Entity, Attribute, AttlistDecl then node.write(output, -1)
        when DocType, XMLDecl then node.write(output)
        else raise Exception, "XML FORMATTING ERROR"
        end
      end

      protected

      def write_document(node, output) = node.children.each { |child| write(child, output) }

      def write_tag(node, output)
        output << "<#{node.expanded_name}"
        attributes_of(node).each do |attribute|
          output << " "
          attribute.write(output)
        end
      end

      def attributes_of(node) = node.attributes.to_a.sort_by(&:name)

      def write_element(node, output)
        write_tag(node, output)
        if node.children.empty?
          output << (@ie_hack ? " />" : "/>")
          return
        end
        output << ">"
        node.children.each { |child| write(child, output) }
        output << "</#{node.expanded_name}>"
      end

      def write_text(node, output) = output << node.to_s
      def write_comment(node, output) = output << Comment::START << node.to_s << Comment::STOP
      def write_cdata(node, output) = output << CData::START << node.to_s << CData::STOP
      def write_instruction(node, output) = output << "#{Instruction::START}#{node.target}#{" #{node.content}" if node.content}#{Instruction::STOP}"
    end

    class Pretty < Default
      attr_accessor :compact, :width

      def initialize(indentation = 2, ie_hack = false)
        super(ie_hack)
        @indentation, @level = indentation, 0
        @width = 80
        @compact = false
      end

      protected

      def write_document(node, output)
        children = node.children
        children.each do |child|
          # text that is as the last child's is left out
          next if child == children.last && child.instance_of?(Text)
          hidden = child == children[1] && !children[0].writethis
          output << "\n" unless child == children[0] || child.instance_of?(Text) || hidden
          write(child, output)
        end
      end

      def attributes_of(node) = node.attributes.to_a

      def blank?(child) = child.is_a?(Text) && child.to_s.strip.empty?

      def write_element(node, output)
        output << " " * @level
        write_tag(node, output)
        if node.children.empty?
          output << (@ie_hack ? " />" : "/>")
          return
        end
        output << ">"
        return if compact && written_on_one_line(node, output)
        output << "\n"
        @level += @indentation
        node.children.each do |child|
          next if blank?(child)
          write(child, output)
          output << "\n"
        end
        @level -= @indentation
        output << " " * @level << "</#{node.expanded_name}>"
      end

      def written_on_one_line(node, output)
        return false unless node.children.all? { |child| child.is_a?(Text) }
        old = @level
        @level = 0
        text = +""
        node.children.each { |child| write(child, text) }
        @level = old
        return false unless text.length < @width
        output << text << "</#{node.expanded_name}>"
        true
      end

      # The node's own text is squeezed, and stays so.
      def write_text(node, output)
        text = node.to_s
        text.gsub!(/\s/, " ")
        text.squeeze!(" ")
        output << " " * @level << wrap(text, @width - @level).gsub("\n", "\n#{" " * @level}")
      end

      def write_comment(node, output)
        output << " " * @level
        super
      end

      def write_cdata(node, output)
        output << " " * @level
        super
      end

      def wrap(text, width)
        lines = []
        while text.length > width && (at = text.rindex(" ", width))
          lines << text[0...at]
          text = text[at + 1..]
        end
        (lines << text).join("\n")
      end
    end
  end
end
