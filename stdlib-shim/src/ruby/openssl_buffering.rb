require "openssl"

module OpenSSL
  # Reading and writing as IO has them, of an object with `sysread` and `syswrite`.
  module Buffering
    include Enumerable

    BLOCK_SIZE = 16 * 1024
    attr_accessor :sync

    def initialize(*)
      super
      @eof = false
      @rbuf = "".b
      @wbuf = "".b
      @sync = @io.sync if defined?(@io) && @io.respond_to?(:sync)
    end

    def read(size = nil, buffer = nil)
      return buffer ? buffer.clear : +"" if size == 0
      fill_rbuf until @eof || (size && size <= @rbuf.bytesize)
      found = consume_rbuf(size) || ""
      found = buffer.replace(found) if buffer
      size && found.empty? ? nil : found
    end

    def readpartial(maxlen, buffer = nil)
      return buffer ? buffer.clear : +"" if maxlen == 0
      if @rbuf.empty?
        begin
          return sysread(maxlen, buffer)
        rescue Errno::EAGAIN
          retry
        end
      end
      found = consume_rbuf(maxlen)
      buffer ? buffer.replace(found) : found
    end

    def read_nonblock(maxlen, buffer = nil, exception: true)
      return buffer ? buffer.clear : +"" if maxlen == 0
      return sysread_nonblock(maxlen, buffer, exception: exception) if @rbuf.empty?
      found = consume_rbuf(maxlen)
      buffer ? buffer.replace(found) : found
    end

    def gets(eol = $/, limit = nil, chomp: false)
      at = @rbuf.index(eol)
      until at || @eof
        fill_rbuf
        at = @rbuf.index(eol)
      end
      size = at ? at + eol.bytesize : nil
      size = [size || @rbuf.bytesize, limit].min if limit && limit >= 0
      line = consume_rbuf(size)
      line.chomp!(eol) if chomp && line
      line
    end
    def each(eol = $/)
      while (line = gets(eol))
        yield(line)
      end
    end
    alias each_line each
    def readlines(eol = $/) = [].tap { |lines| each(eol) { |line| lines << line } }
    def readline(eol = $/)
      raise EOFError if eof?
      gets(eol)
    end

    def getc = read(1)
    def each_byte
      while (char = getc)
        yield(char.ord)
      end
    end
    def readchar
      raise EOFError if eof?
      getc
    end
    def ungetc(char)
      @rbuf[0, 0] = char.chr
    end
    def eof?
      fill_rbuf if !@eof && @rbuf.empty?
      @eof && @rbuf.empty?
    end
    alias eof eof?

    def write(*texts) = texts.inject(0) { |written, text| written + do_write(text.to_s) }
    def write_nonblock(text, exception: true)
      flush
      syswrite_nonblock(text, exception: exception)
    end
    def <<(text)
      do_write(text.to_s)
      self
    end
    def puts(*texts)
      do_write("\n") if texts.empty?
      texts.each { |text| do_write(text.to_s.sub(/(?<!\n)\z/, "\n")) }
      nil
    end
    def print(*texts)
      texts.each { |text| do_write(text.to_s) }
      nil
    end
    def printf(text, *values)
      do_write(format(text, *values))
      nil
    end

    def flush
      before = @sync
      @sync = true
      do_write("")
      self
    ensure
      @sync = before
    end

    def close
      begin
        flush
      rescue StandardError
        nil
      end
      sysclose
    end

    private

    def fill_rbuf
      @rbuf << sysread(BLOCK_SIZE)
    rescue Errno::EAGAIN
      retry
    rescue EOFError
      @eof = true
    end

    def consume_rbuf(size = nil)
      return nil if @rbuf.empty?
      found = @rbuf.byteslice(0, size || @rbuf.bytesize)
      @rbuf = @rbuf.byteslice(found.bytesize..)
      found
    end

    # What is written waits until there is a block of it, or a line if nothing waits.
    def do_write(text)
      @wbuf ||= "".b
      @wbuf << text.b
      @sync ||= false
      if @sync || @wbuf.bytesize > BLOCK_SIZE
        until @wbuf.empty?
          begin
            @wbuf = @wbuf.byteslice(syswrite(@wbuf)..)
          rescue Errno::EAGAIN
            retry
          end
        end
      end
      text.bytesize
    end
  end
end
