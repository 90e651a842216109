# Tar archives, read from a stream and written to one.
module Gem
  class Package
    # The first block of an entry. Numbers are octal text, names of more than 100 bytes are cut at a slash.
    class TarHeader
      FIELDS = %i(name mode uid gid size mtime checksum typeflag linkname magic version uname gname devmajor devminor prefix).freeze
      UNPACK = "A100A8A8A8A12A12A8AA100A6A2A32A32A8A8A155".freeze
      EMPTY = ("\0" * 512).freeze
      attr_reader(*FIELDS)

      def self.from(stream)
        block = stream.read(512)
        block = "" if block.nil?
        raise TarInvalidError, "tar header is cut short" unless block.empty? || block.bytesize == 512
        values = block.ljust(512, "\0").unpack(UNPACK)
        numbers = { mode: 1, uid: 2, gid: 3, size: 4, mtime: 5, checksum: 6, devmajor: 13, devminor: 14 }.transform_values { |at| number(values[at]) }
        new(name: values[0], typeflag: values[7], linkname: values[8], magic: values[9], version: number(values[10]), uname: values[11], gname: values[12], prefix: values[15],
            empty: block.empty? || block == EMPTY, sound: block.empty? || block.sum(32) - block.byteslice(148, 8).sum(32) + 8 * 32 == numbers[:checksum], **numbers)
      end

      def self.number(text)
        raise ArgumentError, "#{text.inspect} is not an octal string" unless text.match?(/\A[\s\0]*[0-7]*[\s\0]*\z/)
        text.strip.oct
      end
      private_class_method :number

      def initialize(values)
        raise ArgumentError, ":name, :size, :prefix and :mode required" unless values[:name] && values[:size] && values[:prefix] && values[:mode]
        defaults = { uid: 0, gid: 0, mtime: 0, checksum: "", typeflag: "0", linkname: "", magic: "ustar", version: "00", uname: "wheel", gname: "wheel", devmajor: 0, devminor: 0 }
        defaults.merge(values.compact).each { |name, value| instance_variable_set(:"@#{name}", value) }
        @typeflag = "0" if @typeflag.to_s.empty?
        @empty = values[:empty]
        @sound = values[:sound]
      end

      def empty? = @empty
      # Whether the checksum that was read is that of what was read.
      def sound? = @sound != false
      def update_checksum
        @checksum = octal(bytes(" " * 8).sum(32), 6)
      end
      def to_s
        update_checksum
        bytes("#{checksum}\0 ")
      end
      def ==(other) = other.is_a?(TarHeader) && FIELDS.all? { |field| field == :checksum || public_send(field) == other.public_send(field) }

      private

      def octal(number, width) = format("%0#{width}o", number)
      def bytes(sum)
        [name, octal(mode, 7), octal(uid, 7), octal(gid, 7), octal(size, 11), octal(mtime.to_i, 11), sum, typeflag.to_s, linkname, magic, version.to_s.rjust(2, "0"), uname, gname,
         octal(devmajor, 7), octal(devminor, 7), prefix].pack("a100a8a8a8a12a12a8aa100a6a2a32a32a8a8a155x12")
      end
    end

    # The entries of an archive, in order.
    class TarReader
      include Enumerable

      def self.new(stream)
        reader = super
        return reader unless block_given?
        yield reader
        nil
      end

      def initialize(stream)
        @stream = stream
        @start = stream.respond_to?(:pos) ? stream.pos : 0
      end

      def close; end
      def rewind = @stream.pos = @start

      def each
        return to_enum(:each) unless block_given?
        until @stream.eof?
          header = TarHeader.from(@stream)
          return if header.empty?
          entry = Entry.new(header, @stream)
          yield entry
          entry.skip
          entry.close
        end
      end
      alias each_entry each

      def seek(name)
        found = find { |entry| entry.full_name == name } or return nil
        yield found
      ensure
        rewind
      end

      # One file of an archive, while the reader stands at it.
      class Entry
        attr_reader :header

        def initialize(header, stream)
          @header, @stream, @read, @closed = header, stream, 0, false
          @start = stream.respond_to?(:pos) ? stream.pos : nil
        end

        def full_name
          name = header.prefix.empty? ? header.name : File.join(header.prefix, header.name)
          raise TarInvalidError, "tar is corrupt, name contains null byte" if name.include?("\0")
          name
        end
        def bytes_read = @read
        alias pos bytes_read
        def size = header.size
        alias length size
        def directory? = header.typeflag == "5"
        def file? = header.typeflag == "0"
        def symlink? = header.typeflag == "2"
        def closed? = @closed
        def close
          @closed = true
        end
        def eof? = open { @read >= size }

        def read(count = nil)
          open do
            return nil if @read >= size
            data = @stream.read([count || size - @read, size - @read].min) or return nil
            @read += data.bytesize
            data
          end
        end
        def readpartial(count, into = +"")
          data = read(count) or raise EOFError, "end of file reached"
          into.replace(data)
        end
        def getc = read(1)
        def rewind
          raise NonSeekableIO unless @start && @stream.respond_to?(:pos=)
          open { @stream.pos = @start }
          @read = 0
        end

        # Goes to the next entry's header.
        def skip
          left = size - @read + -size % 512
          while left.positive?
            got = @stream.read([left, 65_536].min) or raise TarInvalidError, "tar is cut short"
            left -= got.bytesize
          end
          @read = size
        end

        private

        def open
          raise IOError, "closed #{self.class}" if @closed
          yield
        end
      end
    end

    class TarWriter
      class FileOverflow < StandardError; end

      def self.new(stream)
        writer = super
        return writer unless block_given?
        begin
          yield writer
        ensure
          writer.close
        end
        nil
      end

      def initialize(stream)
        @io, @closed = stream, false
      end

      # A file whose size is known once its block has run: the stream can be sought.
      def add_file(name, mode)
        check_closed
        short, prefix = split_name(name)
        raise NonSeekableIO unless @io.respond_to?(:pos=)
        at = @io.pos
        @io.write(TarHeader::EMPTY)
        yield RestrictedStream.new(@io) if block_given?
        size = @io.pos - at - 512
        @io.write("\0" * (-size % 512))
        ending = @io.pos
        @io.pos = at
        @io.write(TarHeader.new(name: short, prefix: prefix, mode: mode, size: size, mtime: now).to_s)
        @io.pos = ending
        self
      end

      # A file of a size that is known before.
      def add_file_simple(name, mode, size)
        check_closed
        short, prefix = split_name(name)
        @io.write(TarHeader.new(name: short, prefix: prefix, mode: mode, size: size, mtime: now).to_s)
        bounded = BoundedStream.new(@io, size)
        yield bounded if block_given?
        @io.write("\0" * (size - bounded.written + -size % 512))
        self
      end

      def add_symlink(name, target, mode) = header(name, mode: mode, size: 0, typeflag: "2", linkname: target)
      def mkdir(name, mode) = header(name, mode: mode, size: 0, typeflag: "5")
      def flush
        check_closed
        @io.flush if @io.respond_to?(:flush)
      end
      def closed? = @closed
      def check_closed
        raise IOError, "closed #{self.class}" if @closed
      end
      def close
        check_closed
        @io.write("\0" * 1024)
        flush
        @closed = true
      end

      def split_name(name)
        raise TooLongFileName, "File \"#{name}\" has a too long path (should be 256 or less)" if name.bytesize > 256
        return name, "" if name.bytesize <= 100
        parts = name.split("/", -1)
        file = parts.pop
        file = "#{parts.pop}/#{file}" while parts.size > 1 && parts.join("/").bytesize > 155
        prefix = parts.join("/")
        raise TooLongFileName, "File \"#{prefix}/#{file}\" has a too long name (should be 100 or less)" if file.bytesize > 100
        raise TooLongFileName, "File \"#{prefix}/#{file}\" has a too long base path (should be 155 or less)" if prefix.bytesize > 155
        [file, prefix]
      end

      private

      def now = Gem.source_date_epoch.to_i
      def header(name, **values)
        check_closed
        short, prefix = split_name(name)
        @io.write(TarHeader.new(name: short, prefix: prefix, mtime: now, **values).to_s)
        self
      end

      class RestrictedStream
        def initialize(stream)
          @stream = stream
        end
        def write(data) = @stream.write(data)
      end

      class BoundedStream < RestrictedStream
        attr_reader :limit, :written
        def initialize(stream, limit)
          super(stream)
          @limit, @written = limit, 0
        end
        def write(data)
          raise FileOverflow, "You tried to feed more data than fits in the file." if data.bytesize + @written > @limit
          @stream.write(data)
          @written += data.bytesize
          data.bytesize
        end
      end
    end
  end
end
