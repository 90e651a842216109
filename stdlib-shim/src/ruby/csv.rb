# CSV: reading and writing comma-separated values.
require "English"
require "forwardable"
require "stringio"
autoload :Date, "date"
autoload :DateTime, "date"
autoload :StringScanner, "strscan"

class CSV
  include Enumerable
  extend Forwardable
  VERSION = "3.2.2".freeze

  class MalformedCSVError < RuntimeError
    attr_reader :line_number
    alias lineno line_number
    def initialize(message, line_number)
      @line_number = line_number
      super("#{message} in line #{line_number}.")
    end
  end

  FieldInfo = Struct.new(:index, :line, :header, :quoted?)
  ConverterEncoding = Encoding::UTF_8
  DateMatcher = /\A\s*\d{1,4}-\d{1,2}-\d{1,2}\s*\z|\A\s*(?:\w+,?\s+)?\w+\s+\d{1,2},?\s+\d{2,4}\s*\z/
  DateTimeMatcher = /\A\s*\d{4}-\d{2}-\d{2}(?:[T\s]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:[+-]\d{2}(?::\d{2})?|\s(?:UTC|Z)|Z)?)?\s*\z/
  Converters = {
    integer: ->(field) { Integer(field.encode(ConverterEncoding)) rescue field },
    float: ->(field) { Float(field.encode(ConverterEncoding)) rescue field },
    numeric: %i(integer float),
    date: ->(field) { (require("date"); field.match?(DateMatcher) ? Date.parse(field) : field) rescue field },
    date_time: ->(field) { (require("date"); field.match?(DateTimeMatcher) ? DateTime.parse(field) : field) rescue field },
    all: %i(date_time numeric)
  }
  HeaderConverters = {
    downcase: ->(header) { header.encode(ConverterEncoding).downcase },
    symbol: ->(header) { header.encode(ConverterEncoding).downcase.gsub(/[^\s\w]+/, "").strip.gsub(/\s+/, "_").to_sym }
  }
  DEFAULT_OPTIONS = {
    col_sep: ",", row_sep: :auto, quote_char: '"', field_size_limit: nil, converters: nil, unconverted_fields: nil, headers: false, return_headers: false,
    header_converters: nil, skip_blanks: false, force_quotes: false, skip_lines: nil, liberal_parsing: false, internal_field_separator: nil,
    internal_encoding: nil, external_encoding: nil, encoding: nil, nil_value: nil, empty_value: "", quote_empty: true, write_headers: nil, write_nil_value: nil,
    write_empty_value: "", write_converters: nil, strip: false
  }.freeze

  # One line with its headers.
  class Row
    extend Forwardable
    include Enumerable
    attr_reader :row
    protected :row
    def_delegators :@row, :empty?, :length, :size

    def initialize(headers, fields, header_row = false)
      @header_row = header_row
      headers, fields = [headers, fields].map { |each| each.nil? ? [] : each }
      headers = headers.map { |each| each.is_a?(String) ? each.dup.freeze : each }
      @row = headers.size >= fields.size ? headers.zip(fields.first(headers.size)) : fields.zip(headers).map(&:reverse)
    end
    def initialize_copy(other)
      super
      @row = @row.map(&:dup)
    end
    def header_row? = @header_row
    def field_row? = !@header_row
    def headers = @row.map(&:first)
    def field(key, minimum = 0)
      return fields[key] if key.is_a?(Integer)
      return @row[key]&.map(&:last) if key.is_a?(Range)
      found = @row[minimum..]&.find { |header, _| header == key }
      found&.last
    end
    alias [] field
    def fetch(header, *default)
      raise ArgumentError, "Too many arguments" if default.size > 1
      found = @row.find { |name, _| name == header }
      return found.last if found
      return yield(header) if block_given?
      return default.first unless default.empty?
      raise KeyError, "key not found: #{header}"
    end
    def has_key?(name) = @row.any? { |header, _| header == name }
    alias header? has_key?
    alias include? has_key?
    alias key? has_key?
    alias member? has_key?
    def []=(*args)
      value = args.pop
      if args.first.is_a?(Integer)
        if @row[args.first].nil?
          @row[args.first] = [nil, value]
          @row.map! { |pair| pair.nil? ? [nil, nil] : pair }
        else
          @row[args.first][1] = value
        end
      else
        at = index(*args)
        at ? @row[at][1] = value : self << [args.first, value]
      end
    end
    def <<(argument)
      return @row.concat(argument.to_a).then { self } if argument.is_a?(Hash)
      @row << (argument.is_a?(Array) && argument.size == 2 ? argument : [nil, argument])
      self
    end
    def push(*arguments)
      arguments.each { |each| self << each }
      self
    end
    def delete(key, minimum = 0)
      return @row.delete_at(key) if key.is_a?(Integer)
      at = index(key, minimum) or return []
      @row.delete_at(at)
    end
    def delete_if(&block)
      return to_enum(:delete_if) unless block
      @row.delete_if(&block)
      self
    end
    def fields(*wanted)
      return @row.map(&:last) if wanted.empty?
      wanted.flat_map do |each|
        case each
        when Integer then [@row[each]&.last]
        when Range
          first = each.begin.is_a?(Integer) ? each.begin : index(each.begin)
          last = each.end.is_a?(Integer) ? each.end : index(each.end)
          @row[each.exclude_end? ? first...last : first..last].map(&:last)
        when Array then [field(*each)]
        else [field(each)]
        end
      end
    end
    alias values_at fields
    def index(header, minimum = 0)
      at = headers[minimum..].index(header)
      at && at + minimum
    end
    def field?(data) = fields.include?(data)
    def each(&block)
      return to_enum(:each) unless block
      @row.each(&block)
      self
    end
    alias each_pair each
    def ==(other) = other.is_a?(Row) ? @row == other.row : @row == other
    def to_h = @row.each_with_object({}) { |(header, value), hash| hash[header] = value unless hash.key?(header) }
    alias to_hash to_h
    alias to_ary to_a
    def values_of(*keys) = keys.map { |key| self[key] }
    def to_csv(**options) = fields.to_csv(**options)
    alias to_s to_csv
    def dig(first, *rest)
      found = field(first)
      return found if rest.empty? || found.nil?
      raise TypeError, "#{found.class} does not have \#dig method" unless found.respond_to?(:dig)
      found.dig(*rest)
    end
    def inspect
      text = ["#<", self.class.to_s]
      each { |header, field| text << " " << (header.is_a?(Symbol) ? header.to_s : header.inspect) << ":" << field.inspect }
      (text << ">").join("")
    end
  end

  # Lines with headers, reached by row or column.
  class Table
    extend Forwardable
    include Enumerable
    attr_reader :mode, :table
    protected :table
    def_delegators :@table, :empty?, :length, :size

    def initialize(rows, headers: nil)
      @table = rows
      @headers = (headers || (rows.empty? ? [] : rows.first.headers)).dup
      @mode = :col_or_row
    end
    def by_col = self.class.new(@table.dup, headers: @headers).by_col!
    def by_row = self.class.new(@table.dup, headers: @headers).by_row!
    def by_col_or_row = self.class.new(@table.dup, headers: @headers).by_col_or_row!
    def by_col! = set_mode(:col)
    def by_row! = set_mode(:row)
    def by_col_or_row! = set_mode(:col_or_row)
    def set_mode(mode)
      @mode = mode
      self
    end
    private :set_mode
    def headers = @table.empty? ? @headers.dup : @table.first.headers
    def row_access?(key) = @mode == :row || (@mode == :col_or_row && (key.is_a?(Integer) || (key.is_a?(Range) && [key.begin, key.end].all? { |one| one.nil? || one.is_a?(Integer) })))
    private :row_access?
    def [](key) = row_access?(key) ? @table[key] : @table.map { |row| row[key] }
    def []=(key, value)
      if row_access?(key)
        @table[key] = value.is_a?(Array) ? Row.new(headers, value) : value
      elsif value.is_a?(Array)
        @table.each_with_index { |row, index| row[key] = row.header_row? ? key : value[index] }
      else
        @table.each { |row| row[key] = row.header_row? ? key : value }
      end
    end
    def values_at(*keys) = @mode == :row || keys.all? { |key| row_access?(key) } ? @table.values_at(*keys) : @table.map { |row| row.values_at(*keys) }
    def <<(row)
      @table << (row.is_a?(Array) ? Row.new(headers, row) : row)
      self
    end
    def push(*rows)
      rows.each { |row| self << row }
      self
    end
    def delete(*keys)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1+)" if keys.empty?
      found = keys.map do |key|
        next @table.delete_at(key) if row_access?(key)
        key.is_a?(Integer) ? @headers.delete_at(key) : @headers.delete(key)
        @table.map { |row| row.delete(key).last }
      end
      keys.size == 1 ? found[0] : found
    end
    def delete_if(&block)
      return to_enum(:delete_if) { @mode == :col ? headers.size : size } unless block
      if @mode == :col
        headers.each { |header| delete(header) if yield([header, self[header]]) }
      else
        @table.delete_if(&block)
      end
      self
    end
    def each(&block)
      return to_enum(:each) { @mode == :col ? headers.size : size } unless block
      if @mode == :col
        headers.each { |header| yield([header, @table.map { |row| row[header] }]) }
      else
        @table.each(&block)
      end
      self
    end
    def ==(other) = other.is_a?(Table) ? @table == other.table : @table == other
    def to_a = [headers] + @table.reject(&:header_row?).map(&:fields)
    def to_csv(write_headers: true, **options)
      lines = write_headers ? [headers.to_csv(**options)] : []
      @table.each { |row| lines << row.fields.to_csv(**options) unless row.header_row? }
      lines.join("")
    end
    alias to_s to_csv
    def dig(first, *rest)
      raise TypeError, "no implicit conversion of #{first.class} into Integer" if @mode == :row && !first.is_a?(Integer)
      found = self[first]
      return found if rest.empty? || found.nil?
      raise TypeError, "#{found.class} does not have \#dig method" unless found.respond_to?(:dig)
      found.dig(*rest)
    end
    def inspect = "#<#{self.class} mode:#{@mode} row_count:#{to_a.size}>"
  end

  %i[Parser Writer FieldsConverter InputRecordSeparator].each { |name| autoload(name, "csv/parser") }

  class << self
    def parse(text, **options, &block)
      csv = new(text, **options)
      return csv.each(&block) if block
      csv.read
    end

    def parse_line(line, **options) = new(line, **options).each.first

    def generate(text = nil, **options)
      out = StringIO.new
      if text
        out = StringIO.new(text)
        out.seek(0, IO::SEEK_END)
      end
      csv = new(out, **options)
      yield csv
      csv.string
    end

    def generate_line(row, **options)
      options = { row_sep: $INPUT_RECORD_SEPARATOR || "\n" }.merge(options)
      out = +""
      new(out, **options) << row
      out
    end
    def generate_lines(rows, **options) = generate(**options) { |csv| rows.each { |row| csv << row } }

    def open(path, mode = "r", **options)
      file_options = options.slice(:external_encoding, :internal_encoding, :encoding, :universal_newline, :invalid, :undef, :replace, :mode, :perm).compact
      io = File.open(path, mode, **file_options.reject { |key, _| key == :mode })
      csv = new(io, **options.reject { |key, _| file_options.key?(key) })
      return csv unless block_given?
      begin
        yield csv
      ensure
        csv.close
      end
    end

    def foreach(path, mode = "r", **options, &block)
      return to_enum(:foreach, path, mode, **options) unless block
      self.open(path, mode, **options) { |csv| csv.each(&block) }
    end
    def read(path, **options) = self.open(path, **options, &:read)
    alias readlines read
    def table(path, **options) = read(path, **{ headers: true, converters: :numeric, header_converters: :symbol }.merge(options))

    def filter(input = nil, output = nil, **options)
      in_options, out_options = {}, { row_sep: $INPUT_RECORD_SEPARATOR || "\n" }
      options.each do |key, value|
        case key
        when /\Ain(?:put)?_(.+)\z/ then in_options[$1.to_sym] = value
        when /\Aout(?:put)?_(.+)\z/ then out_options[$1.to_sym] = value
        else
          in_options[key] = value
          out_options[key] = value
        end
      end
      source = new(input || $stdin, **in_options)
      target = new(output || $stdout, **out_options)
      source.each do |row|
        yield row
        target << row
      end
    end

    def instance(data = $stdout, **options)
      @instances ||= {}
      found = @instances[[data.object_id, options]] ||= new(data, **options)
      block_given? ? yield(found) : found
    end
  end

  attr_reader :encoding, :line, :col_sep, :quote_char, :skip_lines, :field_size_limit

  def initialize(data = "", **options)
    unknown = options.keys - DEFAULT_OPTIONS.keys
    raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}" unless unknown.empty?
    raise ArgumentError, "Cannot parse nil as CSV" if data.nil?
    @options = DEFAULT_OPTIONS.merge(options)
    @io = data.is_a?(String) ? StringIO.new(data, data.frozen? ? "r" : "r+") : data
    @writing_to_string = data.is_a?(String)
    @col_sep = @options[:col_sep].to_s
    raise ArgumentError, ":col_sep must be 1 or more characters: #{@options[:col_sep].inspect}" if @col_sep.empty?
    @quote_char = @options[:quote_char]&.to_s
    raise ArgumentError, ":quote_char has to be nil or a single character String" if @quote_char && @quote_char.size != 1
    @row_sep = @options[:row_sep]
    @skip_lines = matcher(@options[:skip_lines])
    @field_size_limit = @options[:field_size_limit]
    @encoding = @options[:encoding] ? Encoding.find(@options[:encoding].to_s) : (data.is_a?(String) ? data.encoding : Encoding.default_external)
    @converters = converters_of(@options[:converters], Converters)
    @header_converters = converters_of(@options[:header_converters], HeaderConverters)
    @write_converters = converters_of(@options[:write_converters], Converters)
    @use_headers = @options[:headers]
    @headers = nil
    @lineno = 0
    @line = +""
    @wrote = false
    if @options[:write_headers] && @use_headers.is_a?(Array)
      write_headers(@use_headers)
    end
  end

  def matcher(skip)
    case skip
    when nil then nil
    when String then /#{Regexp.quote(skip)}/
    else
      raise ArgumentError, ":skip_lines has to respond to #match: #{skip.inspect}" unless skip.respond_to?(:match)
      skip
    end
  end
  private :matcher

  def converters_of(given, table)
    return [] if given.nil?
    Array(given.is_a?(Proc) ? [given] : given).flat_map do |each|
      next [each] if each.respond_to?(:call)
      found = table[each.to_sym] or raise NoMethodError, "undefined method `arity' for nil:NilClass"
      found.is_a?(Array) ? converters_of(found, table) : [found]
    end
  end
  private :converters_of

  def row_sep = @row_sep = @row_sep == :auto ? detect_row_sep : @row_sep
  def converters = @converters.map { |each| Converters.key(each) || each }
  def header_converters = @header_converters.map { |each| HeaderConverters.key(each) || each }
  def unconverted_fields? = @options[:unconverted_fields]
  def return_headers? = @options[:return_headers]
  def write_headers? = @options[:write_headers]
  def skip_blanks? = @options[:skip_blanks]
  def force_quotes? = @options[:force_quotes]
  def liberal_parsing? = !!@options[:liberal_parsing]
  def headers
    return @headers if @headers
    @use_headers ? true : nil
  end
  def lineno = @lineno
  def header_row? = !!@use_headers && @headers.nil?
  def convert(name = nil, &block) = @converters.concat(converters_of(name || block, Converters))
  def header_convert(name = nil, &block) = @header_converters.concat(converters_of(name || block, HeaderConverters))

  def close = @io.close
  def closed? = @io.closed?
  def eof? = @io.eof?
  alias eof eof?
  def flush = @io.flush
  def fileno = @io.fileno
  def path = (@io.path if @io.respond_to?(:path))
  def to_io = @io.respond_to?(:to_io) ? @io.to_io : @io
  def_delegators :@io, :binmode, :close_read, :close_write, :external_encoding, :fcntl, :fsync, :internal_encoding, :isatty, :pid, :pos, :pos=, :reopen,
                 :seek, :string, :sync, :sync=, :tell, :truncate, :tty?
  # What only a stream of the machine has; a text in memory has none of it.
  %i[flock ioctl stat to_i].each do |name|
    define_method(name) do |*arguments|
      raise NotImplementedError unless @io.respond_to?(name)
      @io.__send__(name, *arguments)
    end
  end
  def binmode? = @io.respond_to?(:binmode?) ? @io.binmode? : false
  def rewind
    @headers = nil
    @lineno = 0
    @careful = nil
    @io.rewind
  end

  def each
    return to_enum(:each) unless block_given?
    while (row = shift)
      yield row
    end
    self
  end

  def read
    rows = to_a
    return rows unless @use_headers
    Table.new(rows, headers: @headers.is_a?(Array) ? @headers : [])
  end
  alias readlines read

  def shift
    loop do
      row = next_fields or return(@use_headers && @headers.nil? ? use_given_headers : nil)
      return row unless @use_headers
      made = with_headers(row)
      return made if made
    end
  end
  alias gets shift
  alias readline shift

  def <<(row)
    if @use_headers && !@wrote && @headers.nil?
      names = row.is_a?(Row) ? row.headers : (row.is_a?(Hash) ? row.keys : (@use_headers.is_a?(Array) ? @use_headers : row))
      @headers = names
      if @options[:write_headers] && !@use_headers.is_a?(Array)
        write_headers(names) unless names.equal?(row)
      end
    end
    fields =
      case row
      when Row then row.fields
      when Hash then (@headers.is_a?(Array) ? @headers : row.keys).map { |header| row[header] }
      else row.to_a
      end
    @write_converters.each { |converter| fields = fields.each_with_index.map { |field, index| call_converter(converter, field, index, nil, false) } } unless @write_converters.empty?
    @wrote = true
    write_line(fields)
    self
  end
  alias add_row <<
  alias puts <<

  def inspect
    text = +"#<#{self.class} io_type:#{@io.class} encoding:#{@encoding} lineno:#{@lineno} col_sep:#{@col_sep.inspect} row_sep:#{row_sep.inspect} quote_char:#{@quote_char.inspect}"
    text << " headers:#{headers.inspect}" if @use_headers
    text << ">"
  end

  private

  def write_headers(names)
    @headers = names
    @wrote = true
    write_line(names)
  end

  def output_row_sep = @row_sep == :auto ? (@io.is_a?(StringIO) && !@io.string.empty? ? detect_row_sep : ($INPUT_RECORD_SEPARATOR || "\n")) : @row_sep.to_s

  def write_line(fields)
    line = fields.each_with_index.map { |field, index| quote(field, forced?(index)) }.join(@col_sep)
    line = "#{@quote_char}#{@quote_char}" if fields.size == 1 && line.empty? && fields[0] == "" && @quote_char && @options[:quote_empty]
    @io.seek(0, IO::SEEK_END) if @writing_to_string
    @io << line << output_row_sep
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
        headers = forcing_headers or raise ArgumentError, ":headers is required when you use field name in :force_quotes: #{each.inspect}: #{@options[:force_quotes].inspect}"
        at = headers.index(each.to_s)
        columns[at] = true if at
      else raise ArgumentError, ":force_quotes element must be field index or field name: #{each.inspect}: #{@options[:force_quotes].inspect}"
      end
    end
  end
  # Headers that are known before any row.
  def forcing_headers
    names = @use_headers.is_a?(String) ? CSV.parse_line(@use_headers, col_sep: @col_sep, row_sep: row_sep, quote_char: @quote_char) : @use_headers
    names.map { |name| convert_header(name) } if names.is_a?(Array)
  end
  def wrap(text) = "#{@quote_char}#{text.gsub(@quote_char, @quote_char * 2)}#{@quote_char}"
  def needs_quotes?(text)
    # any character of the separator, not only all of it
    @quotable ||= /[\r\n#{Regexp.escape(@col_sep)}#{Regexp.escape(@quote_char)}]/
    text.valid_encoding? && @quotable.match?(text)
  end

  def detect_row_sep
    return $INPUT_RECORD_SEPARATOR || "\n" if @io.respond_to?(:tty?) && @io.tty?
    return $INPUT_RECORD_SEPARATOR || "\n" unless @io.respond_to?(:read)
    unless @io.respond_to?(:seek)
      # what has been looked at is read again from memory
      @io = StringIO.new(@io.read || +"")
      return detect_row_sep
    end
    place = @io.pos
    sample = +""
    while (chunk = @io.read(1024))
      sample << chunk
      sample << @io.read(1).to_s if chunk.end_with?("\r")
      break if sample.match?(/[\r\n]/)
    end
    @io.seek(place)
    sample[/\r\n|\n|\r/] || $INPUT_RECORD_SEPARATOR || "\n"
  rescue IOError, SystemCallError
    $INPUT_RECORD_SEPARATOR || "\n"
  end

  def use_given_headers
    return nil if @use_headers == true || @use_headers == :first_row
    with_headers(nil)
    nil
  end

  def with_headers(row)
    if @headers.nil?
      names =
        case @use_headers
        when Array then @use_headers
        when String then CSV.parse_line(@use_headers, col_sep: @col_sep, row_sep: row_sep, quote_char: @quote_char)
        else
          first = true
          row
        end
      @headers = names.map { |name| convert_header(name) }
      @headers.each { |name| name.freeze if name.is_a?(String) }
      if @options[:return_headers]
        @pending = first ? nil : row
        return Row.new(@headers, names, true) if first || row.nil?
        return Row.new(@headers, names, true)
      end
      return nil if first || row.nil?
    end
    made = Row.new(@headers, convert_fields(row, @headers))
    made.define_singleton_method(:unconverted_fields) { row.map(&:to_s) } if @options[:unconverted_fields]
    made
  end

  def convert_header(name)
    @header_converters.reduce(name) do |value, converter|
      break value if value.nil? || !value.is_a?(String)
      call_converter(converter, value, nil, name, false)
    end
  end

  def call_converter(converter, value, index, header, quoted)
    arity = converter.respond_to?(:arity) ? converter.arity : 1
    arity == 1 || arity == -1 ? converter.call(value) : converter.call(value, FieldInfo.new(index, @lineno, header, quoted))
  end

  def convert_fields(fields, headers = nil)
    return fields if @converters.empty?
    fields.each_with_index.map do |field, index|
      @converters.each do |converter|
        break unless field.nil? || field.is_a?(String)
        break if field.nil? && Converters.value?(converter)
        field = call_converter(converter, field, index, headers && headers[index], false)
      end
      field
    end
  end

  # The fields of the next line that counts, or nil at the end.
  def next_fields
    if @pending
      row, @pending = @pending, nil
      return row
    end
    loop do
      line = read_line or return nil
      body = line.delete_suffix(row_sep)
      next if @skip_lines && @skip_lines.match(body)
      if body.empty?
        @line = line
        if @options[:skip_blanks]
          @lineno -= 1
          next
        end
        return [] unless @use_headers && @headers.nil?
        return []
      end
      fields = split_line(line)
      fields = convert_fields(fields) unless @use_headers
      return fields
    end
  end

  def read_line
    line = @io.gets(row_sep)
    if line.nil?
      @line = +"" if @line.end_with?(row_sep)
      return nil
    end
    @lineno += 1
    raise MalformedCSVError.new("Invalid byte sequence in #{line.encoding}", @lineno) unless line.valid_encoding?
    line
  end

  def malformed(what) = raise(MalformedCSVError.new(what, @lineno))

  def split_line(line)
    @line = line.dup
    fields = []
    text = line.delete_suffix(row_sep)
    ended = line != text
    position = 0
    strip = @options[:strip]
    @careful ||= @field_size_limit && (strip || @options[:liberal_parsing] || !simple?(text))
    loop do
      first_line = @lineno
      position += 1 while strip && text[position] == " "
      if @quote_char && text[position] == @quote_char && !(@options[:liberal_parsing] && !closes?(text, position))
        value, position, text, ended = quoted(text, position + 1, ended)
        fields << (value.empty? ? @options[:empty_value] : value)
      else
        stop = text.index(@col_sep, position) || text.size
        value = text[position...stop]
        check_plain(value, stop == text.size && ended)
        value = value.strip if strip
        fields << (value.empty? ? @options[:nil_value] : value)
        position = stop
      end
      check_limit(value, first_line)
      break if position >= text.size
      position += @col_sep.size
      if position >= text.size
        fields << @options[:nil_value]
        break
      end
    end
    fields
  end

  # The limit of a field holds from the first line on that quotes more than whole fields.
  def check_limit(value, line)
    return unless @field_size_limit && value && @careful && value.size >= @field_size_limit
    raise MalformedCSVError.new("Field size exceeded", line)
  end

  # Whether every field of the line is bare, or stands between its only two quotes.
  def simple?(text)
    return true unless @quote_char
    !text.match?(/[\r\n]/) && text.split(@col_sep, -1).all? do |field|
      quotes = field.count(@quote_char)
      quotes.zero? || (quotes == 2 && field.start_with?(@quote_char) && field.end_with?(@quote_char))
    end
  end

  def check_plain(value, last)
    malformed("Illegal quoting") if @quote_char && value.include?(@quote_char) && !@options[:liberal_parsing]
    rest = value[/[\r\n].*/m] or return
    malformed("Unquoted fields do not allow new line <#{"#{rest}#{row_sep if last}"[/\A(?:\r\n|.)/m].inspect}>")
  end

  # Whether what a quote opens ends where a field may, or on a later line.
  def closes?(text, position)
    quote = Regexp.escape(@quote_char)
    match = /\G#{quote}(?:[^#{quote}]|#{quote}#{quote})*#{quote}/.match(text, position) or return true
    match.post_match.empty? || match.post_match.start_with?(@col_sep)
  end

  # The field that was opened by a quote; it may go on over lines.
  def quoted(text, position, ended)
    value = +""
    first_line = @lineno
    loop do
      stop = text.index(@quote_char, position)
      if stop.nil?
        value << text[position..]
        value << row_sep if ended
        more = read_line
        # rows are counted, not lines
        @lineno = first_line
        malformed("Unclosed quoted field") if more.nil?
        @line << more
        text = more.delete_suffix(row_sep)
        ended = text != more
        position = 0
        next
      end
      value << text[position...stop]
      if text[stop + 1] == @quote_char
        value << @quote_char
        position = stop + 2
        next
      end
      after = stop + 1
      after += 1 while @options[:strip] && text[after] == " "
      malformed("Any value after quoted field isn't allowed") unless after >= text.size || text[after, @col_sep.size] == @col_sep
      return [value, after, text, ended]
    end
  end
end

class Array
  def to_csv(**options) = CSV.generate_line(self, **options)
end

class String
  def parse_csv(**options) = CSV.parse_line(self, **options)
end

def CSV(*args, **options, &block) = CSV.instance(*args, **options, &block)
