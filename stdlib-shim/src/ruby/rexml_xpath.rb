module REXML
  # The functions of XPath's core library. `context` is the node that a predicate asks, its place and how many there are.
  module Functions
    NAMES = %i(
      text last position count id local_name namespace_uri name string string_value concat starts_with contains substring_before substring_after substring
      string_length normalize_space translate boolean not true false lang compare_language number sum floor ceiling round processing_instruction
    ).freeze

    class << self
      attr_accessor :namespace_context, :variables
      attr_writer :context

      # A function by its name in a path; a name that is none is a path of its own.
      def call(name, args) = NAMES.include?(name.to_sym) ? public_send(name, *args) : XPath.match(here, name)

      def text
        case here.node_type
        when :element then here.select { |node| node.node_type == :text }.map(&:value)
        when :text then here.value
        else false
        end
      end
      def last = @context[:size]
      def position = @context[:index]
      def count(node_set) = node_set.size
      def id(object) = nil
      def processing_instruction(node) = node.node_type == :processing_instruction

      def local_name(node_set = nil)
        of_names(node_set) { |node| return node.local_name }
        ""
      end
      def namespace_uri(node_set = nil) = of_names(node_set, &:namespace)
      def name(node_set = nil) = of_names(node_set, &:expanded_name)

      def string(object = here)
        return string_of_node(object) if object.respond_to?(:node_type)
        case object
        when ::Array then string(object[0])
        when ::Float then object.nan? ? "NaN" : (object == object.to_i ? object.to_i.to_s : object.to_s)
        else object.to_s
        end
      end
      def string_value(element)
        element.children.each_with_object(+"") do |child, all|
          case child.node_type
          when :text then all << child.to_s
          when :element then all << string_value(child)
          end
        end
      end
      def concat(*objects) = objects.map { |object| string(object) }.join
      def starts_with(text, test) = string(text).start_with?(string(test))
      def contains(text, test) = string(text).include?(string(test))
      def substring_before(text, test)
        text = string(text)
        at = text.index(string(test))
        at ? text[0...at] : ""
      end
      # What is looked for is a pattern here, and the answer ends with the line.
      def substring_after(text, test) = string(text)[/#{test}(.*)/, 1] || ""

      def substring(text, start, length = nil)
        text = string(text)
        start = number(start)
        length = length.nil? ? text.length.to_f : number(length)
        return "" if length.nan? || start.nan? || start.infinite?
        endless = length.infinite? == 1
        length = round(endless ? text.length : length)
        start = round(start) - 1
        if start < 0
          length += start unless endless
          start = 0
        end
        length <= 0 ? "" : text[start, length]
      end
      def string_length(text) = string(text).length
      def normalize_space(text = nil)
        text = string(here) if text.nil?
        return text.map { text.to_s.strip.gsub(/\s+/, " ") } if text.is_a?(::Array)
        text.to_s.strip.gsub(/\s+/, " ")
      end
      def translate(text, from, to)
        to = string(to)
        map = {}
        string(from).each_char.with_index { |char, at| map[char] = to[at].to_s unless map.key?(char) }
        string(text).each_char.map { |char| map.fetch(char, char) }.join
      end

      def boolean(object = here)
        case object
        when ::Float then !object.zero? && !object.nan?
        when ::Numeric then !object.zero?
        when ::String, ::Array then !object.empty?
        else object ? true : false
        end
      end
      def not(object) = !boolean(object)
      def true = true
      def false = false
      def lang(language)
        node = here
        until node.nil?
          found = node.attributes["xml:lang"] if node.node_type == :element
          return compare_language(string(language), found) if found
          node = node.parent
        end
        false
      end
      def compare_language(wanted, found) = found.downcase.start_with?(wanted.downcase)

      def number(object = here)
        case object
        when ::TrueClass then 1.0
        when ::FalseClass then 0.0
        when ::Array then number(string(object))
        when ::Numeric then object.to_f
        else string(object)[/\A\s*(-?(?:\d+(?:\.\d*)?|\.\d+))\s*\z/, 1]&.to_f || ::Float::NAN
        end
      end
      def sum(nodes) = (nodes.is_a?(::Array) ? nodes : [nodes]).inject(0) { |all, node| all + number(string(node)) }
      def floor(value) = number(value).floor
      def ceiling(value) = number(value).ceil
      def round(value)
        value = number(value)
        return value if value.nan? || value.infinite?
        value.negative? ? -value.abs.round : value.round
      end

      private

      def here = @context[:node]

      def of_names(nodes, &block)
        return (block.call(here) if here.respond_to?(:namespace)) if nodes.nil?
        return nodes.each.select { |node| node.respond_to?(:namespace) }.map(&block) if nodes.respond_to?(:each)
        block.call(nodes) if nodes.respond_to?(:namespace)
      end

      def string_of_node(node)
        case node.node_type
        when :attribute then node.value
        when :element then string_value(node)
        when :document then string_value(node.root)
        when :processing_instruction then node.content
        else node.to_s
        end
      end
    end
  end

  # XPath 1.0 as rexml 3.2.5 has it: a path is read into lists of operations, which are walked.
  class XPath
    include Functions

    class << self
      def match(element, path = nil, namespaces = nil, variables = {}, options = {})
        found = XPathParser.new(**options)
        found.namespaces = namespaces
        found.variables = variables
        found.parse(path || "*", element.is_a?(Array) ? element : [element])
      end

      def first(element, path = nil, namespaces = nil, variables = {}, options = {})
        check(namespaces, variables)
        match(element, path, namespaces, variables, options).flatten[0]
      end

      def each(element, path = nil, namespaces = nil, variables = {}, options = {}, &block)
        check(namespaces, variables)
        match(element, path, namespaces, variables, options).each(&block)
      end

      private

      def check(namespaces, variables)
        raise "The namespaces argument, if supplied, must be a hash object." unless namespaces.nil? || namespaces.is_a?(Hash)
        raise "The variables argument, if supplied, must be a hash object." unless variables.is_a?(Hash)
      end
    end
  end

  # Reads a path. Every method takes the text and answers what is left of it and the operations; what cannot be read is left over.
  class XPathReader
    # Operators, loosest first; signs stand between the last two.
    LEVELS = [/\A\s*( or )/, /\A\s*( and )/, /\A\s*(!?=)\s*/, /\A\s*([<>]=?)\s*/, /\A\s*([+-])\s*/, /\A\s*(\*| div | mod )\s*/, nil, /\A\s*(\|)\s*/].freeze
    SIGN = 6
    AXIS = /\A(ancestor|ancestor-or-self|attribute|child|descendant|descendant-or-self|following|following-sibling|namespace|parent|preceding|preceding-sibling|self)::/
    LOCAL = XMLTokens::NCNAME_STR
    LITERAL = /\A(?:'([^']*)'|"([^"]*)")/
    OTHER_TESTS = /\Acomment|text|processing-instruction|node\z/

    def self.read(path)
      @read ||= {}
      @read.clear if @read.size > 500
      @read[path] ||= new.whole(path)
    end

    def whole(path)
      path = path.dup
      path.gsub!(/([(\[])\s+/, '\1')
      path.gsub!(/\s+([\])])/, '\1')
      rest, operations = infix(0, path)
      raise ParseException, "Garbage component exists at the end: <#{rest}>: <#{path}>" unless rest.nil? || rest.strip.empty?
      operations
    end

    private

    def infix(level, text)
      return signed(text) if level == SIGN
      return path(text) if level == LEVELS.size
      rest, left = infix(level + 1, text)
      return [rest, left] if rest == text
      while rest && (operator = LEVELS[level].match(rest))
        rest, right = infix(level + 1, operator.post_match)
        left = [[:binary, operator[1].strip, left, right]]
      end
      [rest, left]
    end

    def signed(text)
      dashes = text[/\A-*/].size
      rest, operations = infix(SIGN + 1, text[dashes..])
      [rest, dashes.odd? ? [[:negative], *operations] : operations]
    end

    def path(text)
      text = text.lstrip
      rest, operations = filter(text)
      # steps behind a primary expression are left over: none can begin with a slash
      return [rest, operations] if rest != text && rest&.start_with?("/")
      rest&.match?(%r{\A[/.@\[\w*]}) ? location(rest, operations) : [rest, operations]
    end

    def filter(text)
      rest, operations = primary(text)
      return [text, operations] if rest == text
      rest, tests = predicates(rest)
      last = operations.last
      return [rest, operations] if tests.empty?
      operations = last && last[0] == :step ? [*operations[0...-1], [*last[0, 3], last[3] + tests]] : [*operations, [:predicates, tests]]
      [rest, operations]
    end

    def primary(text)
      case text
      when /\A\$((?:#{LOCAL}:)?#{LOCAL})/ then [$', [[:variable, $1]]]
      when /\A(\w[-\w]*)\(/
        name, rest = $1, $'
        OTHER_TESTS.match?(name) ? [text, []] : function(name, rest)
      when /\A(\d*\.?\d+)/ then [$', [[:literal, $1.include?(".") ? "0#{$1}".to_f : $1.to_i]]]
      when LITERAL then [$', [[:literal, $1 || $2]]]
      when /\A\(/
        rest, inner = group(text)
        [rest, infix(0, inner[1..-2])[1]]
      else [text, []]
      end
    end

    def function(name, text)
      rest, args = arguments(text)
      [rest, [[:function, name, args.each.map { |arg| infix(0, arg)[1] }]]]
    end

    # The arguments up to the bracket that closes them, and the text behind it; nil when none does.
    def arguments(text)
      args, depth, quote, from = [], 1, nil, 0
      text.each_char.with_index do |char, at|
        if quote
          quote = nil if char == quote
          next
        end
        case char
        when '"', "'" then quote = char
        when "(" then depth += 1
        when ")" then depth -= 1
        end
        next unless depth.zero? || (char == "," && depth == 1)
        args << text[from...at].strip
        from = at + 1
        return [text[from..], args.reject(&:empty?)] if depth.zero?
      end
      nil
    end

    # What the bracket at the start closes, with the brackets, behind the rest; nil when nothing closes it.
    def group(text)
      opening = text[0]
      closing = opening == "(" ? ")" : "]"
      depth = 0
      text.each_char.with_index do |char, at|
        depth += 1 if char == opening
        depth -= 1 if char == closing
        return [text[at + 1..], text[0..at]] if depth.zero?
      end
      nil
    end

    def predicates(text)
      rest = text.lstrip
      return [text, []] unless rest[0] == "["
      found = []
      while rest[0] == "["
        rest, inner = group(rest)
        found << inner[1..-2] if inner
      end
      [rest, found.map { |inner| infix(0, inner)[1] }]
    end

    def location(text, operations)
      text = text.lstrip
      return relative(text, operations) unless text[0] == "/"
      operations += [[:root]]
      operations += [[:step, "descendant-or-self", [:type, :node], []]] if text[1] == "/"
      text = text[(text[1] == "/" ? 2 : 1)..]
      text.empty? ? [nil, operations] : relative(text, operations)
    end

    def relative(text, operations)
      loop do
        start = text
        text = text.lstrip
        return [start, operations] if text.empty?
        rest, step = one_step(text)
        return [text, operations] unless step
        operations += [step]
        start = rest
        text = rest.lstrip
        return [start, operations] unless text[0] == "/"
        operations += [[:step, "descendant-or-self", [:type, :node], []]] if text[1] == "/"
        text = text[(text[1] == "/" ? 2 : 1)..]
      end
    end

    def one_step(text)
      return [text[2..], [:step, "parent", [:type, :node], []]] if text.start_with?("..")
      return [text[1..], [:step, "self", [:type, :node], []]] if text.start_with?(".")
      axis = "child"
      rest = text
      if text[0] == "@"
        axis, rest = "attribute", text[1..]
      elsif AXIS =~ text
        axis, rest = $1, $'
      end
      rest, test = node_test(rest.lstrip)
      return nil unless test
      rest, tests = predicates(rest)
      [rest, [:step, axis, test, tests]]
    end

    def node_test(text)
      case text
      when /\A\*:(#{LOCAL})/ then [$', [:name, nil, $1]]
      when /\A\*/ then [$', [:any]]
      when /\A(comment|text|node)\(\s*\)/m then [$', [:type, $1.to_sym]]
      when /\Aprocessing-instruction\(/ then instruction_test($')
      when /\A(#{LOCAL}):\*/ then [$', [:prefix, $1]]
      when Namespace::SPLIT then [$', [:name, $1.to_s, $2]]
      end
    end

    def instruction_test(text)
      return [$', [:instruction, ""]] if text =~ /\A\s*\)/
      found = LITERAL.match(text)
      rest = found&.post_match
      raise ParseException, "Missing ')' after processing instruction" if rest[0] != ")"
      [rest[1..], [:instruction, found[1].to_s]]
    end
  end

  module Parsers
    autoload :XPathParser, "rexml/parsers/xpathparser"
  end

  # Walks the operations of a path.
  class XPathParser
    REVERSE = %w(preceding preceding-sibling).freeze

    attr_writer :namespaces, :variables

    def initialize(strict: false)
      @strict = strict
      @namespaces = nil
      @variables = {}
    end

    def parse(path, nodes)
      found = run(XPathReader.read(path.dup), nodes, nil)
      found.is_a?(Array) ? found.dup : [found]
    end
    alias predicate parse

    private

    def run(operations, nodes, context)
      return nodes if operations.empty? || nodes.empty?
      operations.each_with_index do |(kind, *rest), at|
        return [] if nodes.empty?
        case kind
        when :root then nodes = [nodes.first.root_node]
        when :step then nodes = step(nodes, *rest)
        when :literal then return rest[0]
        when :variable then return [@variables[rest[0]]]
        when :negative then return -Functions.number(run(operations.drop(at + 1), nodes, context))
        when :binary then return binary(*rest, nodes, context)
        when :function then return function(*rest, nodes, context)
        else raise "[BUG] Unexpected path: <:predicate>: <#{rest.inspect}>"
        end
      end
      nodes
    end

    # The nodes of an axis are tested for each node that it starts at; the order is the document's where it starts at several.
    def step(nodes, axis, test, predicates)
      sets = axis_sets(nodes, axis).map { |set| set.select { |node| fits?(node, test, axis) } }
      predicates.each { |predicate| sets = sets.map { |set| filter(set, predicate) } }
      sets.size == 1 ? sets[0] : in_order(sets.flatten(1), REVERSE.include?(axis))
    end

    def filter(set, predicate)
      size = set.size
      set.each_with_index.select do |node, index|
        value = run(predicate, [node], { node: node, index: index + 1, size: size })
        value = value[0] if value.is_a?(Array) && value.size == 1
        case value
        when Numeric then value == index + 1
        when Array then value.any?
        else value
        end
      end.map(&:first)
    end

    # Nodes that are there twice stay so; the way back has no order: the places are negated, which Arrays cannot be.
    def in_order(nodes, reverse)
      nodes.sort_by do |node|
        place = []
        node = node.element if node.node_type == :attribute
        while node.parent && node.parent.node_type == :element
          place.unshift(node.parent.index(node))
          node = node.parent
        end
        reverse ? -place : place
      end
    end

    def axis_sets(nodes, axis)
      case axis
      when "self" then [nodes]
      when "child" then nodes.filter_map { |node| children(node) }
      when "descendant" then several(nodes) { |node| descendants(node, []) }
      when "descendant-or-self" then several(nodes) { |node| descendants(node, [node]) }
      when "attribute" then several(nodes) { |node| node.node_type == :element ? node.attributes.each_attribute.to_a : [] }
      when "parent" then several(nodes) { |node| [holder(node)].compact }
      when "ancestor" then several(nodes) { |node| ancestors(node) }
      when "ancestor-or-self" then several(nodes) { |node| node.node_type == :element ? [node, *ancestors(node)] : [] }
      when "following-sibling" then several(nodes) { |node| siblings(node) { |all, at| all[at + 1..] } }
      when "preceding-sibling" then several(nodes) { |node| siblings(node) { |all, at| all[0, at].reverse } }
      when "following" then nodes.map { |node| following(node) }
      when "preceding" then nodes.map { |node| preceding(node) }
      else several(nodes) { |node| namespace_pairs(node) }
      end
    end

    def namespace_pairs(node)
      element = holder_of_names(node) or return []
      { "xml" => Parsers::BaseParser::XML_NAMESPACE }.merge(@namespaces || element.namespaces).to_a
    end

    def holder_of_names(node)
      case node.node_type
      when :element then node
      when :attribute then node.element
      end
    end

    def several(nodes) = nodes.map { |node| yield node }.reject(&:empty?)
    def holder(node) = node.node_type == :attribute ? node.element : node.parent

    def children(node)
      case node.node_type
      when :element then node.children
      when :document
        found = node.children.reject { |child| child.is_a?(XMLDecl) || child.is_a?(Text) }
        found unless found.empty?
      end
    end

    def descendants(node, found)
      return found unless %i(element document).include?(node.node_type)
      node.children.each do |child|
        found << child
        descendants(child, found)
      end
      found
    end

    def ancestors(node)
      found = []
      found << node while (node = node.parent)
      found
    end

    def siblings(node)
      return [] unless node.respond_to?(:parent) && node.parent
      yield node.parent.children, node.parent.index(node)
    end

    def following(node)
      found = []
      node = after(node)
      while node
        found << node
        node = node.is_a?(Element) && !node.children.empty? ? node.children[0] : after(node)
      end
      found
    end

    # The sibling behind a node, or behind the nearest ancestor that has one.
    def after(node)
      until (found = node.next_sibling_node)
        return nil if node.parent.nil? || node.parent.instance_of?(Document)
        node = node.parent
      end
      found
    end

    def preceding(node)
      above = ancestors(node)
      found = []
      while (node = before(node))
        if above.include?(node)
          above.delete(node)
        else
          found << node
        end
      end
      found
    end

    def before(node)
      found = node.previous_sibling_node
      return node.parent.nil? || node.parent.instance_of?(Document) ? nil : node.parent if found.nil?
      found = found.children.last while found.is_a?(Element) && !found.children.empty?
      found
    end

    def fits?(node, test, axis)
      kind, *rest = test
      # prefixes and their namespaces are no nodes: they can only be taken all together
      raise NoMethodError, "undefined method `raw_node' for #{node.inspect}:Array" if node.is_a?(Array) && rest != [:node]
      case kind
      when :name then named?(node, *rest)
      when :any then node.node_type == (axis == "attribute" ? :attribute : :element)
      when :type then rest[0] == :node || node.node_type == rest[0]
      when :instruction then node.node_type == :processing_instruction && (rest[0].empty? || node.target == rest[0])
      when :prefix
        element = node.node_type == :attribute ? node.element : node
        element.node_type == :element && node.namespace == (@namespaces || element.namespaces)[rest[0]]
      end
    end

    # Without a prefix an attribute has no namespace, an element the one that the caller or the element itself names as default.
    def named?(node, prefix, name)
      kind = node.node_type
      return false unless %i(element attribute).include?(kind) && node.name == name
      return true if prefix.nil?
      return node.namespace == "" if prefix.empty? && (kind == :attribute || @strict)
      node.namespace == namespace_of(kind == :attribute ? node.element : node, prefix)
    end

    def namespace_of(element, prefix)
      return @namespaces[prefix] || "" if @namespaces
      element.node_type == :element ? element.namespace(prefix) : ""
    end

    def function(name, args, nodes, context)
      name = name.tr("-", "_")
      raise "[BUG] Node set size must be 1 for function call: <#{name}>: <#{nodes.inspect}>: <#{args.inspect}>" if nodes.size != 1
      context ||= { node: nodes[0], index: 1, size: 1 }
      values = args.map { |arg| run(arg, nodes, context) }
      Functions.namespace_context, Functions.variables, Functions.context = @namespaces, @variables, context
      Functions.call(name, values)
    end

    def binary(name, left, right, nodes, context)
      first = run(left, nodes, context)
      case name
      when "or" then return Functions.boolean(first) || Functions.boolean(run(right, nodes, context))
      when "and" then return Functions.boolean(first) && Functions.boolean(run(right, nodes, context))
      end
      second = run(right, nodes, context)
      case name
      when "|" then first | second
      when "+" then Functions.number(first) + Functions.number(second)
      when "-" then Functions.number(first) - Functions.number(second)
      when "*" then Functions.number(first) * Functions.number(second)
      when "div" then Functions.number(first) / Functions.number(second)
      when "mod" then Functions.number(first) % Functions.number(second)
      else compare_sets(first, name, second)
      end
    end

    def compare_sets(first, name, second)
      sets = [first, second].grep(Array)
      return compare(first, name, second) if sets.empty?
      return first.product(second).any? { |a, b| compare(Functions.string(a), name, Functions.string(b)) } if sets.size == 2
      # the set stands on the left, whichever side it is written on
      value = first.is_a?(Array) ? second : first
      value = Functions.number(value) if value.is_a?(String) && value.match?(/\A\d+(\.\d+)?\z/)
      sets[0].any? do |node|
        case value
        when true, false then compare(Functions.boolean(node), name, value)
        when Numeric then compare(Functions.number(node), name, value)
        else compare(Functions.string(node), name, Functions.string(value))
        end
      end
    end

    def compare(first, name, second)
      kinds = [first, second].map do |value|
        case value
        when true, false then :boolean
        when Numeric then :number
        when String then :string
        else raise "[BUG] Unexpected value type: <#{value.inspect}>"
        end
      end
      as = %w(= !=).include?(name) ? %i(boolean number string).find { |kind| kinds.include?(kind) } : :number
      first = Functions.public_send(as, first) unless kinds[0] == as
      second = Functions.public_send(as, second) unless kinds[1] == as
      first.public_send(name == "=" ? "==" : name, second)
    end
  end
end
