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

  module_function

  def zlib_version = ZLIB_VERSION
  # The table is kept by the module, whatever object it is asked through.
  def crc_table
    Zlib.instance_eval do
      @crc_table ||= (0..255).map { |number| 8.times.reduce(number) { |crc, _| crc & 1 == 1 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1 } }
    end
  end

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

  class << self
    def deflate(data, level = DEFAULT_COMPRESSION, &) = Deflate.deflate(data, level, &)
    def inflate(data) = Inflate.inflate(data)

    def text(data) = String.try_convert(data) || "" + data
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
      @closed = false
      @output = "".b
    end
    def reset
      ready
      @total_in = @total_out = 0
      @adler = 1
      @finished = false
      nil
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
      @output, @input, @rest, @dictionaries = @output.dup, @input.dup, @rest.dup, @dictionaries.dup
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
      all, @output, at = @output << made, "".b, 0
      begin
        yield all.byteslice((at += PART) - PART, PART) while all.bytesize - at >= PART
      ensure
        # what a block that was left has not got comes with the next output
        @output = all.byteslice(at..) << @output
      end
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
      super
      @gzip = @window > MAX_WBITS
      @state = Native.deflater(@level, @window < 0 || @gzip, @strategy)
      @dictionary = nil
      @framed = false
      @crc, @size, @headed = 0, 0, !@gzip
      @marked = @window < 0 || @gzip
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
      data = Zlib.__send__(:text, data).b
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
      super
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

    private

    def run(data)
      ready
      data = Zlib.__send__(:text, data).b
      out = flush_next_out
      if @finished
        @rest << data
        return out
      end
      @total_in += data.bytesize
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
      @total_in -= rest.bytesize
      @rest << rest
      @input = "".b
      @finished = true
      @stage = :end
    end
  end
end

require "zlib/gzip"
require "stringio"
