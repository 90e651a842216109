# REXML: XML documents as trees, read, changed, searched and written, as rexml 3.2.5 does it.
require "strscan"
require "stringio"

module REXML
  VERSION = "3.2.5"
  REVISION = ""
  COPYRIGHT = "Copyright © 2001-2008 Sean Russell <ser@germane-software.com>"
  Copyright = COPYRIGHT
  Version = VERSION

  class ParseException < RuntimeError
    attr_accessor :source, :parser, :continued_exception
    def initialize(message, source = nil, parser = nil, exception = nil)
      super(message)
      @source, @parser, @continued_exception = source, parser, exception
    end
    # The error that led here comes first, the place in the source last.
    def to_s
      text = +""
      text << @continued_exception.inspect << "\n" << @continued_exception.backtrace.join("\n") << "\n...\n" if @continued_exception
      text << super
      return text unless @source
      text << "\nLine: #{line}\nPosition: #{position}\nLast 80 unconsumed characters:\n"
      text << @source.buffer[0..80].dup.force_encoding("ASCII-8BIT").tr("\n", " ")
    end
    def context = @source.current_line
    def line = @source && context[2]
    def position = @source && context[0]
  end

  class UndefinedNamespaceException < ParseException
    def initialize(prefix, _source, _parser)
      super("Undefined prefix #{prefix} found")
    end
  end

  # What names are made of, as parts of patterns.
  module XMLTokens
    letters = "A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF" \
              "\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}"
    others = "\\-\\.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040"
    NAME_START_CHAR = "[:#{letters}]"
    NAME_CHAR = "[:#{letters}#{others}]"
    NAMECHAR = NAME_CHAR
    NCNAME_STR = "[#{letters}][#{letters}#{others}]*"
    NAME_STR = "(?:#{NCNAME_STR}:)?#{NCNAME_STR}"
    NAME = "(#{NAME_START_CHAR}#{NAME_CHAR}*)"
    NMTOKEN = "(?:#{NAME_CHAR})+"
    NMTOKENS = "#{NMTOKEN}(\\s+#{NMTOKEN})*"
    REFERENCE = "(?:&#{NAME};|&#\\d+;|&#x[0-9a-fA-F]+;)"
  end

  # Names with a prefix.
  module Namespace
    include XMLTokens
    SPLIT = /\A(?:(#{NCNAME_STR}):)?(#{NCNAME_STR})/
    NAMESPLIT = SPLIT
    attr_reader :name, :expanded_name
    attr_accessor :prefix

    def name=(name)
      @expanded_name = name
      if (found = SPLIT.match(name)) then @prefix, @name = found[1] || "", found[2]
      elsif name == "" then @prefix = @name = nil
      else raise ArgumentError, "name must be \#{PREFIX}:\#{LOCAL_NAME} or \#{LOCAL_NAME}: <#{name.inspect}>"
      end
    end

    def has_name?(other, namespace = nil)
      return self.namespace == namespace && name == other if namespace
      other.include?(":") ? fully_expanded_name == other : name == other
    end
    alias local_name name
    def fully_expanded_name = prefix.empty? ? name : "#{prefix}:#{name}"
  end

  # What can stand in a tree.
  module Node
    def next_sibling_node = @parent && @parent[@parent.index(self) + 1]
    def previous_sibling_node
      return nil if @parent.nil?
      at = @parent.index(self)
      at.zero? ? nil : @parent[at - 1]
    end
    def parent? = false
    def index_in_parent = parent.index(self) + 1

    def to_s(indent = nil)
      Kernel.warn("#{self.class.name}.to_s(indent) parameter is deprecated", uplevel: 1) if indent
      out = +""
      (indent ? Formatters::Pretty.new(indent) : Formatters::Default.new).write(self, out)
      out
    end

    def each_recursive(&block)
      elements.each do |node|
        block.call(node)
        node.each_recursive(&block)
      end
    end
    def find_first_recursive
      each_recursive { |node| return node if yield(node) }
      nil
    end

    # Writing by a node's own method: formatters are for that.
    def write_deprecated(name, output, indent)
      Kernel.warn("#{name} is deprecated", uplevel: 2)
      output << ((@parent&.context && @parent.context[:indentstyle]) || "  ") * indent if indent >= 1
      output
    end
    private :write_deprecated
  end

  class Child
    include Node
    attr_reader :parent

    def initialize(parent = nil)
      @parent = nil
      parent&.add(self)
    end

    def parent=(other)
      return @parent if @parent == other
      @parent&.delete(self)
      @parent = other
    end
    def remove
      @parent&.delete(self)
      self
    end
    def replace_with(other)
      @parent.replace_child(self, other)
      self
    end
    def document = parent&.document
    def bytes
      document.encoding
      to_s
    end
    alias next_sibling next_sibling_node
    alias previous_sibling previous_sibling_node
    def next_sibling=(other)
      parent.insert_after(self, other)
    end
    def previous_sibling=(other)
      parent.insert_before(self, other)
    end
  end

  class Parent < Child
    include Enumerable

    def initialize(parent = nil)
      super
      @children = []
    end

    def add(object)
      object.parent = self
      @children << object
      object
    end
    alias push add
    alias << add
    def unshift(object)
      object.parent = self
      @children.unshift(object)
    end
    def delete(object)
      at = @children.index { |each| each.equal?(object) } or return nil
      @children.delete_at(at)
      @children.reject! { |each| each.equal?(object) }
      object.parent = nil
      object
    end
    def each(&block) = @children.each(&block)
    alias each_child each
    def delete_if(&block) = @children.delete_if(&block)
    def delete_at(index) = @children.delete_at(index)
    def each_index(&block) = @children.each_index(&block)
    def [](index) = @children[index]
    def []=(*args)
      args.last.parent = self
      @children.[]=(*args)
    end

    def insert_before(place, child) = insert(place, child, 0) { |other| other.parent.insert_before(other, child) }
    def insert_after(place, child) = insert(place, child, 1) { |other| other.parent.insert_after(other, child) }

    # The last place, where a node is none of the children.
    def index(child) = @children.index { |each| each.hash == child.hash } || @children.size - 1
    def size = @children.size
    alias length size
    def to_a = @children.dup
    alias children to_a
    def parent? = true
    def replace_child(old, new)
      @children.map! { |each| each.equal?(old) ? new : each }
      old.parent = nil
      new.parent = self
    end
    def deep_clone
      copy = clone
      each { |child| copy << (child.is_a?(Parent) ? child.deep_clone : child.clone) }
      copy
    end

    private

    def insert(place, child, offset)
      if place.is_a?(String)
        yield XPath.first(self, place)
      else
        at = index(place) + offset
        child.parent&.delete(child)
        @children[at, 0] = child
        child.parent = self
      end
      self
    end
  end

  # Character data. `raw` text is written as it is; other text is escaped.
  class Text < Child
    include Comparable
    ALLOWED = "\\t\\n\\r\\u0020-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}"
    REFERENCE = /#{XMLTokens::REFERENCE}/
    NEEDS_A_SECOND_CHECK = /(<|&(?:#{XMLTokens::NAME};|#0*(?:\d+|x\h+);)?)/
    NUMERICENTITY = /&#0*((?:\d+)|(?:x[a-fA-F0-9]+));/
    attr_accessor :raw

    def initialize(text, respect_whitespace = false, parent = nil, raw = nil, entity_filter = nil, illegal = NEEDS_A_SECOND_CHECK)
      @raw = false
      @parent = @entity_filter = nil
      if parent
        super(parent)
        @raw = parent.raw
      end
      case text
      when String then @string = text.dup
      when Text
        @string, @raw, @entity_filter = text.source.dup, text.raw, text.entity_filter
      else raise "Illegal argument of type #{text.type} for Text constructor (#{text})"
      end
      @string.squeeze!(" \n\t") unless respect_whitespace
      @string.gsub!(/\r\n?/, "\n")
      @raw = raw unless raw.nil?
      @entity_filter = entity_filter if entity_filter
      Text.check(@string, illegal, doctype) if @raw
    end

    def source = @string
    attr_reader :entity_filter
    protected :source, :entity_filter

    def parent=(other)
      super
      Text.check(@string, NEEDS_A_SECOND_CHECK, doctype) if @raw && @parent
    end
    def node_type = :text
    def empty? = @string.empty?
    def clone = Text.new(self, true)
    def <<(text)
      @string << text.gsub(/\r\n?/, "\n")
      forget
      self
    end
    def <=>(other) = to_s <=> other.to_s
    def doctype = @parent&.document&.doctype
    def to_s = @raw ? @string : @normalized ||= Text.normalize(@string, doctype, @entity_filter)
    def inspect = @string.inspect
    def value = @unnormalized ||= Text.unnormalize(@string, doctype)
    def value=(text)
      @string = text.gsub(/\r\n?/, "\n")
      forget
      @raw = false
    end
    def wrap(text, width, add_newline = false)
      return text if text.length <= width
      at = text.rindex(" ", width)
      "#{"\n" if add_newline}#{text[0, at]}\n#{wrap(text[at + 1..], width)}"
    end
    def indent_text(text, level = 1, style = "\t", indent_first = true)
      return text if level < 0
      made = text.each_line.map { |line| (style * level + line).sub(/\s+$/, "") }.join
      indent_first ? made : made.strip
    end
    def write(out, indent = -1, *)
      Kernel.warn("#{self.class.name}.write is deprecated.  See REXML::Formatters", uplevel: 1)
      (indent > -1 ? Formatters::Pretty.new(indent) : Formatters::Default.new).write(self, out)
    end
    def xpath = "#{@parent.xpath}/text()"
    def write_with_substitution(out, input) = out << input.gsub(/&(?!#?[\w-]+;)|[<>"'\r]/, "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;", "'" => "&apos;", "\r" => "&#13;")

    class << self
      # Raises for a character that XML has not, and for what must be escaped.
      def check(text, pattern, _doctype)
        unless text.match?(/^[#{ALLOWED}]*$/o)
          bad = text.each_char.find { |char| !char.match?(/[#{ALLOWED}]/o) }
          raise "Illegal character #{bad.inspect} in raw string #{text.inspect}" if bad
        end
        text.scan(pattern) do
          found = $1
          number = found[/\A&#(\d+|x\h+);/, 1]
          good = number ? character(number).match?(/[#{ALLOWED}]/o) : found.end_with?(";")
          raise "Illegal character #{found.inspect} in raw string #{text.inspect}" unless good
        end
      end

      def normalize(input, doctype = nil, entity_filter = nil)
        text = input.to_s.gsub("&", "&amp;")
        (doctype ? doctype.entities : DocType::DEFAULT_ENTITIES).each_value do |entity|
          value = entity.value
          text = text.gsub(value, "&#{entity.name};") if value && !(doctype && entity_filter&.include?(entity.name))
        end
        text
      end

      def unnormalize(text, doctype = nil, filter = nil, _illegal = nil)
        sum = 0
        text.gsub(/\r\n?/, "\n").gsub(REFERENCE) do |reference|
          made = expand(reference, doctype, filter)
          sum += made.bytesize
          raise "entity expansion has grown too large" if sum > Security.entity_expansion_text_limit
          made
        end
      end

      def expand(reference, doctype, filter)
        name = reference[1...-1]
        if name.start_with?("#") then character(name[1..])
        elsif name == "amp" then "&"
        elsif filter&.include?(name) then reference
        elsif doctype then doctype.entity(name) || reference
        else DocType::DEFAULT_ENTITIES[name]&.value || reference
        end
      end

      # Numbers of characters replaced by these.
      def numeric(text) = text.gsub(NUMERICENTITY) { character($1) }

      def read_with_substitution(input, illegal = nil)
        raise ParseException, "malformed text: Illegal character #{$&} in \"#{input}\"" if illegal && input =~ illegal
        text = input.gsub(/\r\n?/, "\n")
        { "&lt;" => "<", "&gt;" => ">", "&quot;" => '"', "&apos;" => "'", "&amp;" => "&" }.each { |name, char| text = text.gsub(name, char) }
        numeric(text)
      end

      private

      # The character of a number as references have it: hexadecimal behind an x.
      def character(number) = [number.start_with?("x") ? number[1..].hex : number.to_i].pack("U")
    end

    private

    def forget = @normalized = @unnormalized = nil
  end

  class CData < Text
    START = "<![CDATA["
    STOP = "]]>"
    def initialize(first, whitespace = true, parent = nil)
      super(first, whitespace, parent, false, true, /(\]\]>)/)
    end
    def clone = CData.new(self)
    def to_s = @string
    def value = @string
    def write(output = $stdout, indent = -1, *) = write_deprecated("#{self.class.name}.write", output, indent) << START << @string << STOP
  end

  class Comment < Child
    include Comparable
    START = "<!--"
    STOP = "-->"
    attr_accessor :string
    def initialize(first, second = nil)
      super(second)
      @string = first.is_a?(Comment) ? first.string : first
    end
    alias to_s string
    def clone = Comment.new(self)
    def node_type = :comment
    def <=>(other) = other.to_s <=> @string
    def ==(other) = other.is_a?(Comment) && (other <=> self) == 0
    def write(output, indent = -1, *) = write_deprecated("Comment.write", output, indent) << START << @string << STOP
  end

  class Instruction < Child
    START = "<?"
    STOP = "?>"
    attr_accessor :target, :content
    def initialize(target, content = nil)
      case target
      when String
        super()
        @target, @content = target, content
      when Instruction
        super(content)
        @target, @content = target.target, target.content
      else raise ArgumentError, "processing instruction target must be String or REXML::Instruction: <#{target.inspect}>"
      end
      @content = @content.strip if @content
    end
    def clone = Instruction.new(self)
    def node_type = :processing_instruction
    def ==(other) = other.is_a?(Instruction) && other.target == target && other.content == content
    def inspect = "<?p-i #{target} ...?>"
    def write(output, indent = -1, *) = write_deprecated("#{self.class.name}.write", output, indent) << "#{START}#{@target}#{" #{@content}" if @content}#{STOP}"
  end
end

require "rexml/parser_core"

module REXML
  class XMLDecl < Child
    include Encoding
    DEFAULT_VERSION = "1.0"
    DEFAULT_ENCODING = "UTF-8"
    DEFAULT_STANDALONE = "no"
    START = "<?xml"
    STOP = "?>"
    attr_accessor :version, :standalone
    attr_reader :writeencoding, :writethis
    alias stand_alone? standalone

    def initialize(version = DEFAULT_VERSION, encoding = nil, standalone = nil)
      super()
      @encoding = nil
      if version.is_a?(XMLDecl)
        xmldecl(version.version, version.encoding, version.standalone)
        @writeencoding, @writethis = version.writeencoding, version.writethis
      else
        xmldecl(version, encoding, standalone)
      end
      @version ||= DEFAULT_VERSION
    end
    def xmldecl(version, encoding, standalone)
      @version = version
      self.encoding = encoding
      @standalone = standalone
    end
    def encoding=(name)
      super(name || "UTF-8")
      @writeencoding = !name.nil?
      dowrite
    end
    def old_enc=(name)
      Encoding.instance_method(:encoding=).bind_call(self, name)
    end
    def node_type = :xmldecl
    def clone = XMLDecl.new(self)
    def nowrite = @writethis = false
    def dowrite = @writethis = true
    def ==(other) = other.is_a?(XMLDecl) && other.version == version && other.encoding == encoding && other.standalone == standalone
    def self.default = new("1.0").tap(&:nowrite)
    def inspect = "#{START} ... #{STOP}"
    def write(out, *)
      return nil unless @writethis || out.is_a?(Output)
      quote = parent&.context && parent.context[:prologue_quote] == :quote ? '"' : "'"
      text = +"version=#{quote}#{@version}#{quote}"
      text << " encoding=#{quote}#{encoding}#{quote}" if @writeencoding || !encoding.match?(/\Autf-8\z/i)
      text << " standalone=#{quote}#{@standalone}#{quote}" if @standalone
      out << START << " #{text}" << STOP
    end
  end

  class Attribute
    include Node
    include Namespace
    attr_reader :element
    attr_writer :normalized

    def initialize(first, second = nil, parent = nil)
      @normalized = @unnormalized = @element = nil
      case first
      when Attribute
        self.name = first.expanded_name
        @unnormalized = first.value
        @element = second.is_a?(Element) ? second : first.element
      when String
        @element = parent
        self.name = first
        @normalized = second.to_s
      else raise "illegal argument #{first.class.name} to Attribute constructor"
      end
    end

    def element=(element)
      @element = element
      Text.check(@normalized, Text::NEEDS_A_SECOND_CHECK, doctype) if @normalized
    end
    def namespace(prefix = nil)
      prefix = self.prefix if prefix.nil?
      prefix == "" ? "" : @element.namespace(prefix)
    end
    def doctype = @element&.document&.doctype
    # Kept in the form that was asked for last.
    def to_s
      return @normalized if @normalized
      @normalized = Text.normalize(@unnormalized, doctype)
      @unnormalized = nil
      @normalized
    end
    def value
      return @unnormalized if @unnormalized
      @unnormalized = Text.unnormalize(@normalized, doctype)
      @normalized = nil
      @unnormalized
    end
    def to_string
      return "#{@expanded_name}=\"#{to_s.gsub('"', "&quot;")}\"" if @element&.context && @element.context[:attribute_quote] == :quote
      "#{@expanded_name}='#{to_s.gsub("'", "&apos;")}'"
    end
    def node_type = :attribute
    def clone = Attribute.new(self)
    def ==(other) = other.is_a?(Attribute) && name == other.name && value == other.value
    def hash = name.hash + value.hash
    def remove = @element&.attributes&.delete(name)
    def write(out, _indent = -1) = out << to_string
    def inspect = write(+"")
    def xpath = "#{@element.xpath}/@#{expanded_name}"
  end
end

require "rexml/element_core"
require "rexml/formatters/core"
require "rexml/xpath_core"
