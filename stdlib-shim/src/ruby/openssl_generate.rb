module OpenSSL
  module X509
    # The value that `ASN1:` in an extension's text stands for: modifiers, a type and its content. What sequences and sets hold is listed in
    # sections of the configuration.
    class GeneratedValue
      TAGS = {
        "BOOLEAN" => 1, "BOOL" => 1, "INTEGER" => 2, "INT" => 2, "BITSTRING" => 3, "BITSTR" => 3, "OCTETSTRING" => 4, "OCT" => 4, "NULL" => 5,
        "OBJECT" => 6, "OID" => 6, "ENUMERATED" => 10, "ENUM" => 10, "UTF8STRING" => 12, "UTF8" => 12, "SEQUENCE" => 16, "SEQ" => 16, "SET" => 17,
        "NUMERICSTRING" => 18, "NUMERIC" => 18, "PRINTABLESTRING" => 19, "PRINTABLE" => 19, "T61STRING" => 20, "T61" => 20, "TELETEXSTRING" => 20,
        "IA5STRING" => 22, "IA5" => 22, "UTCTIME" => 23, "UTC" => 23, "GENERALIZEDTIME" => 24, "GENTIME" => 24, "VISIBLESTRING" => 26, "VISIBLE" => 26,
        "GENERALSTRING" => 27, "GENSTR" => 27, "UNIVERSALSTRING" => 28, "UNIV" => 28, "BMPSTRING" => 30, "BMP" => 30
      }.freeze
      CLASSES = { "U" => :UNIVERSAL, "A" => :APPLICATION, "P" => :PRIVATE, "C" => :CONTEXT_SPECIFIC, "" => :CONTEXT_SPECIFIC }.freeze
      # Sections may name each other, even themselves.
      DEEPEST = 50
      # Modifiers of one value.
      MOST_MODIFIERS = 20
      private_constant :TAGS, :CLASSES, :DEEPEST, :MOST_MODIFIERS

      def initialize(config) = @config = config

      def made(text, format = "ASCII", depth = 0)
        words = text.split(",")
        modifiers = words.index { |word| TAGS.key?(word[/\A\s*(\w+)/, 1].to_s.upcase) } || words.size
        modifiers > MOST_MODIFIERS ? refused("too many modifiers") : value(text, format, depth)
      end

      private

      def value(text, format, depth)
        name, argument, rest = text.match(/\A\s*(\w+)\s*(?::([^,]*))?(?:,(.*))?\z/m)&.captures
        case name.to_s.upcase
        when "EXPLICIT", "EXP" then ASN1::ASN1Data.new([value(rest.to_s, format, depth)], *tag(argument))
        when "IMPLICIT", "IMP" then retagged(value(rest.to_s, format, depth), *tag(argument))
        when "OCTWRAP" then ASN1::OctetString(value(rest.to_s, format, depth).to_der)
        when "BITWRAP" then ASN1::BitString(value(rest.to_s, format, depth).to_der)
        when "SEQWRAP" then ASN1::Sequence([value(rest.to_s, format, depth)])
        when "SETWRAP" then ASN1::Set([value(rest.to_s, format, depth)])
        when "FORMAT", "FORM" then value(rest.to_s, argument.to_s.strip.upcase, depth)
        else typed(TAGS[name.to_s.upcase], text[/:(.*)\z/m, 1], format, depth)
        end
      end

      def tag(text)
        number, kind = text.to_s.strip.match(/\A(\d+)([UAPC]?)\z/)&.captures
        number ? [number.to_i, CLASSES[kind]] : refused("invalid number")
      end

      # The same content with another tag.
      def retagged(value, number, tag_class)
        return ASN1::ASN1Data.new(value.value, number, tag_class) if value.value.is_a?(Array)
        der = value.to_der
        first = der.getbyte(1)
        ASN1::ASN1Data.new(der.byteslice((first < 0x80 ? 2 : 2 + (first & 0x7f))..), number, tag_class)
      end

      def typed(number, content, format, depth)
        case number
        when nil then refused("unknown tag")
        when 1 then ASN1::Boolean(truth(content))
        when 2 then ASN1::Integer(whole(content))
        when 3 then bits(content.to_s, format)
        when 4 then ASN1::OctetString(format == "HEX" ? [content.to_s.delete(":")].pack("H*") : content.to_s)
        when 5 then ASN1::Null(nil)
        when 6 then ASN1::ObjectId(ASN1.dotted(content.to_s.strip))
        when 10 then ASN1::Enumerated(whole(content))
        when 16, 17 then listed(number, content, format, depth)
        else ASN1::ASN1Data.new(encoded(number, content.to_s, format), number, :UNIVERSAL)
        end
      rescue ::ArgumentError
        refused("invalid content")
      end

      def whole(text)
        text.to_s.match?(/\A\s*-?(?:0x\h+|\d+)\s*\z/i) ? Integer(text.to_s.strip.sub(/\A(-?)0+(?=\d)/, '\1')) : refused("invalid number")
      end

      def truth(text)
        case text.to_s.strip
        when "TRUE", "true", "Y", "y", "YES", "yes" then true
        when "FALSE", "false", "N", "n", "NO", "no" then false
        else refused("invalid boolean")
        end
      end

      def bits(text, format)
        case format
        when "HEX" then ASN1::BitString([text.delete(":")].pack("H*"))
        when "BITLIST"
          set = text.split(",").map { |bit| whole(bit) }
          refused("invalid number") if set.any?(&:negative?)
          count = (set.max || 0) + 1
          row = "\0".b * ((count + 7) / 8)
          set.each { |bit| row.setbyte(bit / 8, row.getbyte(bit / 8) | 0x80 >> bit % 8) }
          ASN1::BitString(row).tap { |made| made.unused_bits = -count % 8 }
        else ASN1::BitString(text)
        end
      end

      # The elements of a set stand in the order of their bytes.
      def listed(number, name, format, depth)
        refused("nested too deeply") if depth >= DEEPEST
        section = name.to_s.empty? ? {} : @config && @config[name.strip]
        refused("no such section") if section.nil? || section.empty? && !name.to_s.empty?
        parts = section.map { |_, text| made(text, "ASCII", depth + 1) }
        number == 16 ? ASN1::Sequence(parts) : ASN1::Set(parts.sort_by(&:to_der))
      end

      # Without `FORMAT:UTF8`, bytes are characters of Latin 1.
      def encoded(number, text, format)
        text = format == "UTF8" ? text.dup.force_encoding("UTF-8") : text.dup.force_encoding("ISO-8859-1")
        case number
        when 12 then text.encode("UTF-8").b
        when 28 then text.encode("UTF-32BE").b
        when 30 then text.encode("UTF-16BE").b
        else text.b
        end
      end

      def refused(why) = raise(ExtensionError, why)
    end
  end
end
