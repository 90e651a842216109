module OpenSSL
  module ASN1
    # Reads one value after the other from a String.
    class Decoder
      # Values within values beyond this are refused: only a hostile text has them.
      DEPTH = 100
      Header = Struct.new(:tag, :tag_class, :constructed, :length, :size)
      private_constant :DEPTH, :Header

      attr_reader :position

      # `visit` is called with what `traverse` yields, before each value is read.
      def initialize(bytes, visit = nil)
        @bytes, @visit, @position = bytes, visit, 0
      end

      def rest? = @position < @bytes.bytesize

      # The next value, which has to end before `limit`.
      def value(limit = @bytes.bytesize, depth = 0)
        raise ASN1Error, "nested too deeply" if depth > DEPTH
        start = @position
        header = self.header(limit)
        @visit&.call([depth, start, header.size, header.length.to_i, header.constructed, header.tag_class, header.tag])
        return constructed(header, limit, depth) if header.constructed
        body = @bytes.byteslice(@position, header.length)
        @position += header.length
        header.tag_class == :UNIVERSAL ? primitive(header.tag, body) : ASN1Data.new(body, header.tag, header.tag_class)
      end

      private

      def byte(limit)
        raise ASN1Error, @position == 0 ? "too small" : "header too long" if @position >= limit
        @bytes.getbyte(@position).tap { @position += 1 }
      end

      def header(limit)
        start = @position
        first = byte(limit)
        tag = first & 0x1f
        if tag == 31
          tag = 0
          loop do
            part = byte(limit)
            tag = (tag << 7) | (part & 0x7f)
            raise ASN1Error, "header too long" if tag > 0x7fff_ffff
            break if part < 128
          end
        end
        constructed = first & 0x20 != 0
        length = byte(limit)
        if length == 128
          raise ASN1Error, "header too long" unless constructed
          length = nil
        elsif length > 128
          count = length & 0x7f
          raise ASN1Error, "header too long" if count > 8
          length = count.times.inject(0) { |sum,| (sum << 8) | byte(limit) }
          raise ASN1Error, "header too long" if length > 0x7fff_ffff
        end
        raise ASN1Error, "too long" if length && @position + length > limit
        Header.new(tag, CLASSES.key(first & 0xc0), constructed, length, @position - start)
      end

      def constructed(header, limit, depth)
        parts = []
        limit = @position + header.length if header.length
        while @position < limit
          part = value(limit, depth + 1)
          break if header.length.nil? && part.is_a?(EndOfContent)
          parts << part
        end
        made =
          if header.tag_class != :UNIVERSAL then ASN1Data.new(parts, header.tag, header.tag_class)
          elsif header.tag == SEQUENCE then Sequence.new(parts)
          elsif header.tag == SET then Set.new(parts)
          else Constructive.new(parts, header.tag)
          end
        made.indefinite_length = header.length.nil?
        made
      end

      TEXTS = {
        OCTET_STRING => OctetString, NUMERICSTRING => NumericString, PRINTABLESTRING => PrintableString, T61STRING => T61String, VIDEOTEXSTRING => VideotexString,
        IA5STRING => IA5String, GRAPHICSTRING => GraphicString, ISO64STRING => ISO64String, GENERALSTRING => GeneralString, UNIVERSALSTRING => UniversalString,
        BMPSTRING => BMPString
      }.freeze
      private_constant :TEXTS

      def primitive(tag, body)
        return TEXTS[tag].new(body) if TEXTS.key?(tag)
        case tag
        when EOC
          raise ASN1Error, "" unless body.empty?
          EndOfContent.new
        when BOOLEAN
          raise ASN1Error, "invalid length for BOOLEAN" unless body.bytesize == 1
          Boolean.new(body != "\0".b)
        when INTEGER then Integer.new(number(body))
        when ENUMERATED then Enumerated.new(number(body))
        when BIT_STRING then bits(body)
        when NULL
          raise ASN1Error, "null is wrong length" unless body.empty?
          Null.new(nil)
        when OBJECT then ObjectId.new(identifier(body))
        when UTF8STRING then UTF8String.new(body.force_encoding("UTF-8"))
        when UTCTIME then UTCTime.new(time(body, 2))
        when GENERALIZEDTIME then GeneralizedTime.new(time(body, 4))
        else ASN1Data.new(body, tag, :UNIVERSAL)
        end
      end

      def number(body)
        raise ASN1Error, "illegal zero content" if body.empty?
        value = body.unpack1("H*").hex
        BN.new(body.getbyte(0) > 127 ? value - (1 << (8 * body.bytesize)) : value)
      end

      def bits(body)
        raise ASN1Error, "string too short" if body.empty?
        unused = body.getbyte(0)
        raise ASN1Error, "invalid bit string bits left" if unused > 7
        BitString.new(body.byteslice(1..)).tap { |made| made.unused_bits = unused }
      end

      # No part begins with an empty group, and the last one is complete.
      def identifier(body)
        whole = !body.empty? && body.getbyte(-1) < 128 && !body.b.match?(/(?:\A|[\x00-\x7f])\x80/n)
        raise ASN1Error, "invalid object encoding" unless whole
        ASN1.name_of(ASN1.oid_text(body))
      end

      def time(body, width)
        match = /\A(\d{#{width}})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z\z/.match(body) or raise ASN1Error, "bad time"
        year = match[1].to_i
        year += year < 50 ? 2000 : 1900 if width == 2
        Time.utc(year, match[2].to_i, match[3].to_i, match[4].to_i, match[5].to_i, match[6].to_i)
      end
    end
    private_constant :Decoder

    class << self
      def decode(der)
        bytes = bytes_of(der)
        decoder = Decoder.new(bytes)
        made = decoder.value
        at = decoder.position
        return made unless decoder.rest?
        raise ASN1Error, "Type mismatch. Total bytes read: #{at} Bytes available: #{bytes.bytesize} Offset: #{at}"
      end

      def decode_all(der)
        decoder = Decoder.new(bytes_of(der))
        all = []
        all << decoder.value while decoder.rest?
        all
      end

      # Yields depth, offset, size of the header, length, whether it is constructed, class and tag of each value.
      def traverse(der, &block)
        decoder = Decoder.new(bytes_of(der), block)
        decoder.value while decoder.rest?
        nil
      end

      private

      def bytes_of(der)
        bytes(der.respond_to?(:to_der) ? der.to_der : der)
      end
    end
  end
end
