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
      self.class.new(@pattern.gsub(EXPRESSION) { |whole| $2.split(",").all? { |name| values.key?(name[/\A[^*:]+/]) } ? expand_expression($1, $2, values) : whole })
    end

    def extract(uri, *)
      names = []
      source = @pattern.split(/(\{[^}]+\})/).map do |part|
        match = EXPRESSION.match(part)
        next Regexp.escape(part) unless match
        lead, separator, named, = OPERATORS[match[1]]
        inner = match[2].split(",").map do |name|
          names << name[/\A[^*:]+/]
          "#{Regexp.escape("#{names.last}=") if named}(#{%w[+ #].include?(match[1]) ? ".*?" : "[^/?#&]*?"})"
        end
        "#{Regexp.escape(lead)}#{inner.join(Regexp.escape(separator))}"
      end.join
      match = /\A#{source}\z/.match(uri.to_s)
      match && names.zip(match.captures.map { |value| URI.unencode(value) }).to_h
    end

    private

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
