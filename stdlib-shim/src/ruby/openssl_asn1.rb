module OpenSSL
  # DER, read and written. `decode` gives a tree; the shortcuts make values.
  module ASN1
    class ASN1Error < OpenSSLError; end
    BOOLEAN = 1
    INTEGER = 2
    BIT_STRING = 3
    OCTET_STRING = 4
    NULL = 5
    OBJECT = 6
    ENUMERATED = 10
    UTF8STRING = 12
    SEQUENCE = 16
    SET = 17
    NUMERICSTRING = 18
    PRINTABLESTRING = 19
    T61STRING = 20
    IA5STRING = 22
    UTCTIME = 23
    GENERALIZEDTIME = 24
    BMPSTRING = 30

    OIDS = {
      "rsaEncryption" => "1.2.840.113549.1.1.1", "RSA-MD5" => "1.2.840.113549.1.1.4", "RSA-SHA1" => "1.2.840.113549.1.1.5", "RSA-SHA224" => "1.2.840.113549.1.1.14",
      "RSA-SHA256" => "1.2.840.113549.1.1.11", "RSA-SHA384" => "1.2.840.113549.1.1.12", "RSA-SHA512" => "1.2.840.113549.1.1.13",
      "id-ecPublicKey" => "1.2.840.10045.2.1", "ecdsa-with-SHA1" => "1.2.840.10045.4.1", "ecdsa-with-SHA224" => "1.2.840.10045.4.3.1", "ecdsa-with-SHA256" => "1.2.840.10045.4.3.2",
      "ecdsa-with-SHA384" => "1.2.840.10045.4.3.3", "ecdsa-with-SHA512" => "1.2.840.10045.4.3.4",
      "prime256v1" => "1.2.840.10045.3.1.7", "secp384r1" => "1.3.132.0.34", "secp521r1" => "1.3.132.0.35", "secp256k1" => "1.3.132.0.10",
      "MD5" => "1.2.840.113549.2.5", "SHA1" => "1.3.14.3.2.26", "SHA224" => "2.16.840.1.101.3.4.2.4", "SHA256" => "2.16.840.1.101.3.4.2.1", "SHA384" => "2.16.840.1.101.3.4.2.2", "SHA512" => "2.16.840.1.101.3.4.2.3",
      "CN" => "2.5.4.3", "SN" => "2.5.4.4", "serialNumber" => "2.5.4.5", "C" => "2.5.4.6", "L" => "2.5.4.7", "ST" => "2.5.4.8", "street" => "2.5.4.9", "O" => "2.5.4.10", "OU" => "2.5.4.11", "title" => "2.5.4.12",
      "description" => "2.5.4.13", "GN" => "2.5.4.42", "emailAddress" => "1.2.840.113549.1.9.1", "UID" => "0.9.2342.19200300.100.1.1", "DC" => "0.9.2342.19200300.100.1.25",
      "subjectKeyIdentifier" => "2.5.29.14", "keyUsage" => "2.5.29.15", "subjectAltName" => "2.5.29.17", "issuerAltName" => "2.5.29.18", "basicConstraints" => "2.5.29.19", "crlNumber" => "2.5.29.20", "CRLReason" => "2.5.29.21", "invalidityDate" => "2.5.29.24", "deltaCRL" => "2.5.29.27", "issuingDistributionPoint" => "2.5.29.28",
      "nameConstraints" => "2.5.29.30", "crlDistributionPoints" => "2.5.29.31", "certificatePolicies" => "2.5.29.32", "policyConstraints" => "2.5.29.36",
      "freshestCRL" => "2.5.29.46", "inhibitAnyPolicy" => "2.5.29.54", "subjectInfoAccess" => "1.3.6.1.5.5.7.1.11", "tlsfeature" => "1.3.6.1.5.5.7.1.24", "nsCertType" => "2.16.840.1.113730.1.1", "authorityKeyIdentifier" => "2.5.29.35", "extendedKeyUsage" => "2.5.29.37",
      "authorityInfoAccess" => "1.3.6.1.5.5.7.1.1", "serverAuth" => "1.3.6.1.5.5.7.3.1", "clientAuth" => "1.3.6.1.5.5.7.3.2", "codeSigning" => "1.3.6.1.5.5.7.3.3", "emailProtection" => "1.3.6.1.5.5.7.3.4",
      "timeStamping" => "1.3.6.1.5.5.7.3.8", "OCSPSigning" => "1.3.6.1.5.5.7.3.9", "extReq" => "1.2.840.113549.1.9.14", "nsComment" => "2.16.840.1.113730.1.13", "PBES2" => "1.2.840.113549.1.5.13",
      "PBKDF2" => "1.2.840.113549.1.5.12", "hmacWithSHA1" => "1.2.840.113549.2.7", "hmacWithSHA256" => "1.2.840.113549.2.9", "hmacWithSHA512" => "1.2.840.113549.2.11",
      "aes-128-cbc" => "2.16.840.1.101.3.4.1.2", "aes-192-cbc" => "2.16.840.1.101.3.4.1.22", "aes-256-cbc" => "2.16.840.1.101.3.4.1.42"
    }
    NAMES = OIDS.invert
    LONG_NAMES = {
      "CN" => "commonName", "C" => "countryName", "L" => "localityName", "ST" => "stateOrProvinceName", "O" => "organizationName", "OU" => "organizationalUnitName", "SN" => "surname", "GN" => "givenName",
      "DC" => "domainComponent", "UID" => "userId", "RSA-SHA1" => "sha1WithRSAEncryption", "RSA-SHA256" => "sha256WithRSAEncryption", "RSA-SHA384" => "sha384WithRSAEncryption",
      "RSA-SHA512" => "sha512WithRSAEncryption", "RSA-SHA224" => "sha224WithRSAEncryption", "RSA-MD5" => "md5WithRSAEncryption", "subjectAltName" => "X509v3 Subject Alternative Name"
    }

    # A value with its tag; `tag_class` is :UNIVERSAL or :CONTEXT_SPECIFIC.
    class ASN1Data
      attr_accessor :value, :tag, :tag_class, :indefinite_length
      def initialize(value, tag, tag_class)
        @value, @tag, @tag_class = value, tag, tag_class
      end
      def constructed? = @value.is_a?(Array)
      def to_der
        body = constructed? ? @value.map(&:to_der).join.b : content
        ASN1.wrap(tag_byte, body)
      end
      def tag_byte = { UNIVERSAL: 0, APPLICATION: 0x40, CONTEXT_SPECIFIC: 0x80, PRIVATE: 0xc0 }.fetch(@tag_class) | (constructed? ? 0x20 : 0) | @tag
      def content = @value.to_s.b
      private :tag_byte, :content
    end

    # Values of the universal types, which may have a tag of their own instead of the type's (:IMPLICIT) or around it (:EXPLICIT).
    module Tagged
      attr_accessor :tagging

      def initialize(value, tag = universal, tagging = nil, tag_class = nil)
        super(value, tag || universal, tag_class || (tagging ? :CONTEXT_SPECIFIC : :UNIVERSAL))
        @tagging = tagging
      end

      def to_der
        body = constructed? ? @value.map(&:to_der).join.b : content
        return ASN1.wrap(tag_byte, body) unless @tagging == :EXPLICIT
        ASN1.wrap(tag_byte | 0x20, ASN1.wrap(universal | (constructed? ? 0x20 : 0), body))
      end

      private

      def universal = self.class.const_defined?(:TAG) ? self.class::TAG : @tag
    end

    class Primitive < ASN1Data
      include Tagged
      attr_accessor :unused_bits
      def initialize(*)
        super
        @unused_bits = 0
      end

      private

      def content
        case universal
        when BOOLEAN then (@value ? "\xff" : "\0").b
        when INTEGER, ENUMERATED then ASN1.integer(@value.to_i)
        when BIT_STRING then [@unused_bits].pack("C") + @value.b
        when NULL then "".b
        when OBJECT then ASN1.oid_bytes(ASN1.dotted(@value))
        when UTCTIME then @value.getutc.strftime("%y%m%d%H%M%SZ").b
        when GENERALIZEDTIME then @value.getutc.strftime("%Y%m%d%H%M%SZ").b
        else @value.to_s.b
        end
      end
    end

    class Constructive < ASN1Data
      include Tagged
      include Enumerable
      def each(&block) = @value.each(&block)
    end

    { Boolean: BOOLEAN, Integer: INTEGER, Enumerated: ENUMERATED, BitString: BIT_STRING, OctetString: OCTET_STRING, Null: NULL, ObjectId: OBJECT, UTF8String: UTF8STRING, NumericString: NUMERICSTRING,
      PrintableString: PRINTABLESTRING, T61String: T61STRING, IA5String: IA5STRING, UTCTime: UTCTIME, GeneralizedTime: GENERALIZEDTIME, BMPString: BMPSTRING }.each do |name, tag|
      const_set(name, Class.new(Primitive) { const_set(:TAG, tag) })
      define_singleton_method(name) { |value = nil, *rest| const_get(name).new(value, *(rest.empty? ? [] : rest)) }
    end
    { Sequence: SEQUENCE, Set: SET }.each do |name, tag|
      const_set(name, Class.new(Constructive) { const_set(:TAG, tag) })
      define_singleton_method(name) { |value, *rest| const_get(name).new(value, *rest) }
    end
    class ObjectId
      # Names of an identifier that the library does not know.
      def self.register(oid, short, long)
        raise ASN1Error, "invalid digit" unless oid.match?(/\A\d+(\.\d+)+\z/)
        raise ASN1Error, "oid exists" if NAMES.key?(oid) || OIDS.key?(short)
        OIDS[short] = oid
        NAMES[oid] = short
        LONG_NAMES[short] = long
        true
      end

      def oid = ASN1.dotted(@value)
      def sn = ASN1::NAMES[oid]
      alias short_name sn
      def ln = ASN1::LONG_NAMES.fetch(sn, sn)
      alias long_name ln
    end

    class << self
      def context(tag, value) = ASN1Data.new(value, tag, :CONTEXT_SPECIFIC)
      def dotted(name) = name.match?(/\A\d+(\.\d+)+\z/) ? name : OIDS[name] || OIDS[LONG_NAMES.key(name)] || raise(ASN1Error, "unknown object name: #{name}")
      def name_of(oid) = NAMES.fetch(oid, oid)

      def wrap(tag, body)
        size = body.bytesize
        length = size < 128 ? [size].pack("C") : [size.to_s(16).then { |hex| hex.size.odd? ? "0#{hex}" : hex }].pack("H*").then { |bytes| [0x80 | bytes.bytesize].pack("C") + bytes }
        [tag].pack("C") + length + body.b
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

      def oid_bytes(dotted)
        first, second, *rest = dotted.split(".").map(&:to_i)
        [first * 40 + second, *rest].flat_map do |number|
          parts = [number & 0x7f]
          parts.unshift((number & 0x7f) | 0x80) while (number >>= 7) > 0
          parts
        end.pack("C*")
      end

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

      def decode(der)
        der = der.to_der if der.respond_to?(:to_der)
        made, rest = read(der.b)
        raise ASN1Error, "Type mismatch. Total bytes read: #{der.bytesize - rest.bytesize} Bytes available: #{der.bytesize}" unless rest.empty?
        made
      end

      def decode_all(der)
        rest = der.b
        all = []
        until rest.empty?
          made, rest = read(rest)
          all << made
        end
        all
      end

      def read(der, depth = 0)
        raise ASN1Error, "too deep" if depth > 100
        raise ASN1Error, "header too long" if der.bytesize < 2
        tag, length = der.getbyte(0), der.getbyte(1)
        start = 2
        if length > 127
          count = length & 0x7f
          raise ASN1Error, "header too long" if count == 0 || count > 8 || der.bytesize < 2 + count
          length = der.byteslice(2, count).unpack1("H*").hex
          start += count
        end
        raise ASN1Error, "too long" if start + length > der.bytesize
        [element(tag, der.byteslice(start, length), depth), der.byteslice(start + length..)]
      end

      private

      def element(tag, body, depth)
        number = tag & 0x1f
        raise ASN1Error, "high tag numbers are not supported" if number == 31
        if tag & 0x20 != 0
          list = []
          until body.empty?
            made, body = read(body, depth + 1)
            list << made
          end
          return ASN1Data.new(list, number, tag & 0xc0 == 0x80 ? :CONTEXT_SPECIFIC : :APPLICATION) if tag & 0xc0 != 0
          return Sequence.new(list) if number == SEQUENCE
          return Set.new(list) if number == SET
          return Constructive.new(list, number)
        end
        return ASN1Data.new(body, number, tag & 0xc0 == 0x80 ? :CONTEXT_SPECIFIC : :APPLICATION) if tag & 0xc0 != 0
        primitive(number, body)
      end

      def primitive(tag, body)
        case tag
        when BOOLEAN then Boolean.new(body != "\0".b)
        when INTEGER then Integer.new(BN.new(signed(body)))
        when ENUMERATED then Enumerated.new(BN.new(signed(body)))
        when BIT_STRING then BitString.new(body.byteslice(1..).to_s).tap { |bits| bits.unused_bits = body.getbyte(0).to_i }
        when OCTET_STRING then OctetString.new(body)
        when NULL then Null.new(nil)
        when OBJECT then ObjectId.new(name_of(oid_text(body)))
        when UTF8STRING then UTF8String.new(body.dup.force_encoding("UTF-8"))
        when PRINTABLESTRING then PrintableString.new(body)
        when IA5STRING then IA5String.new(body)
        when UTCTIME then UTCTime.new(time(body, 2))
        when GENERALIZEDTIME then GeneralizedTime.new(time(body, 4))
        when BMPSTRING then BMPString.new(body)
        when T61STRING then T61String.new(body)
        else Primitive.new(body, tag)
        end
      end

      def signed(body)
        value = body.unpack1("H*").hex
        body.getbyte(0).to_i > 127 ? value - (1 << (8 * body.bytesize)) : value
      end

      def time(body, width)
        match = /\A(\d{#{width}})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z\z/.match(body) or raise ASN1Error, "bad time"
        year = match[1].to_i
        year += year < 50 ? 2000 : 1900 if width == 2
        Time.utc(year, match[2].to_i, match[3].to_i, match[4].to_i, match[5].to_i, match[6].to_i)
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
