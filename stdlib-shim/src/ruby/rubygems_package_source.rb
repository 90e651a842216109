# What a `.gem` file is read from and written to: a file, or a stream.
require "rubygems/package"

module Gem
  class Package
    class Source
    end

    class FileSource < Source
      attr_reader :path

      def initialize(path)
        @path = path
      end
      def start = @start ||= File.read(path, 20)
      def present? = File.exist?(path)
      def with_write_io(&) = File.open(path, "wb", &)
      def with_read_io(&) = File.open(path, "rb", &)
    end

    class IOSource < Source
      attr_reader :io

      def initialize(io)
        @io = io
      end
      def start
        @start ||= begin
          raise Error, "Cannot read start unless IO is at start" if io.pos.positive?
          with_read_io { |stream| stream.read(20) }
        end
      end
      def present? = true
      def path = nil
      def with_read_io
        yield io
      ensure
        io.rewind
      end
      alias with_write_io with_read_io
    end

    # A stream that digests what is written to it.
    class DigestIO
      attr_reader :digests

      def self.wrap(io, digests)
        yield new(io, digests)
        digests
      end

      def initialize(io, digests)
        @io, @digests = io, digests
      end
      def write(data)
        @digests.each_value { |digest| digest << data }
        @io.write(data)
      end
    end
  end
end
