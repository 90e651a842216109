require "rexml/document"

module REXML
  module Parsers
    # Paths as flat lists: an axis, what it tests, and after `:predicate` a list for each predicate. Such lists can be changed, and written again.
    class XPathParser
      include XMLTokens
      SIGNS = { "=" => :eq, "!=" => :neq, "<" => :lt, ">" => :gt, "<=" => :lteq, ">=" => :gteq, "|" => :union, "+" => :plus, "-" => :minus, "*" => :mult }.freeze
      # Operators that are written as their names, some of which are read as signs.
      WORDS = %i(and or mult plus minus div mod).freeze
      AXES = %i(following following_sibling ancestor ancestor_or_self descendant namespace preceding preceding_sibling).freeze
      SHORT = { node: "", self: ".", parent: "..", text: "text()" }.freeze
      private_constant :SIGNS, :WORDS, :AXES, :SHORT

      def namespaces=(namespaces)
        Functions.namespace_context = @namespaces = namespaces
      end

      def parse(path) = flat(XPathReader.read(path))
      def predicate(path) = parse("self::node()[#{path}]").drop(2)

      def abbreviate(path)
        write(path, :abbreviate) do |operation, rest, text|
          slash = text.empty? ? "" : "/"
          case operation
          when :attribute then "#{slash}@"
          when :child then slash
          when :descendant_or_self then "/"
          when :function then "#{rest.shift}( #{predicate_to_string(rest.shift[0]) { |inner| abbreviate(inner) }} )"
          when :literal then %( "#{rest.shift}" )
          when *AXES then "#{slash}#{axis(operation)}"
          else SHORT[operation]
          end
        end
      end

      def expand(path)
        write(path, :expand) do |operation, _rest, text|
          case operation
          when :node then "node()"
          when :attribute, :child, :descendant_or_self, :self, :parent, *AXES then "#{"/" unless text.empty?}#{axis(operation)}"
          end
        end
      end

      # The block writes what is a path.
      def predicate_to_string(path, &block)
        operation, first, second = path
        sign = WORDS.include?(operation) ? operation : SIGNS.key(operation)
        text =
          if sign then " #{predicate_to_string(first, &block)} #{sign} #{predicate_to_string(second, &block)} "
          elsif operation == :function then "#{first}( #{predicate_to_string(second, &block)} )"
          elsif operation == :literal then " #{first.inspect} "
          else " #{yield path} "
          end
        text.squeeze(" ")
      end

      private

      def axis(operation) = "#{operation.to_s.tr("_", "-")}::"

      # The block writes the operations that the two forms write differently.
      def write(path, form)
        rest = path.is_a?(String) ? parse(path) : path.dup
        text = +""
        document = false
        until rest.empty?
          operation = rest.shift
          case operation
          when :document then document = true
          when :any then text << "*"
          when :qname
            prefix = rest.shift
            text << "#{"#{prefix}:" if prefix.size > 0}#{rest.shift}"
          when :predicate then text << "[#{predicate_to_string(rest.shift) { |inner| public_send(form, inner) }}]"
          else text << (yield(operation, rest, text) || "#{"/" unless text.empty?}UNKNOWN(#{operation.inspect})")
          end
        end
        document ? "/#{text}" : text
      end

      # The lists are the caller's own, and so are their Strings.
      def flat(operations)
        operations.flat_map do |kind, *rest|
          case kind
          when :root then [:document]
          when :step then [rest[0].tr("-", "_").to_sym, *node_test(*rest[1]), *predicates(rest[2])]
          when :predicates then predicates(rest[0])
          when :binary then [SIGNS.fetch(rest[0], rest[0].to_sym), flat(rest[1]), flat(rest[2])]
          when :function then [:function, rest[0].dup, rest[1].map { |argument| flat(argument) }]
          when :negative then [:neg]
          else [kind, rest[0].dup]
          end
        end
      end

      def predicates(tests) = tests.flat_map { |test| [:predicate, flat(test)] }

      def node_test(kind, *names)
        case kind
        when :name then [:qname, *names.map(&:dup)]
        when :type then names
        when :instruction then [:processing_instruction, names[0].dup]
        when :prefix then [:namespace, names[0].dup]
        else [kind]
        end
      end
    end
  end
end
