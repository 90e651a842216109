module OpenSSL
  # DER and BER, read and written. `decode` gives a tree; the shortcuts make values.
  module ASN1
    private_constant :Native

    UNIVERSAL_TAG_NAME = [
      "EOC", "BOOLEAN", "INTEGER", "BIT_STRING", "OCTET_STRING", "NULL", "OBJECT", "OBJECT_DESCRIPTOR", "EXTERNAL", "REAL", "ENUMERATED", "EMBEDDED_PDV",
      "UTF8STRING", "RELATIVE_OID", nil, nil, "SEQUENCE", "SET", "NUMERICSTRING", "PRINTABLESTRING", "T61STRING", "VIDEOTEXSTRING", "IA5STRING", "UTCTIME",
      "GENERALIZEDTIME", "GRAPHICSTRING", "ISO64STRING", "GENERALSTRING", "UNIVERSALSTRING", "CHARACTER_STRING", "BMPSTRING"
    ]
    UNIVERSAL_TAG_NAME.each_with_index { |name, tag| const_set(name, tag) if name }

    CLASSES = { UNIVERSAL: 0, APPLICATION: 0x40, CONTEXT_SPECIFIC: 0x80, PRIVATE: 0xc0 }.freeze
    private_constant :CLASSES

    # A value with its tag. An Array of values is constructed, and may be written with an end mark instead of its length.
    class ASN1Data
      attr_accessor :value, :tag, :tag_class, :indefinite_length
      alias infinite_length indefinite_length
      alias infinite_length= indefinite_length=

      def initialize(value, tag, tag_class)
        raise ASN1Error, "invalid tag class" unless tag_class.is_a?(Symbol)
        @tag, @value, @tag_class, @indefinite_length = tag, value, tag_class, false
      end

      def to_der
        return encoded(content, false) unless @value.is_a?(Array)
        encoded(parts(@value), true)
      end

      private

      def tagging_of = nil
      def universal = nil

      def content
        raise ASN1Error, "indefinite length form cannot be used with primitive encoding" if @indefinite_length
        text(@value)
      end

      def text(value) = ASN1.bytes(value)

      # The values one after the other. An end mark at the end is not one of them.
      def parts(values)
        values.each_with_index.map do |part, index|
          if @indefinite_length && part.is_a?(EndOfContent)
            raise ASN1Error, "illegal EOC octets in value" unless index == values.size - 1
            next ""
          end
          part.respond_to?(:to_der) ? part.to_der : text(part)
        end.join.b
      end

      def encoded(body, constructed)
        ending = "\0\0".b if @indefinite_length && constructed
        if tagging_of == :EXPLICIT
          own = universal or raise ASN1Error, "explicit tagging of unknown tag"
          inner = ASN1.header(own, :UNIVERSAL, constructed, ending ? nil : body.bytesize) + body + ending.to_s
          return ASN1.header(@tag, @tag_class, true, ending ? nil : inner.bytesize) + inner + ending.to_s
        end
        ASN1.header(@tag, @tag_class, constructed, ending ? nil : body.bytesize) + body + ending.to_s
      end
    end

    # Values of the universal types, which may have a tag of their own instead of the type's (:IMPLICIT) or around it (:EXPLICIT).
    module Tagged
      attr_accessor :tagging

      def initialize(value, tag = nil, tagging = nil, tag_class = nil)
        raise ASN1Error, "invalid tagging method" unless tagging.nil? || tagging.is_a?(Symbol)
        tag ||= universal or raise ASN1Error, "must specify tag number"
        super(value, tag, tag_class || (tagging ? :CONTEXT_SPECIFIC : :UNIVERSAL))
        @tagging = tagging
      end

      private

      def tagging_of = @tagging
      def universal = self.class.const_defined?(:TAG) ? self.class::TAG : nil
    end
    private_constant :Tagged

    class Primitive < ASN1Data
      include Tagged
      undef indefinite_length=
      undef infinite_length=

      def to_der = encoded(content, false)

      private

      def content
        case universal
        when BOOLEAN
          raise TypeError, "Can't convert nil into Boolean" if @value.nil?
          (@value ? "\xff" : "\0").b
        when INTEGER, ENUMERATED
          raise TypeError, "Can't convert nil into Integer" if @value.nil?
          ASN1.integer(@value.is_a?(BN) ? @value.to_i : BN.new(@value).to_i)
        when BIT_STRING
          raise ASN1Error, "unused_bits for a bitstring value must be in the range 0 to 7" unless (0..7).cover?(@unused_bits)
          [@unused_bits].pack("C") + text(@value)
        when NULL
          raise ASN1Error, "nil expected" unless @value.nil?
          "".b
        when OBJECT then Native.object(@value)[0]
        when UTCTIME then time.strftime("%y%m%d%H%M%SZ").b
        when GENERALIZEDTIME then time.strftime("%Y%m%d%H%M%SZ").b
        else text(@value)
        end
      end

      def time = (@value.is_a?(Time) ? @value : Time.at(Kernel.Integer(@value))).getutc
    end

    class Constructive < ASN1Data
      include Tagged
      include Enumerable

      def each
        @value.each { |part| yield part }
        self
      end

      def to_der
        values = Array.try_convert(@value) || (@value.respond_to?(:to_a) ? @value.to_a : raise(TypeError, "can't convert #{@value.class} into Array"))
        encoded(parts(values), true)
      end
    end

    { Boolean: BOOLEAN, Integer: INTEGER, Enumerated: ENUMERATED, BitString: BIT_STRING, OctetString: OCTET_STRING, UTF8String: UTF8STRING, NumericString: NUMERICSTRING,
      PrintableString: PRINTABLESTRING, T61String: T61STRING, VideotexString: VIDEOTEXSTRING, IA5String: IA5STRING, GraphicString: GRAPHICSTRING, ISO64String: ISO64STRING,
      GeneralString: GENERALSTRING, UniversalString: UNIVERSALSTRING, BMPString: BMPSTRING, Null: NULL, ObjectId: OBJECT, UTCTime: UTCTIME,
      GeneralizedTime: GENERALIZEDTIME }.each do |name, tag|
      const_set(name, Class.new(Primitive) { const_set(:TAG, tag) })
      define_singleton_method(name) { |*args| const_get(name).new(*args) }
    end
    { Sequence: SEQUENCE, Set: SET }.each do |name, tag|
      const_set(name, Class.new(Constructive) { const_set(:TAG, tag) })
      define_singleton_method(name) { |*args| const_get(name).new(*args) }
    end

    # The end mark of what has no length.
    class EndOfContent < ASN1Data
      def initialize = super("", EOC, :UNIVERSAL)
      undef indefinite_length=
      undef infinite_length=
      def tagging = nil
    end
    def self.EndOfContent = EndOfContent.new

    class BitString
      attr_accessor :unused_bits
      def initialize(*)
        super
        @unused_bits = 0
      end
    end

    class ObjectId
      # Names of an identifier that the library does not know.
      def self.register(oid, short, long) = Native.register(oid, short, long)

      def oid = ASN1.dotted(@value)
      def sn = Native.object(@value)[1]
      alias short_name sn
      def ln = Native.object(@value)[2]
      alias long_name ln

      def ==(other)
        other = other.value if other.is_a?(ObjectId)
        oid == ASN1.dotted(other)
      end
    end

    class << self
      # The bytes of a text; TypeError for anything else.
      def bytes(value)
        String.try_convert(value)&.b || raise(TypeError, "no implicit conversion of #{[nil, true, false].include?(value) ? value.inspect : value.class} into String")
      end

      # The identifier of a name; ASN1Error if there is none.
      def dotted(name) = oid_text(oid_bytes(name))
      # The short name that an identifier has, or itself.
      def name_of(oid) = Native.object(oid)[1] || oid
      # The long name of an identifier or a name, or itself.
      def long_name(name) = Native.object(name)[2] || name

      def context(tag, value) = ASN1Data.new(value, tag, :CONTEXT_SPECIFIC)

      # Identifier and length; no length means that an end mark follows.
      def header(tag, tag_class, constructed, size)
        first = CLASSES.fetch(tag_class) { raise ASN1Error, "invalid tag class" } | (constructed ? 0x20 : 0)
        tag = Kernel.Integer(tag)
        bytes = tag < 31 ? [first | tag] : [first | 31, *base128(tag)]
        bytes.pack("C*") + (size ? length(size) : "\x80".b)
      end

      def length(size)
        return [size].pack("C") if size < 128
        digits = size.digits(256).reverse
        [0x80 | digits.size, *digits].pack("C*")
      end

      def integer(value)
        bytes = []
        loop do
          bytes.unshift(value & 0xff)
          value >>= 8
          break if (value == 0 && bytes[0] < 128) || (value == -1 && bytes[0] > 127)
        end
        bytes.pack("C*")
      end

      def oid_bytes(dotted) = Native.object(dotted)[0]

      def oid_text(bytes)
        numbers = []
        value = 0
        bytes.each_byte do |byte|
          value = (value << 7) | (byte & 0x7f)
          (numbers << value; value = 0) if byte < 128
        end
        first = [numbers[0] / 40, 2].min
        [first, numbers[0] - first * 40, *numbers.drop(1)].join(".")
      end

      private

      def base128(number)
        parts = [number & 0x7f]
        parts.unshift((number & 0x7f) | 0x80) while (number >>= 7) > 0
        parts
      end
    end
  end

  # PEM armour.
  module PEM
    module_function
    def encode(label, der, headers = "") = "-----BEGIN #{label}-----\n#{headers}#{[der].pack("m48")}-----END #{label}-----\n"
    # Label, headers and bytes of each block.
    def decode(text)
      text.to_s.scrub("").scan(/-----BEGIN ([^-\n]+)-----\r?\n((?:[A-Za-z\-]+: [^\n]*\r?\n)*)(.*?)-----END \1-----/m).map { |label, headers, body| [label, headers, body.unpack1("m")] }
    end
  end
  private_constant :PEM
end
require "openssl/asn1/decoder"
