# REXML: XML documents as trees, read, changed, searched and written.
require "strscan"
require "stringio"

module REXML
  VERSION = "3.2.5"
  COPYRIGHT = ""

  class ParseException < RuntimeError
    attr_accessor :source, :parser, :continued_exception
    def initialize(message, source = nil, parser = nil, exception = nil)
      super(message)
      @source, @parser, @continued_exception = source, parser, exception
    end
    def line = @source.is_a?(StringScanner) ? @source.string.byteslice(0, @source.pos).count("\n") + 1 : nil
    def position = @source.is_a?(StringScanner) ? @source.pos : nil
  end

  class UndefinedNamespaceException < ParseException
    def initialize(prefix, source = nil, parser = nil)
      super("Undefined prefix #{prefix} found", source, parser)
    end
  end

  module Namespace
    attr_reader :name, :expanded_name
    attr_accessor :prefix

    def name=(name)
      @expanded_name = name
      @prefix, @name = name.include?(":") ? name.split(":", 2) : ["", name]
    end

    def has_name?(other, namespace = nil)
      return namespace == self.namespace && name == fully_expanded_name.split(":").last if namespace
      other.include?(":") ? fully_expanded_name == other : name == other
    end
    def local_name = @name
    def fully_expanded_name = prefix.to_s.empty? ? name : "#{prefix}:#{name}"
  end

  # What can stand in a tree.
  module Node
    def next_sibling_node = parent && (index = parent.index(self)) && parent[index + 1]
    def previous_sibling_node
      return nil unless parent
      index = parent.index(self)
      index && index > 0 ? parent[index - 1] : nil
    end
    def parent? = false

    def to_s(indent = nil)
      out = +""
      formatter = indent && indent > -1 ? Formatters::Pretty.new(indent) : Formatters::Default.new
      formatter.write(self, out)
      out
    end

    def index_in_parent = parent.index(self) + 1

    def each_recursive(&block)
      elements.each do |node|
        block.call(node)
        node.each_recursive(&block)
      end
    end

    def find_first_recursive(&block)
      each_recursive { |node| return node if block.call(node) }
      nil
    end
  end

  class Child
    include Node
    attr_reader :parent

    def initialize(parent = nil)
      @parent = nil
      parent&.add(self)
    end

    def parent=(other)
      return if @parent.equal?(other)
      @parent&.delete(self)
      @parent = other
    end
    def place_in(other)
      @parent = other
    end
    protected :place_in

    def remove
      @parent&.delete(self)
      self
    end

    def replace_with(other)
      @parent.replace_child(self, other)
      self
    end
    def bytes = document&.encoding
    def document = parent&.document
    def next_sibling = next_sibling_node
    def previous_sibling = previous_sibling_node
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
      @children = []
      super
    end

    def add(object)
      object.parent = self
      @children << object unless @children.any? { |each| each.equal?(object) }
      object
    end
    alias push add
    alias << add

    def unshift(object)
      object.parent = self
      @children.unshift(object)
    end

    def delete(object)
      found = @children.find { |each| each.equal?(object) } or return nil
      @children.reject! { |each| each.equal?(found) }
      found.__send__(:place_in, nil)
      found
    end

    def each(&block)
      return to_enum(:each) unless block
      @children.dup.each(&block)
    end
    alias each_child each
    def delete_if(&block) = @children.dup.each { |each| delete(each) if block.call(each) }
    def delete_at(index) = (found = @children[index]) && delete(found)
    def each_index(&block) = @children.each_index(&block)
    def [](*index) = @children[*index]
    def []=(index, *rest)
      object = rest.last
      object.parent = self
      rest.size > 1 ? @children[index, rest[0]] = object : @children[index] = object
    end
    def index(child) = @children.index { |each| each.equal?(child) }
    def size = @children.size
    alias length size
    def to_a = @children.dup
    alias children to_a
    def parent? = true

    def insert_before(place, child)
      place = XPath.first(self, place) if place.is_a?(String)
      holder = place.parent
      child.parent = holder
      holder.place_at(holder.index(place), child)
      self
    end

    def insert_after(place, child)
      place = XPath.first(self, place) if place.is_a?(String)
      holder = place.parent
      child.parent = holder
      holder.place_at(holder.index(place) + 1, child)
      self
    end

    def place_at(index, child) = @children.insert(index, child)
    protected :place_at

    def replace_child(old, new)
      new.parent = self
      @children[index(old)] = new
      old.__send__(:place_in, nil)
    end

    def deep_clone
      copy = clone
      each { |child| copy.add(child.is_a?(Parent) ? child.deep_clone : child.clone) }
      copy
    end
  end

  # Character data. What was read is kept as it was written (`raw`); what is set is escaped when written.
  class Text < Child
    include Comparable
    attr_accessor :raw
    SPECIAL = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;", "'" => "&apos;" }.freeze
    NAMED = { "amp" => "&", "lt" => "<", "gt" => ">", "quot" => '"', "apos" => "'" }.freeze

    def initialize(text, respect_whitespace = false, parent = nil, raw = nil, _entity_filter = nil, _illegal = nil)
      @raw = false
      if text.is_a?(Text)
        @string = text.source.dup
        @raw = text.raw
      else
        @string = text.to_s.dup
        @string.gsub!(/\r\n?/, "\n")
      end
      @raw = raw unless raw.nil?
      @string.squeeze!(" \n\t") unless respect_whitespace
      if @raw && (bad = @string[/<|&(?!#\d+;|#x\h+;|[A-Za-z_:][\w:.-]*;)/])
        raise "Illegal character #{bad.inspect} in raw string #{@string.inspect}"
      end
      super(parent)
    end

    def source = @string
    protected :source
    def node_type = :text
    def empty? = @string.empty?
    def clone = Text.new(self, true)
    def value = @raw ? Text.unnormalize(@string, doctype) : @string
    def value=(text)
      @string = text.gsub(/\r\n?/, "\n")
      @raw = false
    end
    def doctype = document&.doctype
    def to_s = @raw ? @string : Text.normalize(@string)
    def inspect = @string.inspect
    def <=>(other) = to_s <=> other.to_s
    def <<(text)
      @string << text.gsub(/\r\n?/, "\n")
      self
    end
    def write(out, _indent = -1, *) = out << to_s
    def xpath = "#{parent.xpath}/text()"

    def self.normalize(text, *) = text.to_s.gsub(/[&<>"']/, SPECIAL)

    def self.unnormalize(text, doctype = nil, *)
      text.gsub(/\r\n?/, "\n").gsub(/&(?:#(\d+)|#x(\h+)|([^;\s]+));/) do |whole|
        if $1 then [$1.to_i].pack("U")
        elsif $2 then [$2.hex].pack("U")
        else NAMED[$3] || doctype&.entity($3) || whole
        end
      end
    end
  end

  class CData < Text
    def initialize(text, respect_whitespace = true, parent = nil)
      super(text, true, parent)
    end
    def node_type = :cdata
    def clone = CData.new(@string)
    def value = @string
    def to_s = @string
    def write(out = $stdout, *) = out << "<![CDATA[#{@string}]]>"
  end

  class Comment < Child
    include Comparable
    attr_accessor :string
    def initialize(first, parent = nil)
      super(parent)
      @string = first.is_a?(Comment) ? first.string : first
    end
    def clone = Comment.new(self)
    def node_type = :comment
    def <=>(other) = other.to_s <=> @string
    def ==(other) = other.is_a?(Comment) && other.string == @string
    def to_s = @string
    def write(out, *) = out << "<!--#{@string}-->"
  end

  class Instruction < Child
    attr_accessor :target, :content
    def initialize(target, content = nil, parent = nil)
      super(parent)
      @target, @content = target, content&.strip
    end
    def clone = Instruction.new(target, content)
    def node_type = :processing_instruction
    def ==(other) = other.is_a?(Instruction) && other.target == target && other.content == content
    def write(out, *) = out << "<?#{@target}#{" #{@content}" if @content && !@content.empty?}?>"
  end

  class XMLDecl < Child
    attr_accessor :version, :standalone, :writeencoding
    attr_reader :writethis
    DEFAULT_VERSION = "1.0"

    def initialize(version = DEFAULT_VERSION, encoding = nil, standalone = nil)
      super()
      @version, @standalone, @encoding = version, standalone, encoding&.upcase
      @writethis = true
      @writeencoding = !encoding.nil?
    end
    def encoding = @encoding || "UTF-8"
    def encoding=(name)
      @encoding = name&.upcase
      @writeencoding = !name.nil?
    end
    def old_enc=(name)
      self.encoding = name
    end
    def stand_alone? = standalone
    def node_type = :xmldecl
    def clone = XMLDecl.new(version, @writeencoding ? encoding : nil, standalone)
    def nowrite = @writethis = false
    def dowrite = @writethis = true
    def ==(other) = other.is_a?(XMLDecl) && other.version == version && other.encoding == encoding && other.standalone == standalone
    def self.default = new.tap(&:nowrite)
    def inspect = "<?xml ... ?>"
    def write(out, *)
      return out unless @writethis
      text = "version='#{@version}'"
      text += " encoding='#{encoding}'" if @writeencoding || encoding !~ /\Autf-8\z/i
      text += " standalone='#{@standalone}'" if @standalone
      out << "<?xml #{text}?>"
    end
    def xmldecl(version, encoding, standalone)
      @version, @standalone = version, standalone
      self.encoding = encoding
    end
  end

  class DocType < Parent
    attr_reader :name, :external_id, :entities, :subset
    def initialize(name, external = nil, subset = nil)
      super()
      @name, @external_id, @subset = name, external, subset
      @entities = {}
      subset.to_s.scan(/<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/) { |key, double, single| @entities[key] = double || single }
    end
    def node_type = :doctype
    def clone = DocType.new(@name, @external_id, @subset)
    def entity(name, depth = 0)
      value = @entities[name] or return nil
      raise "entity expansion has grown too large" if depth > 20 || value.size > 10_240
      value.gsub(/&([\w.:-]+);/) { Text::NAMED[$1] || entity($1, depth + 1) || $& }
    end
    def system = @external_id&.[](/["']([^"']*)["']\s*\z/, 1)
    def public = @external_id&.start_with?("PUBLIC") ? @external_id[/["']([^"']*)["']/, 1] : nil
    def write(out, *)
      out << "<!DOCTYPE #{@name}"
      out << " #{@external_id.gsub(/"[^"]*"|'([^'"]*)'/) { $1 ? %("#{$1}") : $& }}" if @external_id
      out << " [#{@subset}]" if @subset
      out << ">"
    end
  end

  class Attribute
    include Node
    include Namespace
    attr_accessor :element

    def initialize(first, second = nil, parent = nil)
      @element = parent.is_a?(Element) ? parent : nil
      if first.is_a?(Attribute)
        self.name = first.expanded_name
        @value, @raw = first.value, nil
        @element = second if second.is_a?(Element)
      else
        self.name = first.to_s
        @value, @raw = second.to_s, nil
      end
    end

    # An attribute as it was read: `raw` is still escaped.
    def self.read(name, raw, element)
      made = new(name, "", element)
      made.instance_variable_set(:@raw, raw)
      made.instance_variable_set(:@value, nil)
      made
    end

    def parent = @element
    def node_type = :attribute
    def value = @value ||= Text.unnormalize(@raw, doctype)
    def to_s = @value ? Text.normalize(@value) : @raw
    def doctype = @element&.document&.doctype
    def namespace(prefix = nil)
      prefix ||= self.prefix
      prefix == "" ? "" : @element&.namespace(prefix)
    end
    def prefix
      return super unless super.to_s.empty? && name == "xmlns"
      "xmlns"
    end
    def clone = Attribute.new(self, @element)
    def ==(other) = other.is_a?(Attribute) && name == other.name && value == other.value
    def hash = name.hash + value.hash
    def to_string
      quote = @element&.document&.context&.[](:attribute_quote) == :quote ? '"' : "'"
      text = quote == '"' ? to_s.gsub('"', "&quot;") : to_s.gsub("'", "&apos;")
      "#{expanded_name}=#{quote}#{text}#{quote}"
    end
    def write(out, *) = out << to_string
    def inspect = to_string
    def remove = @element.attributes.delete(expanded_name)
    def xpath = "#{@element&.xpath}/@#{expanded_name}"
    def document = @element&.document
  end

  class Attributes < Hash
    def initialize(element)
      super()
      @element = element
    end
    alias fetch_attribute fetch
    def [](name) = get_attribute(name)&.value
    def get_attribute(name)
      name = name.to_s
      found = fetch_attribute(name, nil)
      return found if found
      prefix, local = name.include?(":") ? name.split(":", 2) : [nil, name]
      return nil unless prefix
      uri = @element.namespace(prefix) or return nil
      each_attribute { |attribute| return attribute if attribute.name == local && attribute.namespace == uri }
      nil
    end
    def get_attribute_ns(namespace, name)
      each_attribute { |attribute| return attribute if attribute.name == name && attribute.namespace.to_s == namespace.to_s }
      nil
    end
    def store_attribute(attribute)
      attribute.element = @element
      store(attribute.expanded_name, attribute)
    end
    def []=(name, value)
      return delete(name) if value.nil?
      store_attribute(value.is_a?(Attribute) ? value : Attribute.new(name.to_s, value.to_s, @element))
    end
    def <<(attribute) = store_attribute(attribute)
    alias add <<
    def each_attribute(&block)
      return to_enum(:each_attribute) unless block
      values.each(&block)
    end
    def each
      return to_enum(:each) unless block_given?
      each_attribute { |attribute| yield [attribute.expanded_name, attribute.value] }
    end
    def to_a = values
    def delete(name)
      name = name.expanded_name if name.is_a?(Attribute)
      super(name.to_s)
      @element
    end
    def delete_all(name) = values.select { |attribute| attribute.expanded_name == name }.each { |attribute| delete(attribute) }
    def prefixes = values.select { |attribute| attribute.prefix == "xmlns" }.map { |attribute| attribute.expanded_name == "xmlns" ? "xmlns" : attribute.name }.reject { |name| name == "xmlns" }
    def namespaces = values.select { |attribute| attribute.prefix == "xmlns" }.to_h { |attribute| [attribute.name, attribute.value] }
  end

  class Element < Parent
    include Namespace
    attr_reader :attributes, :elements
    attr_accessor :context
    UNDEFINED = "UNDEFINED"

    def initialize(first = UNDEFINED, parent = nil, context = nil)
      @elements = Elements.new(self)
      @attributes = Attributes.new(self)
      @context = context
      super(parent)
      if first.is_a?(Element)
        self.name = first.expanded_name
        first.attributes.each_attribute { |attribute| @attributes << attribute.clone }
        @context = first.context
      else
        self.name = first.to_s
      end
    end

    def node_type = :element
    def clone = self.class.new(self)
    def raw = @context.is_a?(Hash) ? @context[:raw] : nil
    def inspect
      text = +"<#{node_type == :document ? "UNDEFINED" : expanded_name}"
      @attributes.each_attribute { |attribute| text << " " << attribute.to_string }
      text << (children.empty? ? "/>" : "> ... </>")
    end
    def root_node = parent.nil? ? self : parent.root_node
    def root = parent.is_a?(Document) || parent.nil? ? self : parent.root
    def document = parent&.document
    def prefix = @prefix

    def whitespace(_name = nil)
      node = self
      while node.is_a?(Element)
        return false if node.attributes.fetch_attribute("xml:space", nil)&.value == "default"
        node = node.parent
      end
      true
    end
    def ignore_whitespace_nodes
      setting = @context && @context[:ignore_whitespace_nodes]
      setting == :all || (setting.is_a?(Array) && setting.include?(expanded_name))
    end

    def prefixes = (parent.is_a?(Element) && !parent.is_a?(Document) ? parent.prefixes : []) | attributes.prefixes
    def namespaces = (parent.is_a?(Element) && !parent.is_a?(Document) ? parent.namespaces : {}).merge(attributes.namespaces)
    def namespace(prefix = nil)
      prefix ||= self.prefix
      key = prefix.to_s.empty? || prefix == "xmlns" ? "xmlns" : "xmlns:#{prefix}"
      node = self
      while node.is_a?(Element)
        found = node.attributes.fetch_attribute(key, nil)
        return found.value if found
        node = node.parent
      end
      return "http://www.w3.org/XML/1998/namespace" if prefix == "xml"
      prefix.to_s.empty? || prefix == "xmlns" ? "" : nil
    end
    def add_namespace(prefix, uri = nil)
      if uri
        prefix = "xmlns:#{prefix}" unless prefix.start_with?("xmlns")
        attributes[prefix] = uri
      else
        attributes["xmlns"] = prefix
      end
      self
    end
    def delete_namespace(prefix = "xmlns")
      prefix = "xmlns:#{prefix}" unless prefix == "xmlns"
      attributes.delete(prefix)
      self
    end

    def add_element(element, attributes = nil)
      raise "First argument must be either an element name, or an Element object" if element.nil?
      made = @elements.add(element)
      attributes&.each { |key, value| made.attributes[key.to_s] = value.is_a?(Attribute) ? value : value.to_s }
      made
    end
    def delete_element(element) = @elements.delete(element)
    def has_elements? = !@elements.empty?
    def each_element(xpath = nil, &block) = @elements.each(xpath, &block)
    def each_element_with_attribute(key, value = nil, max = 0, name = nil, &block)
      each_limited(max, name, block) { |element| (found = element.attributes[key]) && (value.nil? || found == value) }
    end
    def each_element_with_text(text = nil, max = 0, name = nil, &block)
      each_limited(max, name, block) { |element| text ? element.text == text : element.has_text? }
    end
    def each_limited(max, name, block)
      count = 0
      @elements.each(name) do |element|
        next unless yield(element)
        block.call(element)
        return if (count += 1) == max
      end
    end
    private :each_limited
    def get_elements(xpath) = @elements.to_a(xpath)
    def next_element
      node = next_sibling
      node = node.next_sibling until node.nil? || node.is_a?(Element)
      node
    end
    def previous_element
      node = previous_sibling
      node = node.previous_sibling until node.nil? || node.is_a?(Element)
      node
    end

    def has_text? = !text.nil?
    def text(path = nil) = get_text(path)&.value
    def get_text(path = nil)
      if path
        element = @elements[path]
        return element&.get_text
      end
      @children.find { |child| child.is_a?(Text) }
    end
    def texts = @children.grep(Text)
    def cdatas = @children.grep(CData)
    def comments = @children.grep(Comment)
    def instructions = @children.grep(Instruction)
    def text=(text)
      text = Text.new(text, whitespace, nil, false) if text.is_a?(String)
      old = get_text
      if text.nil?
        old&.remove
      elsif old
        old.replace_with(text)
      else
        self << text
      end
      self
    end
    def add_text(text)
      if text.is_a?(String)
        return @children.last << text if @children.last.instance_of?(Text)
        text = Text.new(text, whitespace, nil, false)
      end
      self << text unless text.nil?
      self
    end

    def xpath
      steps = []
      node = self
      while node.is_a?(Element) && !node.is_a?(Document)
        same = node.parent.is_a?(Parent) ? node.parent.children.select { |each| each.is_a?(Element) && each.expanded_name == node.expanded_name } : [node]
        steps.unshift(same.size > 1 ? "#{node.expanded_name}[#{same.index { |each| each.equal?(node) } + 1}]" : node.expanded_name)
        node = node.parent
      end
      (node.is_a?(Document) ? "/" : "") + steps.join("/")
    end

    def [](key, *rest)
      case key
      when String, Symbol then attributes[key.to_s]
      else super
      end
    end
    def attribute(name, namespace = nil)
      return attributes.get_attribute_ns(namespace, name) if namespace && !namespace.empty?
      attributes.get_attribute(name)
    end
    def has_attributes? = !@attributes.empty?
    def add_attribute(key, value = nil) = key.is_a?(Attribute) ? @attributes << key : @attributes[key] = value
    def add_attributes(pairs) = pairs.each { |key, value| add_attribute(key, value) }
    def delete_attribute(key) = @attributes.get_attribute(key)&.remove

    def write(output = $stdout, indent = -1, transitive = false, ie_hack = false)
      formatter = indent > -1 ? (transitive ? Formatters::Transitive.new(indent, ie_hack) : Formatters::Pretty.new(indent, ie_hack)) : Formatters::Default.new(ie_hack)
      formatter.write(self, output)
    end
  end

  class Elements
    include Enumerable
    attr_reader :parent
    def initialize(parent)
      @parent = parent
    end

    def [](index, name = nil)
      case index
      when Integer
        raise "index (#{index}) must be >= 1" if index < 1
        found = all
        found = found.select { |each| each.has_name?(name) } if name
        found[index - 1]
      else XPath.match(@parent, index).find { |each| each.is_a?(Element) } || XPath.first(@parent, index)
      end
    end
    def []=(index, element)
      previous = self[index]
      previous ? previous.replace_with(element) : @parent.add(element)
      previous
    end
    def all = @parent.children.grep(Element)
    private :all
    def empty? = all.empty?
    def size = all.size
    def index(element) = (found = all.index { |each| each.equal?(element) }) ? found + 1 : -1
    def delete(element)
      element.is_a?(Element) ? @parent.delete(element) : self[element]&.remove
    end
    def delete_all(xpath)
      XPath.match(@parent, xpath).grep(Element).each(&:remove)
    end
    def add(element = nil)
      element = Element.new(element || "", nil, @parent.context) unless element.is_a?(Element)
      @parent << element
      element.context = @parent.context
      element
    end
    alias << add
    def each(xpath = nil)
      return to_enum(:each, xpath) unless block_given?
      to_a(xpath).each { |each| yield each }
    end
    def collect(xpath = nil, &block) = to_a(xpath).map(&block)
    alias map collect
    def inject(xpath = nil, initial = nil, &block)
      found = to_a(xpath)
      initial.nil? ? found.inject(&block) : found.inject(initial, &block)
    end
    def to_a(xpath = nil) = xpath ? XPath.match(@parent, xpath).grep(Element) : all
  end

  class Document < Element
    DECLARATION = XMLDecl.default

    class << self
      attr_writer :entity_expansion_limit, :entity_expansion_text_limit
      def entity_expansion_limit = @entity_expansion_limit || 10_000
      def entity_expansion_text_limit = @entity_expansion_text_limit || 10_240
    end

    def initialize(source = nil, context = {})
      super()
      @context = context
      return if source.nil?
      return @context = source.context if source.is_a?(Document)
      unless source.respond_to?(:to_str) || source.respond_to?(:read) || source.is_a?(Parent)
        raise "#{source.class} is not a valid input stream.  It must walk \nlike either a String, an IO, or a Source."
      end
      Parser.new(source, self).parse
    end

    def node_type = :document
    def name = ""
    def expanded_name = ""
    def document = self
    def clone = Document.new(self)
    def root = @children.find { |child| child.is_a?(Element) }
    def root_node = self
    def doctype = @children.find { |child| child.is_a?(DocType) }
    def xml_decl
      found = @children.find { |child| child.is_a?(XMLDecl) }
      return found if found
      made = XMLDecl.default
      @children.unshift(made)
      made.__send__(:place_in, self)
      made
    end
    def version = xml_decl.version
    def encoding = xml_decl.encoding
    def stand_alone? = xml_decl.stand_alone?
    def xpath = ""

    def add(child)
      case child
      when XMLDecl
        @children.delete_if { |each| each.is_a?(XMLDecl) }
        @children.unshift(child)
        child.__send__(:place_in, self)
      when DocType
        at = @children.index { |each| each.is_a?(Element) } || @children.size
        @children.insert(at, child)
        child.__send__(:place_in, self)
      else
        raise "attempted adding second root element to document" if child.is_a?(Element) && root && !root.equal?(child)
        super
      end
      child
    end
    alias << add
    def add_element(element = nil, attributes = nil)
      raise "attempted adding second root element to document" if root
      super
    end

    def write(output = $stdout, indent = -1, transitive = false, ie_hack = false, encoding = nil)
      if output.is_a?(Hash)
        options = output
        output, indent, transitive, ie_hack, encoding = options.fetch(:output, $stdout), options.fetch(:indent, -1), options[:transitive], options[:ie_hack], options[:encoding]
      end
      xml_decl.encoding = encoding if encoding
      super(output, indent, transitive, ie_hack)
    end

    def self.parse_stream(source, listener)
      document = new(source)
      feed = lambda do |node|
        case node
        when Element
          listener.tag_start(node.expanded_name, node.attributes.to_a.to_h { |each| [each.expanded_name, each.value] })
          node.children.each(&feed)
          listener.tag_end(node.expanded_name)
        when CData then listener.cdata(node.value)
        when Text then listener.text(node.value)
        when Comment then listener.comment(node.string)
        when Instruction then listener.instruction(node.target, node.content)
        when XMLDecl then listener.xmldecl(node.version, node.encoding, node.standalone)
        end
      end
      document.children.each(&feed)
    end
  end
end

require "rexml/parser_core"
require "rexml/formatters/core"
require "rexml/xpath_core"
