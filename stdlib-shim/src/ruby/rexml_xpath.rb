module REXML
  # XPath 1.0 over the tree: a path is read into nested arrays and walked.
  module XPath
    class << self
      def match(element, path = nil, namespaces = nil, variables = {}, _options = {})
        found = Query.parse(path || "*").evaluate(element, namespaces, variables)
        found.is_a?(Array) ? found : [found]
      end

      def first(element, path = nil, namespaces = nil, variables = {}, options = {}) = match(element, path, namespaces, variables, options).first

      def each(element, path = nil, namespaces = nil, variables = {}, options = {}, &block) = match(element, path, namespaces, variables, options).each(&block)
    end

    # The parsed form of an expression, and its evaluation.
    class Query
      TOKEN = %r{\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)|(?<literal>"[^"]*"|'[^']*')|(?<op>//|::|\.\.|!=|<=|>=|[/@.()\[\],|+\-*=<>$])|(?<name>[[:alpha:]_][[:alnum:]_.\-]*(?::(?!:)(?:[[:alpha:]_][[:alnum:]_.\-]*|\*))?))}
      AXES = %w(child descendant descendant-or-self parent ancestor ancestor-or-self following-sibling preceding-sibling following preceding attribute self namespace).freeze
      OPERATORS = [%w(or), %w(and), %w(= !=), %w(< <= > >=), %w(+ -), %w(* div mod)].freeze
      NODE_TESTS = %w(node text comment processing-instruction).freeze

      def self.parse(path)
        @parsed ||= {}
        @parsed.clear if @parsed.size > 500
        @parsed[path] ||= new(path)
      end

      def initialize(path)
        @tokens = tokenize(path.to_s)
        @at = 0
        @tree = binary(0)
        raise ParseException, "Garbage component exists at the end: <#{path}>" if @at < @tokens.size
      end

      def evaluate(element, namespaces, variables)
        Evaluation.new(namespaces, variables).run(@tree, element, 1, 1)
      end

      private

      def tokenize(path)
        tokens = []
        position = 0
        while position < path.size
          break if path[position..].match?(/\A\s*\z/)
          match = TOKEN.match(path, position)
          raise ParseException, "Garbage component exists at the end: <#{path}>" unless match && match.begin(0) == position
          kind = match.names.find { |name| match[name] }.to_sym
          tokens << [kind, match[kind]]
          position = match.end(0)
        end
        tokens
      end

      def peek(offset = 0) = @tokens[@at + offset]
      def value(offset = 0) = peek(offset)&.last
      def op?(text, offset = 0) = (token = peek(offset)) && token[0] == :op && token[1] == text
      def take(text)
        return false unless op?(text)
        @at += 1
        true
      end
      def expect(text) = take(text) || raise(ParseException, "XPath: '#{text}' expected before #{value.inspect}")

      def binary(level)
        return unary if level == OPERATORS.size
        left = binary(level + 1)
        while (token = peek) && OPERATORS[level].include?(token[1]) && token[0] != :literal
          @at += 1
          left = [:operator, token[1], left, binary(level + 1)]
        end
        left
      end

      def unary
        return [:negative, unary] if take("-")
        left = path
        left = [:union, left, path] while take("|")
        left
      end

      def path
        token = peek or raise ParseException, "XPath: expression expected"
        primary = primary_expression(token)
        return steps([:root], []) if primary.nil? && (op?("/") || op?("//"))
        return relative(nil) unless primary
        primary = [:filter, primary, predicates] if op?("[")
        op?("/") || op?("//") ? [:path, primary, continue([])] : primary
      end

      def primary_expression(token)
        case token[0]
        when :number
          @at += 1
          [:number, token[1].to_f]
        when :literal
          @at += 1
          [:string, token[1][1..-2]]
        when :name
          function(token[1]) if op?("(", 1) && !NODE_TESTS.include?(token[1])
        else
          if take("(")
            inner = binary(0)
            expect(")")
            inner
          elsif take("$")
            name = value
            @at += 1
            [:variable, name]
          end
        end
      end

      def function(name)
        @at += 2
        args = []
        until take(")")
          args << binary(0)
          take(",") || op?(")") || raise(ParseException, "XPath: ')' expected")
        end
        [:function, name, args]
      end

      def steps(start, list)
        if take("//")
          list << [:step, "descendant-or-self", [:type, "node"], []]
          list << step
        elsif take("/")
          return [:path, start, list] unless step_ahead?
          list << step
        end
        [:path, start, continue(list)]
      end

      def relative(start)
        list = [step]
        [:path, start, continue(list)]
      end

      def continue(list)
        loop do
          if take("//")
            list << [:step, "descendant-or-self", [:type, "node"], []]
            list << step
          elsif take("/")
            list << step
          else
            return list
          end
        end
      end

      def step_ahead? = (token = peek) && (token[0] == :name || (token[0] == :op && %w(. .. @ *).include?(token[1])))

      def step
        return [:step, "self", [:type, "node"], predicates] if take(".")
        return [:step, "parent", [:type, "node"], predicates] if take("..")
        axis = "child"
        if take("@")
          axis = "attribute"
        elsif op?("::", 1)
          axis = value
          raise ParseException, "XPath: unknown axis #{axis}" unless AXES.include?(axis)
          @at += 2
        end
        [:step, axis, test, predicates]
      end

      def test
        return [:any] if take("*")
        token = peek
        raise ParseException, "XPath: name expected before #{value.inspect}" unless token && token[0] == :name
        @at += 1
        if NODE_TESTS.include?(token[1]) && take("(")
          argument = peek[0] == :literal ? value[1..-2].tap { @at += 1 } : nil
          expect(")")
          return [:type, token[1], argument]
        end
        prefix, name = token[1].include?(":") ? token[1].split(":", 2) : [nil, token[1]]
        [:name, prefix, name]
      end

      def predicates
        list = []
        while take("[")
          list << binary(0)
          expect("]")
        end
        list
      end
    end

    # One evaluation: namespaces and variables of the caller.
    class Evaluation
      REVERSE = %w(parent ancestor ancestor-or-self preceding preceding-sibling).freeze

      def initialize(namespaces, variables)
        @namespaces, @variables = namespaces, variables || {}
      end

      def run(tree, node, position, size)
        case tree[0]
        when :number, :string then tree[1]
        when :negative then -number(run(tree[1], node, position, size))
        when :variable then @variables[tree[1]]
        when :union then in_order(list(run(tree[1], node, position, size)) + list(run(tree[2], node, position, size)))
        when :operator then operator(tree, node, position, size)
        when :function then Functions.call(self, tree[1], tree[2], node, position, size)
        when :filter then tree[2].reduce(list(run(tree[1], node, position, size))) { |nodes, predicate| filter(nodes, predicate) }
        when :path then path(tree, node, position, size)
        end
      end

      def list(value) = value.is_a?(Array) ? value : [value]

      def path(tree, node, position, size)
        start =
          case tree[1]
          when nil then [node]
          when [:root] then [top(node)]
          else list(run(tree[1], node, position, size))
          end
        tree[2].reduce(start) { |nodes, step| walk(nodes, step) }
      end

      def top(node)
        node = node.parent while node.parent
        node
      end

      def walk(nodes, step)
        _, axis, test, predicates = step
        found = nodes.flat_map do |node|
          matched = axis_nodes(node, axis).select { |each| fits?(each, test, axis, node) }
          predicates.reduce(matched) { |rest, predicate| filter(rest, predicate) }
        end
        found = unique(found)
        nodes.size > 1 || REVERSE.include?(axis) ? in_order(found) : found
      end

      def unique(nodes) = nodes.size < 2 ? nodes : nodes.uniq(&:object_id)

      def filter(nodes, predicate)
        size = nodes.size
        nodes.each_with_index.select do |node, index|
          value = run(predicate, node, index + 1, size)
          value.is_a?(Numeric) ? value == index + 1 : truth(value)
        end.map(&:first)
      end

      # Document order: by the path of places from the top.
      def in_order(nodes)
        nodes = unique(nodes)
        return nodes if nodes.size < 2
        places = {}.compare_by_identity
        nodes.sort_by { |node| place(node, places) }
      end

      def place(node, places)
        return places[node] if places.key?(node)
        holder = node.parent
        places[node] =
          if holder.nil? then []
          elsif node.is_a?(Attribute) then place(holder, places) + [-1, holder.attributes.to_a.index { |each| each.equal?(node) } || 0]
          else place(holder, places) + [holder.index(node) || 0]
          end
      end

      def kids(node) = node.is_a?(Parent) ? node.children.reject { |each| each.is_a?(XMLDecl) || each.is_a?(DocType) } : []
      def descendants(node) = kids(node).flat_map { |child| [child, *descendants(child)] }
      def ancestors(node)
        found = []
        found << node while (node = node.parent)
        found
      end
      def siblings(node) = node.parent && !node.is_a?(Attribute) ? kids(node.parent) : []

      def axis_nodes(node, axis)
        case axis
        when "child" then kids(node)
        when "attribute" then node.is_a?(Element) ? node.attributes.to_a.reject { |each| each.prefix == "xmlns" } : []
        when "descendant" then descendants(node)
        when "descendant-or-self" then [node, *descendants(node)]
        when "self" then [node]
        when "parent" then [node.parent].compact
        when "ancestor" then ancestors(node)
        when "ancestor-or-self" then [node, *ancestors(node)]
        when "following-sibling" then siblings(node).drop_while { |each| !each.equal?(node) }.drop(1)
        when "preceding-sibling" then siblings(node).take_while { |each| !each.equal?(node) }.reverse
        when "following" then [node, *ancestors(node)].flat_map { |each| axis_nodes(each, "following-sibling").flat_map { |later| [later, *descendants(later)] } }
        when "preceding" then [node, *ancestors(node)].flat_map { |each| axis_nodes(each, "preceding-sibling").flat_map { |before| [before, *descendants(before)].reverse } }
        else []
        end
      end

      def fits?(node, test, axis, _from)
        case test[0]
        when :any then axis == "attribute" || (node.is_a?(Element) && !node.is_a?(Document))
        when :type
          case test[1]
          when "node" then true
          when "text" then node.is_a?(Text)
          when "comment" then node.is_a?(Comment)
          else node.is_a?(Instruction) && (test[2].nil? || node.target == test[2])
          end
        else named?(node, test[1], test[2])
        end
      end

      def named?(node, prefix, name)
        return false if node.is_a?(Document) || !node.is_a?(Namespace)
        return false unless name == "*" || node.name == name
        if prefix.nil?
          return node.prefix.to_s.empty? if node.is_a?(Attribute)
          default = @namespaces && @namespaces[""]
          return node.namespace == default if default
          return node.prefix.to_s.empty? || node.namespace == node.namespace("")
        end
        wanted = @namespaces ? @namespaces[prefix] : (node.is_a?(Attribute) ? node.element : node)&.namespace(prefix)
        wanted ? node.namespace == wanted : false
      end

      def operator(tree, node, position, size)
        _, name, left, right = tree
        return truth(run(left, node, position, size)) || truth(run(right, node, position, size)) if name == "or"
        return truth(run(left, node, position, size)) && truth(run(right, node, position, size)) if name == "and"
        left, right = run(left, node, position, size), run(right, node, position, size)
        case name
        when "=", "!=", "<", "<=", ">", ">=" then compare(name, left, right)
        when "+" then number(left) + number(right)
        when "-" then number(left) - number(right)
        when "*" then number(left) * number(right)
        when "div" then number(left) / number(right)
        when "mod" then number(left).remainder(number(right))
        end
      end

      def compare(name, left, right)
        if left.is_a?(Array) || right.is_a?(Array)
          return compare_values(name, truth(left), truth(right)) if [left, right].any? { |each| each == true || each == false }
          left = left.is_a?(Array) ? left.map { |each| string(each) } : [left]
          right = right.is_a?(Array) ? right.map { |each| string(each) } : [right]
          return left.any? { |a| right.any? { |b| compare_values(name, a, b) } }
        end
        compare_values(name, left, right)
      end

      def compare_values(name, left, right)
        if %w(= !=).include?(name)
          same =
            if [left, right].any? { |each| each == true || each == false } then truth(left) == truth(right)
            elsif [left, right].any?(Numeric) then number(left) == number(right)
            else string(left) == string(right)
            end
          return name == "=" ? same : !same
        end
        number(left).__send__(name, number(right))
      end

      def truth(value)
        case value
        when Array, String then !value.empty?
        when Numeric then value != 0 && !(value.is_a?(Float) && value.nan?)
        else !!value
        end
      end

      def number(value)
        case value
        when Numeric then value
        when true then 1
        when false, nil then value.nil? ? Float::NAN : 0
        else
          text = string(value).strip
          text.match?(/\A-?(?:\d+(?:\.\d*)?|\.\d+)\z/) ? (text.include?(".") ? "0#{text}".sub("0-", "-0").to_f : text.to_i) : Float::NAN
        end
      end

      def string(value)
        case value
        when Array then value.empty? ? "" : string(value.first)
        when nil then ""
        when Document, Element then value.children.grep_v(Comment).grep_v(Instruction).map { |child| child.is_a?(Parent) || child.is_a?(Text) ? string(child) : "" }.join
        when Attribute, Text then value.value
        when Comment then value.string
        when Instruction then value.content.to_s
        when Float then value.nan? ? "NaN" : (value == value.to_i ? value.to_i.to_s : value.to_s)
        else value.to_s
        end
      end
    end

    # The functions of XPath's core library.
    module Functions
      module_function

      def call(evaluation, name, args, node, position, size)
        case name
        when "position" then return position
        when "last" then return size
        end
        values = args.map { |arg| evaluation.run(arg, node, position, size) }
        text = ->(index) { values.size > index ? evaluation.string(values[index]) : evaluation.string(node) }
        target = values.empty? ? node : evaluation.list(values[0]).first
        case name
        when "count" then values[0].size
        when "name" then target.respond_to?(:expanded_name) ? target.expanded_name : ""
        when "local-name" then target.respond_to?(:name) ? target.name : ""
        when "namespace-uri" then target.respond_to?(:namespace) ? target.namespace.to_s : ""
        when "string" then text.(0)
        when "concat" then values.map { |value| evaluation.string(value) }.join
        when "contains" then text.(0).include?(text.(1))
        when "starts-with" then text.(0).start_with?(text.(1))
        when "substring-before" then text.(0).include?(text.(1)) ? text.(0).partition(text.(1)).first : ""
        when "substring-after" then text.(0).include?(text.(1)) ? text.(0).partition(text.(1)).last : ""
        when "substring" then substring(evaluation, text.(0), values)
        when "string-length" then text.(0).length
        when "normalize-space" then text.(0).strip.gsub(/\s+/, " ")
        when "translate" then translate(text.(0), text.(1), text.(2))
        when "boolean" then evaluation.truth(values[0])
        when "not" then !evaluation.truth(values[0])
        when "true" then true
        when "false" then false
        when "number" then evaluation.number(values.empty? ? [node] : values[0])
        when "sum" then values[0].sum { |each| evaluation.number(evaluation.string(each)) }
        when "floor" then evaluation.number(values[0]).floor
        when "ceiling" then evaluation.number(values[0]).ceil
        when "round" then (evaluation.number(values[0]) + 0.5).floor
        when "id" then []
        when "lang" then lang?(node, text.(0))
        else raise ParseException, "XPath: unknown function #{name}"
        end
      end

      def substring(evaluation, text, values)
        first = (evaluation.number(values[1]) + 0.5).floor
        last = values[2] ? first + (evaluation.number(values[2]) + 0.5).floor : text.length + 1
        text.chars.each_with_index.select { |_, index| index + 1 >= first && index + 1 < last }.map(&:first).join
      end

      def translate(text, from, to)
        map = {}
        from.each_char.with_index { |char, index| map[char] = to[index].to_s unless map.key?(char) }
        text.each_char.map { |char| map.fetch(char, char) }.join
      end

      def lang?(node, wanted)
        while node
          found = node.is_a?(Element) && node.attributes["xml:lang"]
          return found.downcase == wanted.downcase || found.downcase.start_with?("#{wanted.downcase}-") if found
          node = node.parent
        end
        false
      end
    end
  end
end
