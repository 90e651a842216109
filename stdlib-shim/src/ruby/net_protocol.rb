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

  class Protocol; end

  # Reads and writes a socket within time limits.
  class BufferedIO
    attr_reader :io
    attr_accessor :read_timeout, :write_timeout, :continue_timeout, :debug_output

    def initialize(io, read_timeout: 60, write_timeout: 60, continue_timeout: nil, debug_output: nil)
      @io, @read_timeout, @write_timeout, @continue_timeout, @debug_output = io, read_timeout, write_timeout, continue_timeout, debug_output
      @buffer = "".b
    end

    def inspect = "#<#{self.class} io=#{@io}>"
    def closed? = @io.closed?
    def close = @io.close
    def eof? = @buffer.empty? && @io.eof?

    # The target may be anything that takes parts by `<<`.
    def read(size, into = "".b, ignore_eof = false)
      say "reading #{size} bytes..."
      count = 0
      begin
        while count < size
          fill if @buffer.empty?
          part = take([size - count, 16 * 1024].min)
          into << part
          count += part.bytesize
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
          fill if @buffer.empty?
          part = take(@buffer.bytesize)
          into << part
          count += part.bytesize
        end
      rescue EOFError
        # the end is what ends it
      end
      say "read #{count} bytes"
      into
    end

    def readuntil(terminator, ignore_eof = false)
      fill until (at = @buffer.index(terminator))
      take(at + terminator.bytesize)
    rescue EOFError
      raise unless ignore_eof
      take(@buffer.bytesize)
    end
    def readline = readuntil("\n").chop.delete_suffix("\r")

    def write(*data)
      @debug_output&.<<("<- #{data.map { |each| each.to_s.dump }.join}\n")
      limited(@write_timeout, WriteTimeout) { data.sum { |each| @io.write(each) } }
    end
    alias << write
    def writeline(text) = write("#{text}\r\n")

    private

    def say(text) = @debug_output&.<<("#{text}\n")

    def take(size)
      part = @buffer.slice!(0, size)
      @debug_output&.<<("-> #{part.dump}\n")
      part
    end

    def fill
      @buffer << limited(@read_timeout, ReadTimeout) { @io.readpartial(16 * 1024) }
    end

    def limited(seconds, error)
      return yield if seconds.nil?
      begin
        Timeout.timeout(seconds, LimitReached) { yield }
      rescue LimitReached
        raise error.new(@io)
      end
    end

    class LimitReached < StandardError; end
    private_constant :LimitReached
  end
end
