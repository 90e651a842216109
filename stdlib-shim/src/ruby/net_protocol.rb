# What Net's clients share: errors and the buffered socket.
require "timeout"
require "socket"

module Net
  class ProtocolError < StandardError; end
  class ProtoSyntaxError < ProtocolError; end
  class ProtoFatalError < ProtocolError; end
  class ProtoUnknownError < ProtocolError; end
  class ProtoServerError < ProtocolError; end
  class ProtoAuthError < ProtocolError; end
  class ProtoCommandError < ProtocolError; end
  class ProtoRetriableError < ProtocolError; end
  ProtocRetryError = ProtoRetriableError

  class OpenTimeout < Timeout::Error; end

  class ReadTimeout < Timeout::Error
    attr_reader :io
    def initialize(io = nil)
      @io = io
    end
    def message = @io ? "#{super} with #{@io.inspect}" : super
  end

  class WriteTimeout < Timeout::Error
    attr_reader :io
    def initialize(io = nil)
      @io = io
    end
    def message = @io ? "#{super} with #{@io.inspect}" : super
  end

  class Protocol
    VERSION = "0.1.2"

    # Makes a method that gives what the constant with this name of a class is.
    def self.protocol_param(name, value)
      class_eval("def #{name}; #{value}; end", __FILE__, __LINE__)
    end

    # A line break within a command would begin another one.
    def self.validate_line(line)
      raise ArgumentError, "A line must not contain CR or LF" if line.match?(/[\r\n]/)
    end

    # Settings of TLS: how peers are verified, and a file or folder with the certificates that are trusted.
    def self.tls_parameters(verify_mode, certs)
      parameters = { verify_mode: verify_mode }
      if certs && File.file?(certs)
        parameters[:ca_file] = certs
      elsif certs && File.directory?(certs)
        parameters[:ca_path] = certs
      end
      parameters
    end

    private

    def tcp_socket(address, port)
      Socket.tcp(address, port, connect_timeout: @open_timeout)
    rescue Errno::ETIMEDOUT
      raise OpenTimeout, "Timeout to open TCP connection to #{address}:#{port} (exceeds #{@open_timeout} seconds)"
    end

    # Begins TLS with the host. Where that fails, whoever opened the connection closes it.
    def begin_tls(socket, host, check: socket.context.verify_mode != OpenSSL::SSL::VERIFY_NONE)
      socket.sync_close = true
      socket.hostname = host
      ssl_socket_connect(socket, @open_timeout)
      socket.post_connection_check(host) if check
      socket
    end

    # The handshake of TLS within a time limit, after which the socket says that it has nothing yet.
    def ssl_socket_connect(socket, seconds)
      raise OpenTimeout if seconds && seconds <= 0
      socket.connect(seconds)
    rescue Errno::EAGAIN
      raise OpenTimeout
    end
  end

  # Reads and writes a socket within time limits.
  class BufferedIO
    BUFSIZE = 16 * 1024
    # What a socket is offered at a time: more than it takes at once.
    OFFERED = 1 << 20
    private_constant :OFFERED
    attr_reader :io
    attr_accessor :read_timeout, :write_timeout, :continue_timeout, :debug_output

    def initialize(io, read_timeout: 60, write_timeout: 60, continue_timeout: nil, debug_output: nil)
      @io, @read_timeout, @write_timeout, @continue_timeout, @debug_output = io, read_timeout, write_timeout, continue_timeout, debug_output
      @rbuf = "".b
    end

    def inspect = "#<#{self.class} io=#{@io}>"
    def closed? = @io.closed?
    def close = @io.close
    def eof? = @rbuf.empty? && @io.eof?

    # The target may be anything that takes parts by `<<`.
    def read(size, into = "".b, ignore_eof = false)
      say "reading #{size} bytes..."
      count = 0
      begin
        while count < size
          rbuf_fill if @rbuf.empty?
          part = rbuf_consume([size - count, BUFSIZE].min)
          # a block may change what it is given
          count += part.bytesize
          into << part
        end
      rescue EOFError
        raise unless ignore_eof
      end
      say "read #{count} bytes"
      into
    end

    def read_all(into = "".b)
      say "reading all..."
      count = 0
      begin
        loop do
          rbuf_fill if @rbuf.empty?
          part = rbuf_consume(@rbuf.bytesize)
          # a block may change what it is given
          count += part.bytesize
          into << part
        end
      rescue EOFError
        # the end is what ends it
      end
      say "read #{count} bytes"
      into
    end

    # What was searched once is not searched again when more has come.
    def readuntil(terminator, ignore_eof = false)
      from = 0
      until (at = @rbuf.index(terminator, from))
        from = [@rbuf.bytesize - terminator.bytesize + 1, 0].max
        rbuf_fill
      end
      rbuf_consume(at + terminator.bytesize)
    rescue EOFError
      raise unless ignore_eof
      rbuf_consume(@rbuf.bytesize)
    end
    def readline = readuntil("\n").chop.delete_suffix("\r")

    def write(*data)
      @debug_output&.<<("<- #{data.map { |each| each.to_s.dump }.join}\n")
      data.sum { |each| write_part(each) }
    end
    alias << write
    def writeline(text) = write("#{text}\r\n")

    private

    def say(text) = @debug_output&.<<("#{text}\n")

    def rbuf_consume(size)
      part = @rbuf.slice!(0, size)
      @debug_output&.<<("-> #{part.dump}\n")
      part
    end

    def rbuf_fill
      loop do
        case part = @io.read_nonblock(BUFSIZE, exception: false)
        when String then return @rbuf << part
        when nil then raise EOFError, "end of file reached"
        else wait(part, @read_timeout, ReadTimeout)
        end
      end
    end

    def write_part(text)
      size = text.bytesize
      at = 0
      loop do
        case count = @io.write_nonblock(at == 0 && size <= OFFERED ? text : text.byteslice(at, OFFERED), exception: false)
        when Integer then return size if (at += count) >= size
        else wait(count, @write_timeout, WriteTimeout)
        end
      end
    end

    # Waits until the socket can be read or written; a handshake of TLS may need either for both.
    def wait(state, seconds, error)
      io = @io.to_io
      ready = state == :wait_readable ? io.wait_readable(seconds) : io.wait_writable(seconds)
      raise error.new(io) unless ready
    end
  end

  # The socket of protocols whose messages are lines up to one with a dot.
  class InternetMessageIO < BufferedIO
    def initialize(*, **)
      super
      @wbuf = nil
      @written = 0
    end

    # The lines of a message, as they are.
    def each_message_chunk
      say "reading message..."
      count = 0
      while (line = readuntil("\r\n")) != ".\r\n"
        count += line.size
        yield line.delete_prefix(".")
      end
      say "read message (#{count} bytes)"
    end

    # The lines of a list, without their ends.
    def each_list_item
      while (line = readuntil("\r\n")) != ".\r\n"
        yield line.chop
      end
    end

    def write_message_0(source)
      before = @written
      each_crlf_line(source) { |line| put(dot_stuff(line)) }
      @written - before
    end

    def write_message(source)
      say "writing message from #{source.class}"
      count = written { using_each_crlf_line { write_message_0(source) } }
      say "wrote #{count} bytes"
      count
    end

    def write_message_by_block(&block)
      say "writing message from block"
      count = written { using_each_crlf_line { block.call(WriteAdapter.new(->(text) { write_message_0(text) })) } }
      say "wrote #{count} bytes"
      count
    end

    private

    def dot_stuff(text) = text.sub(/\A\./, "..")

    # What is written as a message: every line ends with CR and LF, an empty one has one line, and a line with a dot is the end.
    def using_each_crlf_line
      @wbuf = "".b
      yield
      if !@wbuf.empty?
        put(dot_stuff(@wbuf.chomp), "\r\n")
      elsif @written.zero?
        put("\r\n")
      end
      put(".\r\n")
      @wbuf = nil
    end

    def put(*data)
      @written += write(*data)
    end

    # How many bytes the block writes.
    def written
      @written = 0
      yield
      @written
    end

    def each_crlf_line(source)
      each_part(source) do |part|
        @wbuf << part.b
        while (line = @wbuf.slice!(/\A[^\r\n]*(?:\n|\r(?:\n|(?!\z)))/))
          yield "#{line.chomp("\n").chomp("\r")}\r\n"
        end
      end
    end

    def each_part(source, &block)
      return block.call(source) if source.is_a?(String)
      source.each { |part| block.call(part) }
    end
  end

  # Writes by calling what it was given.
  class WriteAdapter
    def initialize(writer)
      @writer = writer
    end

    def inspect = "#<#{self.class} writer=#{@writer.inspect}>"
    def write(text)
      @writer.call(text)
    end
    alias print write
    def <<(text)
      write(text)
      self
    end
    def puts(text = "")
      write("#{text.chomp("\n")}\n")
    end
    def printf(*arguments)
      write(format(*arguments))
    end
  end

  class ReadAdapter
    def initialize(block)
      @block = block
    end
    def inspect = "#<#{self.class}>"
    def <<(part)
      call_block(part, &@block) if @block
    end

    private

    def call_block(part) = yield(part)
  end

  module NetPrivate
    Socket = InternetMessageIO
  end
end
