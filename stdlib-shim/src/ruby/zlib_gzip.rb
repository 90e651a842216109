# Files of gzip: their writers and readers.
module Zlib
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
      @consumed = 0
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
        part = pull(head.empty? ? 10 : 256)
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
    # Reads so many bytes, which `rewind` goes back over.
    def pull(size)
      part = @io.read(size)
      @consumed += part.bytesize if part
      part
    end
    private :begin_stream, :pull

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
        part = pull(4096)
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
      while more.bytesize + @inflate.__send__(:footer_size) < 8 && (part = pull(8))
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
      @io.seek(-@consumed, IO::SEEK_CUR)
      @consumed = 0
      begin_stream
      0
    end
  end
end
