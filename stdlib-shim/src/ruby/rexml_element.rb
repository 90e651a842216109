module REXML
  # An element's attributes by local name; those that differ in the prefix alone share a Hash.
  class Attributes < Hash
    def initialize(element)
      super()
      @element = element
    end
    def [](name) = get_attribute(name)&.value
    def to_a = each_attribute.to_a
    def length = each_attribute.count
    alias size length

    def each_attribute
      return to_enum(__method__) unless block_given?
      each_value { |value| value.is_a?(Attribute) ? yield(value) : value.each_value { |attribute| yield attribute } }
    end
    def each
      return to_enum(__method__) unless block_given?
      each_attribute { |attribute| yield [attribute.expanded_name, attribute.value] }
    end

    def get_attribute(name)
      found = fetch(name, nil)
      return found.is_a?(Hash) ? found[@element.prefix] : found if found
      return nil if name.nil?
      prefix, local = split(name)
      if prefix
        found = fetch(local, nil)
        return found if found.is_a?(Attribute) && prefix == found.prefix
        return found[prefix] if found.is_a?(Hash)
      end
      value = declared { |doctype, element| doctype.attribute_of(element, name) }
      value && Attribute.new(name, value)
    end

    def []=(name, value)
      return delete(get_attribute(name)) if value.nil?
      value = Attribute.new(name, Text.normalize(value, @element.document&.doctype)) unless value.is_a?(Attribute)
      value.element = @element
      old = fetch(value.name, nil)
      if old.is_a?(Hash) then old[value.prefix] = value
      elsif old.nil? || old.prefix == value.prefix then store(value.name, value)
      else
        check_conflict(old, value) if value.prefix != "xmlns" && old.prefix != "xmlns"
        store(value.name, { old.prefix => old, value.prefix => value })
      end
    end
    def add(attribute) = self[attribute.name] = attribute
    alias << add

    def delete(attribute)
      prefix, name = attribute.is_a?(Attribute) ? [attribute.prefix, attribute.name] : split(attribute)
      old = fetch(name, nil)
      if old.is_a?(Hash)
        old.delete(prefix.to_s)
        store(name, old.values[0]) if old.size == 1
      elsif old
        super(name)
      end
      @element
    end
    def delete_all(name) = each_attribute.select { |attribute| attribute.expanded_name == name }.each(&:remove)

    def prefixes = with_declared.select { |attribute| attribute.prefix == "xmlns" }.map(&:name)
    def namespaces = with_declared.select { |attribute| attribute.prefix == "xmlns" || attribute.name == "xmlns" }.to_h { |attribute| [attribute.name, attribute.value] }
    def get_attribute_ns(namespace, name)
      found = nil
      each_attribute do |attribute|
        plain = !attribute.fully_expanded_name.include?(":")
        next unless name == attribute.name && namespace == attribute.namespace && (!namespace.empty? || plain)
        found = attribute if found.nil? || !namespace.empty? || plain
      end
      found
    end

    private

    def split(name) = Namespace::SPLIT.match(name)&.captures || [nil, nil]

    # What the document type says of the element.
    def declared
      doctype = @element.document&.doctype or return nil
      name = @element.expanded_name
      yield doctype, name.empty? ? doctype.name : name
    end
    def with_declared = each_attribute.to_a + (declared { |doctype, element| doctype.attributes_of(element) } || [])

    def check_conflict(old, new)
      return unless old.namespace == new.namespace
      raise ParseException, "Namespace conflict in adding attribute \"#{new.name}\": Prefix \"#{old.prefix}\" = \"#{old.namespace}\" and prefix \"#{new.prefix}\" = \"#{new.namespace}\""
    end
  end

  class Element < Parent
    include Namespace
    UNDEFINED = "UNDEFINED"
    attr_reader :attributes, :elements
    attr_accessor :context

    def initialize(first = UNDEFINED, parent = nil, context = nil)
      super(parent)
      @elements = Elements.new(self)
      @attributes = Attributes.new(self)
      @context = context
      case first
      when String then self.name = first
      when Element
        self.name = first.expanded_name
        first.attributes.each_attribute { |attribute| @attributes << Attribute.new(attribute) }
        @context = first.context
      end
    end

    def node_type = :element
    def clone = self.class.new(self)
    def inspect
      text = +"<#{@expanded_name}"
      @attributes.each_attribute { |attribute| attribute.write(text << " ", 0) }
      text << (children.empty? ? "/>" : "> ... </>")
    end
    def root_node = parent.nil? ? self : parent.root_node
    def root
      return elements[1] if is_a?(Document)
      parent.nil? || parent.is_a?(Document) ? self : parent.root
    end
    def document = root&.parent

    def whitespace
      kept = setting(:respect_whitespace)
      kept = true if kept.nil?
      kept && !setting(:compress_whitespace)
    end
    def ignore_whitespace_nodes = setting(:ignore_whitespace_nodes)
    def raw = setting(:raw)

    def prefixes = (parent ? parent.prefixes : []) | attributes.prefixes
    def namespaces = (parent ? parent.namespaces : {}).merge(attributes.namespaces)
    def namespace(prefix = nil)
      prefix = self.prefix if prefix.nil?
      if prefix == "" then prefix = "xmlns"
      elsif !prefix.start_with?("xmlns") then prefix = "xmlns:#{prefix}"
      end
      found = attributes[prefix]
      found = parent.namespace(prefix) if found.nil? && parent
      found.nil? && prefix == "xmlns" ? "" : found
    end
    def add_namespace(prefix, uri = nil)
      if uri
        @attributes[prefix =~ /^xmlns:/ ? prefix : "xmlns:#{prefix}"] = uri
      else
        @attributes["xmlns"] = prefix
      end
      self
    end
    def delete_namespace(namespace = "xmlns")
      attributes.get_attribute(namespace == "xmlns" ? namespace : "xmlns:#{namespace}")&.remove
      self
    end

    def add_element(element, attributes = nil)
      raise "First argument must be either an element name, or an Element object" if element.nil?
      made = @elements.add(element)
      attributes.each { |key, value| made.attributes[key] = value } if attributes.is_a?(Hash)
      made
    end
    def delete_element(element) = @elements.delete(element)
    def has_elements? = !@elements.empty?
    def each_element(xpath = nil, &block) = @elements.each(xpath, &block)
    def get_elements(xpath) = @elements.to_a(xpath)
    def each_element_with_attribute(key, value = nil, max = 0, name = nil, &block)
      each_limited(max, name, block) { |element| value.nil? ? !element.attributes[key].nil? : element.attributes[key] == value }
    end
    def each_element_with_text(text = nil, max = 0, name = nil, &block)
      each_limited(max, name, block) { |element| text.nil? ? element.has_text? : element.text == text }
    end
    def next_element = nearest_element(:next_sibling)
    def previous_element = nearest_element(:previous_sibling)

    def has_text? = !text.nil?
    def text(path = nil) = get_text(path)&.value
    def get_text(path = nil) = path ? @elements[path]&.get_text : @children.find { |node| node.is_a?(Text) }
    def text=(text)
      text = Text.new(text.to_s, whitespace, nil, raw) unless text.nil? || text.is_a?(Text)
      old = get_text
      if text.nil? then old&.remove
      elsif old then old.replace_with(text)
      else self << text
      end
    end
    def add_text(text)
      if text.is_a?(String)
        if @children.last.is_a?(Text)
          @children.last << text
          return
        end
        text = Text.new(text, whitespace, nil, raw)
      end
      self << text unless text.nil?
      self
    end
    def cdatas = grep(CData).freeze
    def comments = grep(Comment).freeze
    def instructions = grep(Instruction).freeze
    def texts = grep(Text).freeze

    def xpath
      steps = []
      node = self
      while node
        steps.unshift(node.__send__(:xpath_step))
        node = node.parent
      end
      steps.join("/")
    end

    def [](name_or_index)
      case name_or_index
      when String then attributes[name_or_index]
      when Symbol then attributes[name_or_index.to_s]
      else super
      end
    end
    def attribute(name, namespace = nil)
      prefix = namespaces.key(namespace) if namespace
      prefix = nil if prefix == "xmlns"
      found = attributes.get_attribute(prefix ? "#{prefix}:#{name}" : name.to_s)
      return found if found || prefix.nil? || namespaces[prefix] != namespaces["xmlns"]
      attributes.get_attribute(name)
    end
    def has_attributes? = !@attributes.empty?
    def add_attribute(key, value = nil)
      return @attributes << key if key.is_a?(Attribute)
      @attributes[key] = value
    end
    def add_attributes(pairs)
      case pairs
      when Hash then pairs.each_pair { |key, value| @attributes[key] = value }
      when Array then pairs.each { |pair| @attributes[pair[0]] = pair[1] }
      end
    end
    def delete_attribute(key) = @attributes.get_attribute(key)&.remove

    def write(output = $stdout, indent = -1, transitive = false, ie_hack = false)
      Kernel.warn("#{self.class.name}.write is deprecated.  See REXML::Formatters", uplevel: 1)
      formatter(indent, transitive, ie_hack).write(self, output)
    end

    private

    # What the context says of this element: nil where it says nothing.
    def setting(name)
      names = @context && @context[name] or return nil
      names == :all || names.include?(expanded_name)
    end

    def formatter(indent, transitive, ie_hack)
      return Formatters::Default.new(ie_hack) unless indent > -1
      require "rexml/formatters/transitive" if transitive
      transitive ? Formatters::Transitive.new(indent, ie_hack) : Formatters::Pretty.new(indent, ie_hack)
    end

    def nearest_element(way)
      node = public_send(way)
      node = node.public_send(way) until node.nil? || node.is_a?(Element)
      node
    end

    def each_limited(max, name, block)
      count = 0
      @elements.each(name) do |element|
        if yield(element)
          block.call(element)
          count += 1
        end
        return if max > 0 && count == max
      end
    end

    def xpath_step
      same = parent ? parent.grep(Element).select { |each| each.expanded_name == expanded_name } : []
      same.size > 1 ? "#{expanded_name}[#{same.index(self) + 1}]" : expanded_name.dup
    end
  end

  class Elements
    include Enumerable
    def initialize(parent)
      @element = parent
    end
    def parent = @element

    def [](index, name = nil)
      return XPath.first(@element, index) unless index.is_a?(Integer)
      raise "index (#{index}) must be >= 1" if index < 1
      name = name[1..-2] if name && ["'", '"'].include?(name[0])
      found = @element.grep(Element)
      found = found.select { |child| child.has_name?(name) } if name
      found[index - 1]
    end
    def []=(index, element)
      previous = self[index]
      previous.nil? ? @element.add(element) : previous.replace_with(element)
    end
    def empty? = @element.none?(Element)
    def size = @element.count { |child| child.is_a?(Element) }
    # What is no element has the place of the last one.
    def index(element) = (at = @element.grep(Element).index(element)) ? at + 1 : (element.nil? ? size : -1)
    def delete(element)
      return @element.delete(element) if element.is_a?(Element)
      found = self[element]
      found.remove if found
    end
    def delete_all(xpath)
      XPath.each(@element, xpath).grep(Element).each do |element|
        @element.delete(element)
        element.remove
      end
    end
    def add(element = nil)
      return Element.new(element || "", self, @element.context) unless element.is_a?(Element)
      @element << element
      element.context = @element.context
      element
    end
    alias << add
    def each(xpath = nil) = XPath.each(@element, xpath) { |node| yield node if node.is_a?(Element) }
    def collect(xpath = nil)
      found = []
      XPath.each(@element, xpath) { |node| found << yield(node) if node.is_a?(Element) }
      found
    end
    def inject(xpath = nil, initial = nil)
      first = true
      each(xpath) do |element|
        if first && initial.nil?
          initial = element
          first = false
        else
          initial = yield(initial, element)
        end
      end
      initial
    end
    def to_a(xpath = nil)
      found = XPath.match(@element, xpath)
      xpath ? found.grep(Element) : found
    end
  end

  class Document < Element
    DECLARATION = XMLDecl.default
    attr_reader :entity_expansion_count

    class << self
      def entity_expansion_limit = Security.entity_expansion_limit
      def entity_expansion_limit=(value)
        Security.entity_expansion_limit = value
      end
      def entity_expansion_text_limit = Security.entity_expansion_text_limit
      def entity_expansion_text_limit=(value)
        Security.entity_expansion_text_limit = value
      end
      def parse_stream(source, listener) = Parsers::StreamParser.new(source, listener).parse
    end

    def initialize(source = nil, context = {})
      @entity_expansion_count = 0
      source.is_a?(Document) ? super(source) : super()
      @context = source.is_a?(Document) ? source.context : context
      return if source.nil? || source.is_a?(Document)
      Parsers::TreeParser.new(source, self).parse
    end

    def node_type = :document
    def expanded_name = ""
    alias name expanded_name
    def document = self
    def clone = Document.new(self)
    def doctype = @children.find { |child| child.is_a?(DocType) }
    def xml_decl
      @children.unshift(XMLDecl.default) unless @children[0].is_a?(XMLDecl)
      @children[0]
    end
    def version = xml_decl.version
    def encoding = xml_decl.encoding
    def stand_alone? = xml_decl.stand_alone?

    def add(child)
      case child
      when XMLDecl
        @children[0].is_a?(XMLDecl) ? @children[0] = child : @children.unshift(child)
        child.parent = self
      when DocType
        add_doctype(child)
        child.parent = self
      else
        super
        raise "attempted adding second root element to document" if @elements.size > 1
        child
      end
    end
    alias << add
    def add_element(element = nil, attributes = nil)
      made = super
      raise "attempted adding second root element to document" if @elements.size > 1
      made
    end

    def record_entity_expansion
      @entity_expansion_count += 1
      raise "number of entity expansions exceeded, processing aborted." if @entity_expansion_count > Security.entity_expansion_limit
    end

    def write(*arguments)
      arguments = arguments[0].values_at(:output, :indent, :transitive, :ie_hack, :encoding) if arguments.size == 1 && arguments[0].instance_of?(Hash)
      output, indent, transitive, ie_hack, encoding = arguments
      output ||= $stdout
      encoding ||= xml_decl.encoding
      output = Output.new(output, encoding) if encoding != "UTF-8" && !output.is_a?(Output)
      formatter(indent || -1, transitive, ie_hack || false).write(self, output)
    end

    private

    def add_doctype(doctype)
      at = @children.index { |child| child.is_a?(Element) || child.is_a?(DocType) }
      if at.nil? then @children << doctype
      elsif @children[at].is_a?(DocType) then @children[at] = doctype
      else @children[at - 1, 0] = doctype
      end
    end
  end
end
