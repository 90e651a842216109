# Messages of DNS: names, codes, and how they lie in bytes.
class Resolv
  class DNS
    module OpCode
      Query = 0
      IQuery = 1
      Status = 2
      Notify = 4
      Update = 5
    end

    module RCode
      NoError = 0
      FormErr = 1
      ServFail = 2
      NXDomain = 3
      NotImp = 4
      Refused = 5
      YXDomain = 6
      YXRRSet = 7
      NXRRSet = 8
      NotAuth = 9
      NotZone = 10
      BADVERS = 16
      BADSIG = 16
      BADKEY = 17
      BADTIME = 18
      BADMODE = 19
      BADNAME = 20
      BADALG = 21
    end

    # The parts of a name.
    module Label
      def self.split(text) = text.scan(/[^.]+/).map { |part| Str.new(part) }

      # A part, equal to another without regard to case.
      class Str
        attr_reader :string, :downcase

        def initialize(string)
          @string = string
          @downcase = string.b.downcase
        end

        def to_s = @string
        def inspect = "#<#{self.class} #{self}>"
        def ==(other) = instance_of?(other.class) && @downcase == other.downcase
        alias eql? ==
        def hash = @downcase.hash
      end
    end

    # A domain name, label by label.
    class Name
      def self.create(arg)
        return arg if arg.is_a?(Name)
        raise ArgumentError, "cannot interpret as DNS name: #{arg.inspect}" unless arg.is_a?(String)
        new(Label.split(arg), arg.end_with?("."))
      end

      def initialize(labels, absolute = true)
        @labels = labels.map { |label| label.is_a?(Label::Str) ? label : Label::Str.new(label.to_s) }
        @absolute = absolute
      end

      def to_a = @labels
      def length = @labels.length
      def [](index) = @labels[index]
      def absolute? = @absolute
      def to_s = @labels.join(".")
      def inspect = "#<#{self.class}: #{self}#{"." if @absolute}>"
      def ==(other) = other.is_a?(Name) && @absolute == other.absolute? && @labels == other.to_a
      alias eql? ==
      def hash = @labels.hash ^ @absolute.hash

      def subdomain_of?(other)
        raise ArgumentError, "not a domain name: #{other.inspect}" unless other.is_a?(Name)
        @absolute == other.absolute? && length > other.length && @labels.last(other.length) == other.to_a
      end
    end

    # What is asked, and what is answered: each knows its bytes.
    class Query
      def encode_rdata(_message) = raise(EncodeError, "#{self.class} is query.")
      def self.decode_rdata(_message) = raise(DecodeError, "#{self.class} is query.")
    end

    class Message
      @identifier = -1
      class << self
        def __next = @identifier = (@identifier + 1) & 0xffff
      end

      attr_accessor :id, :qr, :opcode, :aa, :tc, :rd, :ra, :rcode
      attr_reader :question, :answer, :authority, :additional

      def initialize(id = Message.__next)
        @id = id
        @qr = 0
        @opcode = 0
        @aa = 0
        @tc = 0
        @rd = 0
        @ra = 0
        @rcode = 0
        @question = []
        @answer = []
        @authority = []
        @additional = []
      end

      def ==(other)
        %i[id qr opcode aa tc rd ra rcode question answer authority additional].all? { |name| __send__(name) == other.__send__(name) }
      end

      def add_question(name, typeclass)
        @question << [Name.create(name), typeclass]
      end
      def each_question(&)
        @question.each(&)
      end
      %i[answer authority additional].each do |section|
        define_method(:"add_#{section}") { |name, ttl, data| __send__(section) << [Name.create(name), ttl, data] }
        define_method(:"each_#{section}") { |&block| __send__(section).each { |name, ttl, data| block.call(name, ttl, data) } }
      end
      def each_resource(&block)
        each_answer(&block)
        each_authority(&block)
        each_additional(&block)
      end

      def encode
        MessageEncoder.new do |message|
          flags = (@qr & 1) << 15 | (@opcode & 15) << 11 | (@aa & 1) << 10 | (@tc & 1) << 9 | (@rd & 1) << 8 | (@ra & 1) << 7 | @rcode & 15
          message.put_pack("nnnnnn", @id, flags, @question.length, @answer.length, @authority.length, @additional.length)
          @question.each do |name, typeclass|
            message.put_name(name)
            message.put_pack("nn", typeclass::TypeValue, typeclass::ClassValue)
          end
          [@answer, @authority, @additional].each do |section|
            section.each do |name, ttl, data|
              message.put_name(name)
              message.put_pack("nnN", data.class::TypeValue, data.class::ClassValue, ttl)
              message.put_length16 { data.encode_rdata(message) }
            end
          end
        end.to_s
      end

      def self.decode(bytes)
        made = new(0)
        MessageDecoder.new(bytes) do |message|
          id, flags, *counts = message.get_unpack("nnnnnn")
          made.id = id
          made.__flags = flags
          counts.shift.times { made.add_question(*message.get_question) }
          %i[add_answer add_authority add_additional].zip(counts) do |add, count|
            count.times { made.__send__(add, *message.get_rr) }
          end
        end
        made
      end

      def __flags=(flags)
        @tc = flags >> 9 & 1
        @rcode = flags & 15
        @qr = flags >> 15 & 1
        @opcode = flags >> 11 & 15
        @aa = flags >> 10 & 1
        @rd = flags >> 8 & 1
        @ra = flags >> 7 & 1
      end

      # Puts the parts of a message together; a name that was there before is told by where it lies.
      class MessageEncoder
        def initialize
          @data = "".b
          @names = {}
          yield self
        end

        def to_s = @data
        def put_bytes(bytes)
          @data << bytes.b
        end
        def put_pack(template, *values)
          @data << values.pack(template)
        end

        # What the block puts, after its size.
        def put_length16
          at = @data.bytesize
          @data << "\0\0".b
          yield
          size = @data.bytesize - at - 2
          raise ArgumentError, "data too large" if size > 0xffff
          @data[at, 2] = [size].pack("n")
        end

        def put_string(text)
          put_pack("C", text.bytesize)
          @data << text.b
        end
        def put_string_list(texts)
          texts.each { |text| put_string(text) }
        end

        def put_name(name, compress: true)
          put_labels(name.to_a, compress: compress)
        end
        def put_labels(labels, compress: true)
          labels.each_index do |at|
            rest = labels[at..]
            if compress && (place = @names[rest])
              return put_pack("n", 0xc000 | place)
            end
            @names[rest] = @data.bytesize if @data.bytesize < 0x4000
            put_label(labels[at])
          end
          @data << "\0".b
        end
        def put_label(label) = put_string(label.to_s)
      end

      # Takes a message apart.
      class MessageDecoder
        def initialize(data)
          @data = data
          @index = 0
          @limit = data.bytesize
          yield self
        end

        def inspect = "\#<#{self.class}: #{@data.byteslice(0, @index).inspect} #{@data.byteslice(@index..).inspect}>"

        # What the block takes of a part that begins with its size.
        def get_length16
          size, = get_unpack("n")
          before, @limit = @limit, @index + size
          result = yield(size)
          raise DecodeError, @index < @limit ? "junk exists" : "limit exceeded" if @index != @limit
          @limit = before
          result
        end

        def get_bytes(length = @limit - @index)
          raise DecodeError, "limit exceeded" if @limit < @index + length
          bytes = @data.byteslice(@index, length)
          @index += length
          bytes
        end

        SIZES = { "c" => 1, "C" => 1, "n" => 2, "N" => 4 }.freeze
        private_constant :SIZES

        def get_unpack(template)
          size = template.scan(/[cCnN]\d*/).sum { |part| SIZES.fetch(part[0]) * (part.size > 1 ? part[1..].to_i : 1) }
          get_bytes(size).unpack(template)
        end

        def get_string
          raise DecodeError, "limit exceeded" if @limit <= @index
          size = @data.getbyte(@index)
          raise DecodeError, "limit exceeded" if @limit < @index + 1 + size
          @index += 1
          get_bytes(size)
        end
        def get_string_list
          texts = []
          texts << get_string while @index < @limit
          texts
        end

        def get_name = Name.new(get_labels)
        def get_label = Label::Str.new(get_string)

        # A part of a name may be told by where it lies: before the place that tells it, so that there is an end.
        def get_labels
          labels = []
          before = @index
          back = nil
          loop do
            raise DecodeError, "limit exceeded" if @limit <= @index
            case @data.getbyte(@index)
            when 0
              @index += 1
              @index = back if back
              return labels
            when 192..255
              place = get_unpack("n")[0] & 0x3fff
              raise DecodeError, "non-backward name pointer" if before <= place
              before = place
              back ||= @index
              @index = place
            else
              labels << get_label
            end
          end
        end

        def get_question
          name = get_name
          type, klass = get_unpack("nn")
          [name, Resource.get_class(type, klass)]
        end

        def get_rr
          name = get_name
          type, klass, ttl = get_unpack("nnN")
          typeclass = Resource.get_class(type, klass)
          data = get_length16 do
            typeclass.decode_rdata(self)
          rescue DecodeError
            raise
          rescue => error
            raise DecodeError, error.message
          end
          data.instance_variable_set(:@ttl, ttl)
          [name, ttl, data]
        end
      end
    end
  end
end
