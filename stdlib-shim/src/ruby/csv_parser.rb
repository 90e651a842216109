# The parts of CSV by themselves: what reads, what writes, what converts fields.
require "csv"

class CSV
  module InputRecordSeparator
    def self.value = $/
  end

  # Converters one after the other, and what a missing or an empty field becomes.
  class FieldsConverter
    include Enumerable

    def initialize(options = {})
      @converters = []
      @nil_value = options[:nil_value]
      @empty_value = options[:empty_value]
      @empty_value_is_empty_string = @empty_value == ""
      @accept_nil = options[:accept_nil]
      @builtin_converters_name = options[:builtin_converters_name]
    end

    # A converter, or the name of one that CSV has; a name may stand for several.
    def add_converter(name = nil, &converter)
      return @converters << converter if name.nil?
      return @converters << name unless name.is_a?(Symbol) || name.is_a?(String)
      found = CSV.const_get(@builtin_converters_name)[name.to_sym]
      case found
      when Array then found.each { |each| add_converter(each) }
      when nil then raise NoMethodError, "undefined method `arity' for nil:NilClass"
      else add_converter(&found)
      end
    end

    def each(&block) = @converters.each(&block)
    def empty? = @converters.empty?

    def convert(fields, headers, lineno, quoted_fields = nil)
      return fields if empty? && @nil_value.nil? && @empty_value_is_empty_string
      fields.each_with_index.map do |field, index|
        if field.nil? then field = @nil_value
        elsif field.is_a?(String) && field.empty? then field = @empty_value unless @empty_value_is_empty_string
        end
        header = headers && headers[index]
        quoted = quoted_fields && quoted_fields[index]
        @converters.each do |converter|
          break if field.nil? && !@accept_nil
          field = converter.arity == 1 ? converter[field] : converter[field, FieldInfo.new(index, lineno, header, quoted)]
          break unless field.is_a?(String)
        end
        field
      end
    end
  end

  # CSV's names of options, by those that its parts have.
  OPTION_NAMES = {
    column_separator: :col_sep, row_separator: :row_sep, quote_character: :quote_char, field_size_limit: :field_size_limit, headers: :headers,
    return_headers: :return_headers, skip_blanks: :skip_blanks, skip_lines: :skip_lines, liberal_parsing: :liberal_parsing,
    unconverted_fields: :unconverted_fields, nil_value: :nil_value, empty_value: :empty_value, strip: :strip, write_headers: :write_headers,
    force_quotes: :force_quotes, quote_empty: :quote_empty, write_nil_value: :write_nil_value, write_empty_value: :write_empty_value
  }.freeze
  private_constant :OPTION_NAMES
  def self.__of(input, options)
    given = options.filter_map { |name, value| [OPTION_NAMES[name], value] if OPTION_NAMES[name] }.to_h
    converters = { fields_converter: :converters, header_fields_converter: :header_converters }
    converters.each { |name, option| given[option] = options[name].to_a if options[name] }
    new(input, **given)
  end
  private_class_method :__of

  # Reads rows.
  class Parser
    class InvalidEncoding < StandardError; end

    def initialize(input, options)
      @csv = CSV.__send__(:__of, input, options)
    end

    { column_separator: :col_sep, row_separator: :row_sep, quote_character: :quote_char, field_size_limit: :field_size_limit, skip_lines: :skip_lines,
      unconverted_fields?: :unconverted_fields?, return_headers?: :return_headers?, skip_blanks?: :skip_blanks?, liberal_parsing?: :liberal_parsing?,
      header_row?: :header_row?, lineno: :lineno, line: :line }.each do |name, of|
      define_method(name) { @csv.__send__(of) }
    end
    def headers = @csv.headers.then { |headers| headers == true ? nil : headers }
    def use_headers? = !@csv.headers.nil?

    def parse(&block)
      return to_enum(:parse) unless block
      @csv.each(&block)
    end
  end

  # Writes rows.
  class Writer
    def initialize(output, options)
      @csv = CSV.__send__(:__of, output, options)
      @lineno = 0
    end
    attr_reader :lineno

    def headers = @csv.headers.then { |headers| headers == true ? nil : headers }
    def <<(row)
      @csv << row
      @lineno += 1
      self
    end
    def rewind
      @lineno = 0
    end
  end
end
