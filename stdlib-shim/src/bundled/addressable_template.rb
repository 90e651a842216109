require "addressable/uri"

module Addressable
  # Addresses with `{variables}` (RFC 6570).
  class Template
    class InvalidTemplateValueError < StandardError
    end

    OPERATORS = {
      nil => ["", ",", false, ""], "+" => ["", ",", false, ""], "#" => ["#", ",", false, ""], "." => [".", ".", false, ""],
      "/" => ["/", "/", false, ""], ";" => [";", ";", true, ""], "?" => ["?", "&", true, "="], "&" => ["&", "&", true, "="]
    }.freeze
    EXPRESSION = /\{([+#.\/;?&])?([^}]+)\}/

    attr_reader :pattern

    def initialize(pattern) = @pattern = pattern.to_str.dup.freeze
    def variables = @pattern.scan(EXPRESSION).flat_map { |_, names| names.split(",").map { |name| name[/\A[^*:]+/] } }.uniq
    alias keys variables
    alias names variables
    def to_s = @pattern
    def ==(other) = other.is_a?(Template) && pattern == other.pattern

    def expand(mapping, _processor = nil, _normalize = true)
      values = mapping.to_h.transform_keys(&:to_s)
      URI.parse(@pattern.gsub(EXPRESSION) { expand_expression($1, $2, values) })
    end

    def partial_expand(mapping, *)
      values = mapping.to_h.transform_keys(&:to_s)
      self.class.new(@pattern.gsub(EXPRESSION) { partly($1, $2.split(","), values) })
    end

    # What the variables are in an address; nil when it does not fit.
    class MatchData
      attr_reader :uri, :template, :mapping

      def initialize(uri, template, mapping)
        @uri, @template, @mapping = uri.dup.freeze, template, mapping.dup.freeze
      end

      def variables = template.variables
      alias keys variables
      alias names variables
      def values = variables.map { |name| mapping[name] }
      alias captures values
      def [](key, *) = key.is_a?(Integer) ? to_a[key] : mapping[key.to_s]
      def to_a = [uri.to_s, *values]
      def to_s = uri.to_s
      alias string to_s
      def pre_match = ""
      alias post_match pre_match
      def inspect = format("#<%s:%#x RESULT:%s>", self.class, object_id, mapping.inspect)
    end

    def match(uri, *)
      uri = URI.parse(uri)
      mapping = extract(uri)
      mapping && MatchData.new(uri, self, mapping)
    end

    def inspect = format("#<%s:%#x PATTERN:%s>", self.class, object_id, pattern)

    def extract(uri, *)
      names = []
      source = @pattern.split(/(\{[^}]+\})/).map do |part|
        match = EXPRESSION.match(part)
        next Regexp.escape(part) unless match
        lead, separator, named, = OPERATORS[match[1]]
        variables = match[2].split(",").map { |name| name[/\A[^*:]+/] }
        names.concat(variables)
        parts = variables.map { |name| "#{Regexp.escape("#{name}=") if named}(#{%w[+ #].include?(match[1]) ? ".*?" : "[^/?#&,]*?"})" }
        # any of them may be left out, from the last on
        first, *rest = parts
        "(?:#{Regexp.escape(lead)}#{first}#{rest.map { |each| "(?:#{Regexp.escape(separator)}#{each})?" }.join})?"
      end.join
      match = /\A#{source}\z/.match(uri.to_s)
      match && names.zip(match.captures.map { |value| value && URI.unencode(value) }).to_h
    end

    private

    # An expression with what is known written out, the rest left for later.
    def partly(operator, names, values)
      known, open = names.partition { |name| values.key?(name[/\A[^*:]+/]) }
      return "{#{operator}#{names.join(",")}}" if known.empty?
      done = expand_expression(operator, known.join(","), values)
      open.empty? ? done : "#{done}{#{operator == "?" ? "&" : operator}#{open.join(",")}}"
    end

    def expand_expression(operator, names, values)
      lead, separator, named, empty = OPERATORS[operator]
      kept = %w[+ #].include?(operator) ? URI::CharacterClasses::RESERVED + URI::CharacterClasses::UNRESERVED : URI::CharacterClasses::UNRESERVED
      encode = ->(value) { URI.encode_component(value, kept) }
      parts = names.split(",").filter_map do |spec|
        name, explode, limit = spec.match(/\A([^*:]+)(\*)?(?::(\d+))?\z/).captures
        value = values[name]
        next if value.nil? || value == [] || value == {}
        expand_value(name, limit ? value.to_s[0, limit.to_i] : value, explode, separator, named, empty, encode)
      end
      parts.empty? ? "" : lead + parts.join(separator)
    end

    def expand_value(name, value, explode, separator, named, empty, encode)
      label = ->(text) { named ? "#{name}#{text.empty? ? empty : "=#{text}"}" : text }
      case value
      when Hash
        return value.map { |key, item| "#{encode.(key)}=#{encode.(item)}" }.join(separator) if explode
        label.(value.flat_map { |key, item| [encode.(key), encode.(item)] }.join(","))
      when Array
        return value.map { |item| label.(encode.(item)) }.join(separator) if explode
        label.(value.map { |item| encode.(item) }.join(","))
      else label.(encode.(value))
      end
    end
  end
end
