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
  DateMatcher = /\A\s*(?:(?:\w+,?\s+)?\w+\s+\d{1,2},?\s+\d{2,4}|\d{4}-\d{2}-\d{2})\s*\z/
  DateTimeMatcher = /\A\s*(?:
    (?:\w+,?\s+)?\w+\s+\d{1,2}\s+\d{1,2}:\d{1,2}:\d{1,2},?\s+\d{2,4} |
    \d{4}-\d{2}-\d{2}(?:\s\d{2}:\d{2}:\d{2} | T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?(?:[-+]\d{2}(?::\d{2})?|Z)?)?)?
  )\s*\z/x
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
      return to_enum(:delete_if) { size } unless block
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
      return to_enum(:each) { size } unless block
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
      out = StringIO.new(text || (options[:encoding] ? String.new(encoding: options[:encoding]) : String.new(encoding: Encoding::UTF_8)))
      out.seek(0, IO::SEEK_END)
      csv = new(out, **options)
      yield csv
      csv.string
    end

    def generate_line(row, **options)
      options = { row_sep: $INPUT_RECORD_SEPARATOR || "\n" }.merge(options)
      # the result has the encoding that is given, or that of the first text
      encoding = options[:encoding] || row.to_a.find { |field| field.is_a?(String) }&.encoding
      out = String.new(encoding: encoding || Encoding::UTF_8)
      new(out, **options) << row
      out
    end
    def generate_lines(rows, **options) = generate(**options) { |csv| rows.each { |row| csv << row } }

    def open(path, mode = "r", **options)
      file_options = options.slice(:external_encoding, :internal_encoding, :encoding, :universal_newline, :invalid, :undef, :replace, :perm).compact
      csv_options = options.reject { |name, _| %i[invalid undef replace perm].include?(name) || name.end_with?("newline") }
      csv_options.delete(:external_encoding)
      begin
        io = File.open(path, options[:mode] || mode, **file_options)
      rescue ArgumentError => error
        raise unless error.message.include?("needs binmode") && mode == "r"
        mode = "rb"
        file_options = { encoding: Encoding.default_external }.merge(file_options)
        retry
      end
      csv = new(io, **csv_options.except(:mode))
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
      # headers that come from the input pass through the block, too
      if in_options[:headers] && out_options[:headers] == true && out_options[:write_headers] && (first = source.shift)
        if first.is_a?(Row)
          yield(headers = first.headers)
          target << headers
        end
        yield first
        target << first
      end
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

  attr_reader :encoding, :line, :skip_lines, :field_size_limit

  def initialize(data = "", **options)
    unknown = options.keys - DEFAULT_OPTIONS.keys
    raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}" unless unknown.empty?
    raise ArgumentError, "Cannot parse nil as CSV" if data.nil?
    @options = DEFAULT_OPTIONS.merge(options)
    @io = data.is_a?(String) ? StringIO.new(data, data.frozen? ? "r" : "r+") : data
    @writing_to_string = data.is_a?(String)
    @encoding = data_encoding
    @foreign = !@encoding.ascii_compatible?
    @col_sep = in_encoding(@options[:col_sep].to_s)
    raise ArgumentError, ":col_sep must be 1 or more characters: #{@options[:col_sep].inspect}" if @col_sep.empty?
    @quote_char = @options[:quote_char]&.to_s&.then { |quote| in_encoding(quote) }
    raise ArgumentError, ":quote_char has to be nil or a single character String" if @quote_char && @quote_char.size != 1
    @row_sep = @options[:row_sep].then { |given| given == :auto ? given : in_encoding(given.to_s) }
    @skip_lines = @options[:skip_lines]
    @field_size_limit = @options[:field_size_limit]
    @converters = converters_of(@options[:converters], Converters)
    @header_converters = converters_of(@options[:header_converters], HeaderConverters)
    @write_converters = converters_of(@options[:write_converters], Converters)
    @strip = strip_of(@options[:strip])
    @use_headers = @options[:headers]
    @headers = nil
    @lineno = 0
    @line = nil
    start_writing if write_headers? && given_headers
  end

  # The encoding of the data: what a stream has comes before the options.
  def data_encoding
    found = @io.internal_encoding || @io.external_encoding if @io.respond_to?(:internal_encoding)
    found ||= @io.encoding if @io.respond_to?(:encoding)
    given = @options[:internal_encoding] || @options[:encoding].then { |name| name.is_a?(String) ? name.split(":").first : name }
    found || (given && Encoding.find(given.to_s)) || Encoding.default_internal || Encoding.default_external
  end
  private :data_encoding

  # What decides that a line is left out.
  def skipper
    case @skip_lines
    when nil, Regexp then @skip_lines
    when String then @skipper ||= /#{Regexp.quote(@skip_lines)}/
    else
      raise ArgumentError, ":skip_lines has to respond to #match: #{@skip_lines.inspect}" unless @skip_lines.respond_to?(:match)
      @skip_lines
    end
  end
  private :skipper

  # What `strip` takes off: the characters of a pattern's class.
  def strip_of(given)
    return nil unless given
    raise ArgumentError, ":strip doesn't support 2 or more characters yet" if given.is_a?(String) && given.size > 1
    taken = given == true ? " \t\f\v" : given
    raise ArgumentError, "The provided strip (#{given == true ? true : given.inspect[1..-2]}) and col_sep (#{@col_sep.inspect[1..-2]}) options are incompatible." if taken.include?(@col_sep)
    /[#{Regexp.escape(in_encoding(taken))}]/
  end
  private :strip_of

  # A text of the options as the data have it. What is no superset of ASCII is worked on in UTF-8.
  def in_encoding(text) = text.encode(@foreign ? Encoding::UTF_8 : @encoding)
  def outward(text) = @foreign && text.is_a?(String) ? text.encode(@encoding) : text
  private :in_encoding, :outward

  def converters_of(given, table)
    return [] if given.nil?
    Array(given.is_a?(Proc) ? [given] : given).flat_map do |each|
      next [each] if each.respond_to?(:call)
      found = table[each.to_sym] or raise NoMethodError, "undefined method `arity' for nil:NilClass"
      found.is_a?(Array) ? converters_of(found, table) : [found]
    end
  end
  private :converters_of

  def row_sep = outward(separator)
  def col_sep = outward(@col_sep)
  def quote_char = outward(@quote_char)
  def separator = @row_sep = @row_sep == :auto ? in_encoding(detect_row_sep) : @row_sep
  private :separator
  def converters = @converters.map { |each| Converters.key(each) || each }
  def header_converters = @header_converters.map { |each| HeaderConverters.key(each) || each }
  def unconverted_fields? = @options[:unconverted_fields]
  def return_headers? = @options[:return_headers]
  def write_headers? = @options[:write_headers]
  def skip_blanks? = @options[:skip_blanks]
  def force_quotes? = @options[:force_quotes]
  def liberal_parsing? = !!@options[:liberal_parsing]
  def headers
    return @written_headers if @writing
    return @headers if @headers
    @use_headers ? true : nil
  end
  def lineno = @writing ? @written_lines : @lineno
  def header_row? = !!@use_headers && @headers.nil?
  def convert(name = nil, &block) = @converters.concat(converters_of(name || block, Converters))
  def header_convert(name = nil, &block) = @header_converters.concat(converters_of(name || block, HeaderConverters))

  def close = @io.close
  def closed? = @io.closed?
  def eof? = @source ? @source.eof? : @io.eof?
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
    @source = nil
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

  def inspect
    text = +"#<#{self.class} io_type:#{io_type} encoding:#{@encoding} lineno:#{@lineno} col_sep:#{@col_sep.inspect} row_sep:#{row_sep.inspect} quote_char:#{@quote_char.inspect}"
    text << " headers:#{headers.inspect}" if @use_headers
    text << ">"
  end

  private

  def io_type
    return "$stdout" if @io.equal?($stdout)
    return "$stdin" if @io.equal?($stdin)
    return "$stderr" if @io.equal?($stderr)
    path = @io.respond_to?(:path) && @io.path
    path ? "#{@io.class} io_path:#{path.inspect}" : @io.class.to_s
  end

  def detect_row_sep
    return $INPUT_RECORD_SEPARATOR || "\n" if @io.respond_to?(:tty?) && @io.tty?
    return $INPUT_RECORD_SEPARATOR || "\n" unless @io.respond_to?(:read)
    unless @io.respond_to?(:seek)
      # what has been looked at is read again from memory
      @io = StringIO.new(@io.read || +"")
      return detect_row_sep
    end
    place = source.pos
    sample = "".b
    while (chunk = source.read(1024))
      sample << chunk.b
      sample << source.read(1).to_s.b if chunk.b.end_with?("\r")
      break if sample.match?(/[\r\n]/)
    end
    source.seek(place)
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
        when String then CSV.parse_line(@use_headers, col_sep: @col_sep, row_sep: separator, quote_char: @quote_char)
        else
          first = true
          row
        end
      @headers = names.map { |name| convert_header(name) }
      @headers.each { |name| name.freeze if name.is_a?(String) }
      if @options[:return_headers]
        @pending = first ? nil : row
        return with_unconverted(Row.new(@headers, names, true), first ? names : [])
      end
      return nil if first || row.nil?
    end
    with_unconverted(Row.new(@headers, convert_fields(row, @headers)), row)
  end

  def with_unconverted(row, fields)
    row.define_singleton_method(:unconverted_fields) { fields } if unconverted_fields?
    row
  end

  def convert_header(name)
    @header_converters.each do |converter|
      break if name.nil?
      name = call_converter(converter, name, nil, name, false)
      break unless name.is_a?(String)
    end
    name
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
      body = line.delete_suffix(separator)
      if skipper&.match(body)
        @lineno -= 1
        next
      end
      if body.empty?
        @line = line
        if @options[:skip_blanks]
          @lineno -= 1
          next
        end
        return @use_headers ? [] : with_unconverted([], [])
      end
      fields = split_line(line)
      return fields if @use_headers
      return with_unconverted(convert_fields(fields), fields)
    end
  end

  # Where lines come from: all of the data as UTF-8, where these are no superset of ASCII.
  def source
    return @io unless @foreign
    @source ||= StringIO.new(@io.read.to_s.encode(Encoding::UTF_8), "rb:UTF-8")
  rescue EncodingError
    raise MalformedCSVError.new("Invalid byte sequence in #{@encoding}", @lineno + 1)
  end

  def read_line
    # finding the separator may replace a stream that cannot be rewound
    ending = separator
    line = source.gets(ending)
    if line.nil?
      @line = +"" if @line&.end_with?(separator)
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
    text = line.delete_suffix(separator)
    ended = line != text
    position = 0
    strip = @strip
    @careful ||= @field_size_limit && (strip || @options[:liberal_parsing] || !simple?(text))
    loop do
      first_line = @lineno
      position += 1 while strip && text[position]&.match?(strip)
      if @quote_char && text[position] == @quote_char && !(@options[:liberal_parsing] && !closes?(text, position))
        value, position, text, ended = quoted(text, position + 1, ended)
        value = value.gsub("\\#{@quote_char}", @quote_char) if liberal?(:backslash_quote)
        fields << (value.empty? ? @options[:empty_value] : outward(value))
      else
        # a part in quotes may have separators
        opened = @options[:liberal_parsing] && @quote_char && text[position] == @quote_char
        from = opened ? (text.index(@quote_char, position + 1) || position) : position
        stop = text.index(@col_sep, from) || text.size
        value = text[position...stop]
        check_plain(value, stop == text.size && ended)
        value = liberally(value) if @options[:liberal_parsing] && @quote_char
        value = value.sub(/#{strip}+\z/, "") if strip
        fields << (value.empty? ? @options[:nil_value] : outward(value))
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

  def liberal?(name) = @options[:liberal_parsing].is_a?(Hash) && @options[:liberal_parsing][name]

  # A field that is not quoted as a whole, as the options for such want it.
  def liberally(value)
    if liberal?(:backslash_quote)
      whole = value.size > 1 && value.start_with?(@quote_char) && value.end_with?(@quote_char) && value.include?("\\")
      value = value[1...-1] if whole
      value = value.gsub("\\#{@quote_char}", @quote_char)
      return value if whole
    end
    liberal?(:double_quote_outside_quote) ? value.gsub(@quote_char * 2, @quote_char) : value
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
    wrong = "#{rest}#{separator if last}"[/\A(?:\r\n|.)/m].inspect
    malformed("New line must be <#{separator.inspect}> not <#{wrong}>") if rest.size == value.size
    malformed("Unquoted fields do not allow new line <#{wrong}>")
  end

  # Whether what a quote opens ends where a field may, or on a later line.
  def closes?(text, position)
    quote = Regexp.escape(@quote_char)
    match = /\G#{quote}(?>(?:[^#{quote}]|#{quote}#{quote})*)#{quote}#{"#{@strip}*" if @strip}/.match(text, position) or return true
    match.post_match.empty? || match.post_match.start_with?(@col_sep)
  end

  # The field that was opened by a quote; it may go on over lines.
  def quoted(text, position, ended)
    value = String.new(encoding: text.encoding)
    first_line = @lineno
    loop do
      stop = text.index(@quote_char, position)
      if stop.nil?
        value << text[position..]
        value << separator if ended
        more = read_line
        # rows are counted, not lines
        @lineno = first_line
        malformed("Unclosed quoted field") if more.nil?
        @line << more
        text = more.delete_suffix(separator)
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
      after += 1 while @strip && text[after]&.match?(@strip)
      malformed("Any value after quoted field isn't allowed") unless after >= text.size || text[after, @col_sep.size] == @col_sep
      return [value, after, text, ended]
    end
  end
end

require "csv/writing"

class Array
  def to_csv(**options) = CSV.generate_line(self, **options)
end

class String
  def parse_csv(**options) = CSV.parse_line(self, **options)
end

def CSV(*args, **options, &block) = CSV.instance(*args, **options, &block)
