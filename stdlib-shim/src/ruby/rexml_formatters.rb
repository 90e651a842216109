module REXML
  # How a tree is written: `Default` as it is, `Pretty` indented with text wrapped, `Transitive` with the space inside of tags.
  module Formatters
    class Default
      def initialize(ie_hack = false)
        @ie_hack = ie_hack
      end

      def write(node, output)
        case node
        when Document then write_document(node, output)
        when Element then write_element(node, output)
        when CData then write_cdata(node, output)
        when Text then write_text(node, output)
        when Comment then write_comment(node, output)
        else node.write(output)
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
      def write_comment(node, output) = node.write(output)
      def write_cdata(node, output) = node.write(output)
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
        first, second = node.children
        last = node.children.last
        node.children.each do |child|
          # text that is as the last child's is left out
          next if child.instance_of?(Text) && last.instance_of?(Text) && child.to_s == last.to_s
          hidden = child.equal?(second) && first.is_a?(XMLDecl) && !first.writethis
          output << "\n" unless child.equal?(first) || child.instance_of?(Text) || hidden
          blank?(child) ? output << " " : write(child, output)
        end
      end

      def attributes_of(node) = node.attributes.to_a

      def blank?(child) = child.instance_of?(Text) && child.to_s.strip.empty?

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
        return false unless text.length + @level < @width
        output << text << "</#{node.expanded_name}>"
        true
      end

      def write_text(node, output)
        text = node.to_s.gsub(/\s/, " ").squeeze(" ")
        output << indent(wrap(text, @width - @level), @level)
      end

      def write_comment(node, output)
        output << " " * @level
        super
      end

      def write_cdata(node, output)
        output << " " * @level
        super
      end

      def indent(text, level) = level < 1 ? text : text.gsub(/^(?=.)/, " " * level)

      def wrap(text, width)
        lines = []
        while text.length > width
          at = text.rindex(" ", width) || text.index(" ", width)
          break unless at
          lines << text[0...at]
          text = text[at + 1..]
        end
        (lines << text).join("\n")
      end
    end

    class Transitive < Default
      def initialize(indentation = 2, ie_hack = false)
        super(ie_hack)
        @indentation, @level = indentation, 0
      end

      protected

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
