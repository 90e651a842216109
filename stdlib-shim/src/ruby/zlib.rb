# Zlib: compression and expansion in the forms zlib, raw and gzip.
require "zlib/native"

module Zlib
  VERSION = "2.1.1"
  ZLIB_VERSION = "1.2.13"
  class Error < StandardError; end
  class StreamEnd < Error; end
  class NeedDict < Error; end
  class DataError < Error; end
  class StreamError < Error; end
  class MemError < Error; end
  class BufError < Error; end
  class VersionError < Error; end
  class InProgressError < Error; end

  BINARY = 0
  ASCII = TEXT = 1
  UNKNOWN = 2
  NO_COMPRESSION = 0
  BEST_SPEED = 1
  BEST_COMPRESSION = 9
  DEFAULT_COMPRESSION = -1
  DEFAULT_STRATEGY = 0
  FILTERED = 1
  HUFFMAN_ONLY = 2
  RLE = 3
  FIXED = 4
  MAX_WBITS = 15
  DEF_MEM_LEVEL = 8
  MAX_MEM_LEVEL = 9
  NO_FLUSH = 0
  SYNC_FLUSH = 2
  FULL_FLUSH = 3
  FINISH = 4
  OS_CODE = OS_UNIX = 3
  OS_MSDOS = 0
  OS_UNKNOWN = 255
  OS_AMIGA, OS_VMS, OS_VMCMS, OS_ATARI, OS_OS2, OS_MACOS, OS_ZSYSTEM, OS_CPM, OS_TOPS20, OS_WIN32, OS_QDOS, OS_RISCOS = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]

  class << self
    def zlib_version = ZLIB_VERSION
    def crc_table = @crc_table ||= (0..255).map { |number| 8.times.reduce(number) { |crc, _| crc & 1 == 1 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1 } }
    def deflate(data, level = DEFAULT_COMPRESSION, &) = Deflate.deflate(data, level, &)
    def inflate(data) = Inflate.inflate(data)
    # The checksum of two texts of which the second is `size` bytes long.
    def crc32_combine(first, second, size)
      table = crc_table
      shifted = size.times.reduce(first) { |crc, _| table[crc & 255] ^ (crc >> 8) }
      shifted ^ second
    end
    def adler32_combine(first, second, size)
      low = (first & 0xffff) + (second & 0xffff) - 1
      high = size * (first & 0xffff) + (first >> 16) + (second >> 16) - size
      (high % 65_521) << 16 | low % 65_521
    end

    def text(data) = String.try_convert(data) || raise(TypeError, "no implicit conversion of #{data.nil? ? "nil" : data.class} into String")
    private :text
    def gzip(data, level: nil, strategy: nil)
      data = text(data)
      raw = Deflate.new(level, -MAX_WBITS, nil, strategy)
      header = [0x1f, 0x8b, 8, 0, Time.now.to_i, level == BEST_COMPRESSION ? 2 : (level == BEST_SPEED ? 4 : 0), OS_CODE].pack("CCCCVCC")
      header + raw.deflate(data, FINISH) + [crc32(data), data.bytesize].pack("VV")
    end
    def gunzip(data)
      data = text(data)
      raise GzipFile::Error, "unexpected end of string" if data.bytesize < 10
      inflate = Inflate.new(16 + MAX_WBITS)
      out = inflate.inflate(data)
      return out if inflate.finished?
      raise GzipFile::NoFooter, "footer is not found" if inflate.__send__(:footer_missing?, true)
      raise GzipFile::Error, "unexpected end of string"
    rescue DataError => error
      case error.message
      when "incorrect header check" then raise GzipFile::Error, "not in gzip format"
      when "incorrect data check" then raise GzipFile::CRCError, "invalid compressed data -- crc error"
      when "incorrect length check" then raise GzipFile::LengthError, "invalid compressed data -- length error"
      else raise
      end
    end
  end

  class ZStream
    # A block gets the output in parts of this size, and what is left once the stream has ended.
    PART = 16_384
    private_constant :PART
    %i[total_in total_out adler].each do |name|
      define_method(name) { ready && instance_variable_get(:"@#{name}") }
    end
    def initialize(*)
      @total_in = @total_out = 0
      @adler = 1
      @finished = @closed = false
      @output = "".b
    end
    def finished? = ready && @finished
    alias stream_end? finished?
    def closed? = @closed
    alias ended? closed?
    def close
      ready
      @closed = true
      nil
    end
    alias end close
    def avail_in = 0
    def avail_out = 0
    def avail_out=(size)
      ready
      size
    end
    def data_type = BINARY
    def flush_next_in = ready && "".b
    def flush_next_out = ready && @output.slice!(0, @output.bytesize)
    def initialize_copy(other)
      super
      @output = @output.dup
      @state = Native.copy(@state) if @state
    end
    def ready
      raise Error, "stream is not ready" if @closed
      true
    end
    private :ready, :initialize_copy
    def count(input, output)
      @total_in += input
      @total_out += output
    end
    # Output as a method returns it: for a block in parts.
    def hand_over(made)
      return made unless block_given?
      @output << made
      yield @output.slice!(0, PART) while @output.bytesize >= PART
      yield flush_next_out if @finished && !@output.empty?
      nil
    end
    private :count, :hand_over
  end

  class Deflate < ZStream
    def self.deflate(data, level = DEFAULT_COMPRESSION, &)
      made = new(level)
      data = Zlib.__send__(:text, data)
      made.deflate(data, FINISH, &)
    end

    def initialize(level = DEFAULT_COMPRESSION, window = MAX_WBITS, memory = nil, strategy = nil)
      super()
      level = Integer.try_convert(level) || raise(TypeError, "no implicit conversion of #{level.class} into Integer") unless level.nil?
      @level, @window, @strategy = level || DEFAULT_COMPRESSION, window || MAX_WBITS, strategy || DEFAULT_STRATEGY
      raise StreamError, "stream error" unless @level.between?(-1, 9)
      reset
    end

    def reset
      ready
      @gzip = @window > MAX_WBITS
      @state = Native.deflater(@level, @window < 0 || @gzip, @strategy)
      @dictionary = nil
      @crc, @size, @headed = 0, 0, !@gzip
      @marked = @window < 0 || @gzip
      @total_in = @total_out = 0
      @adler = 1
      @finished = false
      nil
    end

    def deflate(data, flush = NO_FLUSH, &)
      hand_over(run(data.nil? ? "" : data, data.nil? ? FINISH : flush), &)
    end
    def <<(data)
      @output << run(data, NO_FLUSH)
      self
    end
    def flush(flush = SYNC_FLUSH)
      made = flush_next_out
      made << run("", flush) unless flush == NO_FLUSH
      made
    end
    def finish(&)
      made = flush_next_out
      made << run("", FINISH) unless @finished
      hand_over(made, &)
    end
    def params(level, strategy)
      made = run("", SYNC_FLUSH)
      @output << made
      @level, @strategy = level, strategy
      nil
    end
    # The text is compressed without its output: what follows refers to it.
    def set_dictionary(text)
      ready
      raise StreamError, "stream error" if @gzip || @dictionary || @total_in > 0
      dictionary = Zlib.__send__(:text, text).b
      @state = Native.deflater(@level, true, @strategy)
      Native.deflate(@state, dictionary, SYNC_FLUSH)
      @dictionary = dictionary
      @adler = Zlib.adler32(dictionary) unless @window < 0
      text
    end

    private

    # The header and the checksum of a zlib stream with a dictionary, whose compression is raw.
    def frame(out, data, flush)
      unless @framed
        @framed = true
        @adler = 1
        second = [0x3f, 0x7d, 0xbb, 0xf9][@strategy >= HUFFMAN_ONLY || @level.between?(0, 1) ? 0 : (@level.between?(2, 5) ? 1 : (@level.between?(7, 9) ? 3 : 2))]
        out.prepend([0x78, second, Zlib.adler32(@dictionary)].pack("CCN"))
      end
      @adler = Zlib.adler32(data, @adler)
      out << [@adler].pack("N") if flush == FINISH
    end

    # zlib's header tells of the level.
    def mark(out)
      @marked = true
      out.setbyte(0, 0x78)
      out.setbyte(1, @strategy >= HUFFMAN_ONLY || @level.between?(0, 1) ? 0x01 : (@level.between?(2, 5) ? 0x5e : (@level.between?(7, 9) ? 0xda : 0x9c)))
    end

    def run(data, flush)
      ready
      data = data.to_str.b
      out = flush_next_out
      made = data.empty? && flush == NO_FLUSH ? "".b : Native.deflate(@state, data, flush)
      if @dictionary && @window >= 0
        frame(made, data, flush)
      else
        @adler = Zlib.adler32(data, @adler)
        mark(made) unless @marked || made.empty?
      end
      out << made
      unless @headed
        out = [0x1f, 0x8b, 8, 0, 0, 0, OS_CODE].pack("CCCCVCC") + out
        @headed = true
      end
      if @gzip
        @crc = Zlib.crc32(data, @crc)
        @size += data.bytesize
        out << [@crc, @size & 0xffffffff].pack("VV") if flush == FINISH
      end
      @finished = true if flush == FINISH
      count(data.bytesize, out.bytesize)
      out
    end
  end

  class Inflate < ZStream
    def self.inflate(data)
      made = new
      data = Zlib.__send__(:text, data)
      out = made.inflate(data)
      raise BufError, "buffer error" unless made.finished?
      out
    end

    def initialize(window = MAX_WBITS)
      super()
      @window = window || MAX_WBITS
      size = @window < 0 ? -@window : @window & 15
      raise StreamError, "stream error" unless @window <= 47 && (size.between?(8, 15) || (size == 0 && @window >= 0))
      @dictionaries = {}
      reset
    end

    def reset
      ready
      @checked = nil
      @kind = if @window < 0 then :raw
              elsif @window >= 32 then :any
              elsif @window > MAX_WBITS then :gzip
              else :zlib
              end
      @input = "".b
      @rest = "".b
      @state = nil
      @crc = @size = 0
      @stage = @kind == :raw || @kind == :zlib ? :body : :head
      @finished = false
      nil
    end

    def inflate(data, buffer: nil)
      made = run(data.nil? ? "" : data)
      raise BufError, "buffer error" if data.nil? && !@finished
      return buffer ? buffer.replace(made) : made unless block_given?
      hand_over(made) { |part| yield(buffer ? buffer.replace(part) : part) }
    end
    def <<(data)
      @output << run(data.nil? ? "" : data)
      self
    end
    def finish(&)
      made = flush_next_out
      raise BufError, "buffer error" unless @finished
      hand_over(made, &)
    end
    def sync(_data) = false
    def sync_point? = false
    # The text is expanded from a stored block without its output: what follows refers to it.
    def set_dictionary(text)
      ready
      dictionary = Zlib.__send__(:text, text).b
      if @kind == :zlib
        raise StreamError, "stream error" if @state || @input.bytesize < 6
        raise DataError, "incorrect data check" unless Zlib.adler32(dictionary) == @input.byteslice(2, 4).unpack1("N")
        @input = @input.byteslice(6..)
        @checked = 1
      end
      @state = Native.inflater(true)
      dictionary.scan(/.{1,65535}/mn) { |part| Native.inflate(@state, [0, part.bytesize, part.bytesize ^ 0xffff].pack("Cvv") + part) }
      text
    end
    # A dictionary that is used as soon as a stream asks for it.
    def add_dictionary(text)
      @dictionaries[Zlib.adler32(text)] = text
      nil
    end
    # What follows the end of the compressed data.
    def unused = @finished && !@rest.empty? ? @rest : nil
    def flush_next_in
      rest, @rest = @rest, "".b
      rest
    end
    def avail_in = @rest.bytesize
    def total_in = @total_in

    private

    def run(data)
      ready
      data = data.to_str.b
      @total_in += data.bytesize
      out = flush_next_out
      if @finished
        @rest << data
        return out
      end
      @input << data
      head if @stage == :head
      body(out) if @stage == :body
      tail if @stage == :tail && !@deferred
      @total_out += out.bytesize
      out
    end

    def head
      return if @input.bytesize < 2
      unless @input.start_with?("\x1f\x8b".b)
        raise DataError, "incorrect header check" if @kind == :gzip
        @kind = :zlib
        return @stage = :body
      end
      @kind = :gzip
      size = GzipFile.header_size(@input) or return
      @input = @input.byteslice(size..)
      @stage = :body
    end

    def body(out)
      if @state.nil? && @kind == :zlib
        return if @input.bytesize < 2
        first, second = @input.bytes
        raise DataError, "incorrect header check" unless (first * 256 + second) % 31 == 0
        raise DataError, first & 15 == 8 ? "invalid window size" : "unknown compression method" unless first & 15 == 8 && first >> 4 < 8
        if second & 0x20 != 0
          return if @input.bytesize < 6
          known = @dictionaries[@input.byteslice(2, 4).unpack1("N")] or raise NeedDict, "need dictionary"
          set_dictionary(known)
        end
      end
      fresh = @state.nil?
      @state ||= Native.inflater(@kind != :zlib)
      return if @input.empty?
      made, rest, done = Native.inflate(@state, @input)
      raise DataError, problem(fresh) if made.nil?
      out << made
      if @kind == :gzip
        @crc = Zlib.crc32(made, @crc)
        @size += made.bytesize
      end
      @adler = Zlib.adler32(made, @adler)
      @checked = Zlib.adler32(made, @checked) if @checked
      @input = rest
      return unless done
      @kind == :gzip || @checked ? @stage = :tail : ended(rest)
    end

    # What is wrong with bad data: if it can be expanded without its checksum, that is.
    def problem(fresh)
      _, rest, done = Native.inflate(Native.inflater(true), @input.byteslice(2..)) if fresh && @kind == :zlib
      done && rest.bytesize >= 4 ? "incorrect data check" : "invalid stored block lengths"
    end

    def footer_missing?(whole = false) = @stage == :tail && (!whole || @input.empty?)
    def crc = @crc
    # A reader of gzip hands over all that was expanded before it looks at the footer.
    def defer_footer
      @deferred = true
    end
    def expanded? = @stage == :tail || @finished
    def check_footer(more)
      @input << more.b
      raise GzipFile::NoFooter, "footer is not found" if @input.bytesize < 8
      tail
    end
    def footer_size = @stage == :tail ? @input.bytesize : 8

    def tail
      return checksum if @checked
      return if @input.bytesize < 8
      crc, size = @input.unpack("VV")
      raise DataError, "incorrect data check" unless crc == @crc
      raise DataError, "incorrect length check" unless size == @size & 0xffffffff
      ended(@input.byteslice(8..))
    end

    def checksum
      return if @input.bytesize < 4
      raise DataError, "incorrect data check" unless @input.unpack1("N") == @checked
      ended(@input.byteslice(4..))
    end

    def ended(rest)
      @rest << rest
      @input = "".b
      @finished = true
      @stage = :end
    end
  end

  # What readers and writers of gzip share.
  class GzipFile
    class Error < Zlib::Error
      attr_reader :input
      def initialize(message = nil, input: nil)
        super(message)
        @input = input
      end
    end
    class NoFooter < Error; end
    class CRCError < Error; end
    class LengthError < Error; end

    # The length of the header at the start, or nil while it is not all there.
    def self.header_size(text)
      return nil if text.bytesize < 10
      flags = text.getbyte(3)
      at = 10
      if flags & 4 != 0
        return nil if text.bytesize < at + 2
        at += 2 + text.byteslice(at, 2).unpack1("v")
      end
      [8, 16].each do |flag|
        next if flags & flag == 0
        stop = text.index("\0".b, at) or return nil
        at = stop + 1
      end
      at += 2 if flags & 2 != 0
      at <= text.bytesize ? at : nil
    end

    def self.wrap(*args, **options)
      file = new(*args, **options)
      return file unless block_given?
      begin
        yield file
      ensure
        file.close unless file.closed?
      end
    end

    attr_reader :level
    def orig_name = open! || @orig_name
    def comment = open! || @comment
    attr_writer :sync
    def sync = @sync || false
    def crc = @crc || 0
    def closed? = @closed
    def to_io = @io
    def os_code = OS_CODE
    def mtime = Time.at(@mtime || 0)
    def finish
      @closed = true
      @io
    end
    def close
      return if @closed
      finish
      @io.close if @io.respond_to?(:close)
      @io
    end
    def open!
      raise Error, "closed gzip stream" if @closed
    end
    # A file's path stays known when the file is closed.
    def keep_path
      return unless @io.respond_to?(:path)
      path = @io.path
      define_singleton_method(:path) { path }
    rescue IOError
      nil # a file without a name
    end
    private :open!, :keep_path
  end

  class GzipWriter < GzipFile
    def self.open(path, *options, &block) = wrap(File.open(path, "wb"), *options, &block)

    def initialize(io, level = nil, strategy = nil, **)
      @io, @level = io, level || DEFAULT_COMPRESSION
      @raw = Deflate.new(level, -MAX_WBITS, nil, strategy)
      @crc = @size = 0
      @headed = @closed = false
      keep_path
    end

    def mtime=(time)
      raise GzipFile::Error, "header is already written" if @headed
      @mtime = time.to_i
    end
    def orig_name=(name)
      raise GzipFile::Error, "header is already written" if @headed
      @orig_name = name[/\A[^\0]*/]
    end
    def comment=(text)
      raise GzipFile::Error, "header is already written" if @headed
      @comment = text[/\A[^\0]*/]
    end

    def write(*parts)
      open!
      parts.sum do |part|
        text = part.to_s.b
        head unless @headed
        @crc = Zlib.crc32(text, @crc)
        @size += text.bytesize
        packed = @raw.deflate(text)
        @io.write(packed) unless packed.empty?
        text.bytesize
      end
    end
    def <<(text)
      write(text)
      self
    end
    def print(*parts)
      parts.each { |part| write(part) }
      nil
    end
    def puts(*lines)
      out = StringIO.new
      out.puts(*lines)
      write(out.string)
      nil
    end
    def printf(format, *args) = write(format(format, *args)) && nil
    def putc(char) = write(char.is_a?(Integer) ? [char & 255].pack("C") : char[0]) && char
    def flush(flush = SYNC_FLUSH)
      head unless @headed
      packed = @raw.flush(flush)
      @io.write(packed) unless packed.empty?
      @io.flush if @io.respond_to?(:flush)
      self
    end
    def pos = @size
    alias tell pos

    def finish
      open!
      head unless @headed
      @io.write(@raw.finish)
      @io.write([@crc, @size & 0xffffffff].pack("VV"))
      super
    end

    private

    def head
      @headed = true
      flags = (@orig_name ? 8 : 0) | (@comment ? 16 : 0)
      extra = @level == BEST_COMPRESSION ? 2 : (@level == BEST_SPEED ? 4 : 0)
      @io.write([0x1f, 0x8b, 8, flags, @mtime ||= Time.now.to_i, extra, OS_CODE].pack("CCCCVCC") + [@orig_name, @comment].compact.map { |text| "#{text}\0" }.join.b)
    end
  end

  class GzipReader < GzipFile
    include Enumerable
    attr_accessor :lineno
    attr_reader :external_encoding

    def self.open(path, **options, &block) = wrap(File.open(path, "rb"), **options, &block)
    def self.zcat(io, **options, &block)
      out = "".b
      loop do
        reader = new(io, **options)
        block ? reader.each(&block) : out << reader.read.b
        rest = reader.unused
        reader.finish
        break if rest.nil?
        io.pos -= rest.bytesize
      end
      block ? nil : out
    end

    def initialize(io, external_encoding: nil, **)
      @io = io
      @external_encoding = external_encoding ? Encoding.find(external_encoding.to_s) : Encoding.default_external
      @start = io.respond_to?(:pos) ? (io.pos rescue nil) : nil
      @closed = false
      keep_path
      begin_stream
    end
    def crc = @inflate.__send__(:crc)

    def begin_stream
      @inflate = Inflate.new(16 + MAX_WBITS)
      @inflate.__send__(:defer_footer)
      @footed = false
      @text = "".b
      @position = @lineno = 0
      head = "".b
      until (size = GzipFile.header_size(head))
        part = @io.read(head.empty? ? 10 : 256)
        if part.nil? || part.empty? || !(head + part.b).start_with?("\x1f\x8b".b)
          given = head + part.to_s.b + @io.read(2038).to_s.b
          raise GzipFile::Error.new("not in gzip format", input: given.empty? ? nil : given)
        end
        head << part.b
      end
      read_header(head)
      feed(head)
      size
    end
    private :begin_stream

    def read_header(head)
      flags, @mtime, extra = head.unpack("x3CVC")
      @level = extra == 2 ? BEST_COMPRESSION : (extra == 4 ? BEST_SPEED : DEFAULT_COMPRESSION)
      at = 10
      at += 2 + head.byteslice(at, 2).unpack1("v") if flags & 4 != 0
      if flags & 8 != 0
        @orig_name = head.byteslice(at..)[/\A[^\0]*/n]
        at += @orig_name.bytesize + 1
      end
      @comment = head.byteslice(at..)[/\A[^\0]*/n] if flags & 16 != 0
    end

    def feed(part)
      @text << @inflate.inflate(part)
    rescue DataError => error
      raise GzipFile::Error, error.message
    end

    def expanded? = @inflate.__send__(:expanded?)

    # Makes so many bytes ready, or all; false at the end, where the footer is checked.
    def need(size = nil)
      until expanded? || (size && @text.bytesize >= size)
        part = @io.read(4096)
        raise GzipFile::Error, "unexpected end of file" if part.nil?
        feed(part)
      end
      check_footer
      !@text.empty?
    end

    def check_footer
      return if @footed || !expanded? || !@text.empty?
      @footed = true
      more = "".b
      while more.bytesize + @inflate.__send__(:footer_size) < 8 && (part = @io.read(8))
        more << part
      end
      @inflate.__send__(:check_footer, more)
    rescue DataError => error
      raise GzipFile::CRCError, "invalid compressed data -- crc error" if error.message == "incorrect data check"
      raise GzipFile::LengthError, "invalid compressed data -- length error"
    end

    def finish
      open!
      check_footer
      super
    ensure
      @closed = true
    end
    public :finish
    private :read_header, :feed, :expanded?, :need, :check_footer

    def take(size)
      text = @text.slice!(0, size)
      @position += text.bytesize
      text
    end
    private :take

    def read(size = nil, buffer = nil)
      open!
      raise ArgumentError, "negative length #{size} given" if size && size < 0
      return buffer ? buffer.replace("") : "".b if size == 0
      need(size)
      made = size || @text.empty? ? (size && @text.empty? ? nil : take(size || 0)) : take(@text.bytesize).force_encoding(@external_encoding)
      buffer && made ? buffer.replace(made) : made
    end
    def readpartial(size, buffer = nil)
      raise ArgumentError, "negative length #{size} given" if size < 0
      return buffer ? buffer.replace("") : "".b if size == 0
      need(1) or raise EOFError, "end of file reached"
      made = take(size)
      buffer ? buffer.replace(made) : made
    end
    def getbyte = need(1) ? take(1).ord : nil
    def readbyte = getbyte || raise(EOFError, "end of file reached")
    def each_byte
      return to_enum(:each_byte) unless block_given?
      while (byte = getbyte)
        yield byte
      end
      self
    end
    def getc
      return nil unless need(4) || !@text.empty?
      char = @text.byteslice(0, 4).force_encoding(@external_encoding)[0]
      take(char.bytesize).force_encoding(@external_encoding)
    end
    def readchar = getc || raise(EOFError, "end of file reached")
    def each_char
      return to_enum(:each_char) unless block_given?
      while (char = getc)
        yield char
      end
      self
    end
    def ungetc(char)
      text = char.is_a?(Integer) ? [char].pack("U") : char
      @text = text.b + @text
      @position -= text.bytesize
      nil
    end
    def ungetbyte(byte)
      return nil if byte.nil?
      @text = [byte & 255].pack("C") + @text
      @position -= 1
      nil
    end

    def gets(*args, chomp: false)
      open!
      limit = args.last.is_a?(Integer) ? args.pop : nil
      separator = args.empty? ? $/ : args[0]
      limit = nil if limit && limit < 0
      paragraph = separator == ""
      separator = "\n\n" if paragraph
      size = 1
      at = nil
      loop do
        take(1) while paragraph && need(1) && @text.start_with?("\n")
        need(separator ? size : nil)
        at = separator && @text.index(separator.b)
        break if at || expanded? || (limit && @text.bytesize >= limit)
        size = @text.bytesize + 4096
      end
      return $_ = nil if @text.empty?
      length = at ? at + separator.bytesize : @text.bytesize
      length = whole_characters(limit) if limit && limit < length
      line = take(length).force_encoding(@external_encoding)
      @lineno += 1
      line = line.delete_suffix(separator) if chomp && separator
      $_ = line
    end
    # A limit that would cut a character takes it whole.
    def whole_characters(limit)
      return limit unless @external_encoding == Encoding::UTF_8
      need(limit + 3)
      start = (0..3).map { |back| limit - 1 - back }.find { |at| at >= 0 && !@text.getbyte(at).between?(0x80, 0xBF) } or return limit
      char = @text.byteslice(start, 4).force_encoding(Encoding::UTF_8)[0]
      [limit, start + char.bytesize].max
    end
    private :whole_characters
    def readline(*args, **options) = gets(*args, **options) || raise(EOFError, "end of file reached")
    def each_line(*args, **options)
      return to_enum(:each_line, *args, **options) unless block_given?
      while (line = gets(*args, **options))
        yield line
      end
      self
    end
    alias each each_line
    def readlines(*args, **options) = each_line(*args, **options).to_a
    def eof?
      open!
      @text.empty? && (expanded? || !need(1))
    end
    alias eof eof?
    def pos = @position
    alias tell pos
    def unused
      return unless expanded? && @text.empty?
      check_footer
      @inflate.unused
    end
    def rewind
      raise NoMethodError, "rewind" unless @start
      @io.pos = @start
      begin_stream
      0
    end
  end
end

require "stringio"
