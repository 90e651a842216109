# What CSV writes.
class CSV
  # Adds a row; the headers come from the options, or from the first row.
  def <<(row)
    start_writing
    fields =
      case row
      when Row then row.fields
      when Hash
        if @written_headers.nil?
          @written_headers = row.keys
          write_fields(@written_headers) if @use_headers && write_headers?
        end
        @written_headers.map { |header| row[header] }
      else row.to_a
      end
    @written_headers ||= fields if @use_headers
    fields = @write_converters.inject(fields) { |all, converter| all.each_with_index.map { |field, index| call_converter(converter, field, index, nil, false) } }
    write_fields(fields)
    self
  end
  alias add_row <<
  alias puts <<

  private

  # Headers that are given are written at once.
  def start_writing
    return if @writing
    @writing = true
    @written_lines = 0
    @written_headers = given_headers&.map { |name| convert_header(name) }
    write_fields(@written_headers) if @written_headers && write_headers?
  end

  # Headers that are known before any row.
  def given_headers
    case @use_headers
    when Array then @use_headers
    when String then CSV.parse_line(@use_headers, col_sep: @col_sep, row_sep: separator, quote_char: @quote_char)
    end
  end

  def output_row_sep = @row_sep == :auto ? (@io.is_a?(StringIO) && !@io.string.empty? ? detect_row_sep : $INPUT_RECORD_SEPARATOR || "\n") : @row_sep

  def write_fields(fields)
    @written_lines += 1
    fields = fields.map { |field| field.is_a?(String) ? field.encode(Encoding::UTF_8) : field } if @foreign
    line = +fields.each_with_index.map { |field, index| quote(field, forced?(index)) }.join(@col_sep)
    line = +"#{@quote_char}#{@quote_char}" if fields.size == 1 && line.empty? && fields[0] == "" && @quote_char && @options[:quote_empty]
    line << output_row_sep
    line = line.encode(@encoding) if @foreign
    @io.seek(0, IO::SEEK_END) if @writing_to_string
    # an empty text in memory takes the encoding of what is written
    @io.set_encoding(line.encoding) if @options[:encoding].nil? && @io.is_a?(StringIO) && @io.string.empty? && !line.ascii_only? && @io.external_encoding != line.encoding
    @io << line
  end

  def quote(field, forced)
    if field.nil?
      field = @options[:write_nil_value]
      return "" if field.nil? && !forced
      field ||= ""
      return forced ? wrap(field.to_s) : field.to_s
    end
    text = field.to_s
    return @options[:write_empty_value] == "" ? (@options[:quote_empty] && @quote_char ? "#{@quote_char}#{@quote_char}" : "") : @options[:write_empty_value].to_s if text.empty?
    return text if @quote_char.nil?
    forced || needs_quotes?(text) ? wrap(text) : text
  end

  # `force_quotes` is for all fields, or lists positions and headers.
  def forced?(index)
    chosen = @options[:force_quotes]
    return chosen ? true : false unless chosen.is_a?(Array)
    forced_columns.key?(index)
  end

  # The positions that `force_quotes` lists, itself or by the headers that were given.
  def forced_columns
    @forced_columns ||= @options[:force_quotes].each_with_object({}) do |each, columns|
      case each
      when Integer then columns[each] = true
      when String, Symbol
        headers = given_headers&.map { |name| convert_header(name) }
        headers or raise ArgumentError, ":headers is required when you use field name in :force_quotes: #{each.inspect}: #{@options[:force_quotes].inspect}"
        at = headers.index(each.to_s)
        columns[at] = true if at
      else raise ArgumentError, ":force_quotes element must be field index or field name: #{each.inspect}: #{@options[:force_quotes].inspect}"
      end
    end
  end

  def wrap(text) = "#{@quote_char}#{text.gsub(@quote_char, @quote_char * 2)}#{@quote_char}"

  def needs_quotes?(text)
    # any character of the separator, not only all of it
    @quotable ||= /[#{in_encoding("\r\n")}#{Regexp.escape(@col_sep)}#{Regexp.escape(@quote_char)}]/
    text.valid_encoding? && @quotable.match?(text)
  end
end
