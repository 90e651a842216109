module OpenSSL
  # Contents that are encrypted for the holders of certificates, or signed.
  class PKCS7
    TEXT = 0x1
    NOCERTS = 0x2
    NOSIGS = 0x4
    NOCHAIN = 0x8
    NOINTERN = 0x10
    NOVERIFY = 0x20
    DETACHED = 0x40
    BINARY = 0x80
    NOATTR = 0x100
    NOSMIMECAP = 0x200

    # The types by their object identifiers.
    TYPES = {
      "1.2.840.113549.1.7.1" => :data, "1.2.840.113549.1.7.2" => :signed, "1.2.840.113549.1.7.3" => :enveloped,
      "1.2.840.113549.1.7.4" => :signedAndEnveloped, "1.2.840.113549.1.7.5" => :digest, "1.2.840.113549.1.7.6" => :encrypted
    }.freeze
    private_constant :TYPES

    # Whose certificate a part of the structure names.
    module Named
      private

      def name_certificate(issuer, serial)
        @issuer, @serial = issuer, serial
      end

      def read_name(node)
        issuer, serial = node.value[1].value
        name_certificate(X509::Name.new(issuer.to_der), serial.value)
      end
    end
    private_constant :Named

    # Who signed, or is to sign.
    class SignerInfo
      include Named
      attr_reader :issuer, :serial, :signed_time, :__given

      def initialize(certificate = nil, key = nil, digest = nil)
        @__given = [certificate, key, digest]
        name_certificate(certificate.issuer, certificate.serial) if certificate
      end

      def self.__read(node)
        made = allocate
        made.__send__(:read_name, node)
        time = node.value.find { |part| part.tag_class == :CONTEXT_SPECIFIC && part.tag.zero? }&.value&.find { |each| each.value[0].oid == "1.2.840.113549.1.9.5" }
        made.instance_variable_set(:@signed_time, time&.value&.at(1)&.value&.first&.value)
        made
      end
      alias name issuer
    end
    Signer = SignerInfo

    # Who can decrypt.
    class RecipientInfo
      include Named
      attr_reader :issuer, :serial, :enc_key, :__certificate

      def initialize(certificate)
        @__certificate = certificate
        name_certificate(certificate.issuer, certificate.serial)
      end

      def self.__read(node)
        made = allocate
        made.__send__(:read_name, node)
        made.instance_variable_set(:@enc_key, node.value.last.value)
        made
      end
    end

    attr_reader :data
    attr_accessor :error_string

    class << self
      def encrypt(certificates, data, cipher = nil, flags = 0)
        name = cipher.respond_to?(:name) ? cipher.name : cipher || "RC2-40-CBC"
        __of(Native.encrypt(certificates.map(&:to_der), data, name, flags), data)
      end

      def sign(certificate, key, data, certificates = nil, flags = 0)
        __of(Native.sign(certificate.to_der, key, data, (certificates || []).map(&:to_der), flags), data)
      end

      def read_smime(text)
        der, content = Native.read_smime(text)
        __of(der, content)
      end
      def write_smime(pkcs7, data = nil, flags = 0)
        data ||= pkcs7.data
        flags |= DETACHED if pkcs7.detached?
        Native.write_smime(pkcs7.to_der, data.to_s, flags)
      end

      def __of(der, data = nil)
        made = allocate
        made.instance_variable_set(:@der, der)
        made.instance_variable_set(:@data, data)
        made
      end
    end

    def initialize(source = nil)
      @parts = { type: nil, signers: [], recipients: [], certificates: [], crls: [], cipher: nil, detached: false }
      return if source.nil?
      bytes = source.respond_to?(:to_der) ? source.to_der : (source.respond_to?(:read) ? source.read : source.to_str)
      return @der = bytes.b if Native.check(bytes)
      read = Native.from_pem(bytes)
      raise ArgumentError, "Could not parse the PKCS7: #{read}" if read.is_a?(Symbol)
      @der = read
    end

    def initialize_copy(other)
      @der = other.to_der
    end

    def type
      @der ? TYPES[tree.value[0].oid] : @parts[:type]
    end
    def type=(type)
      type = type.to_sym
      raise ArgumentError, "unknown PKCS7 type #{type}" unless TYPES.value?(type)
      @parts[:type] = type
    end

    def detached? = @der ? type == :signed && content.value[2].value.size < 2 : @parts[:detached]
    def detached = detached?
    def detached=(flag)
      raise ArgumentError, "must specify a boolean" unless [true, false].include?(flag)
      @parts[:detached] = flag
    end

    def certificates
      return (@parts[:certificates] unless @parts[:certificates].empty?) unless @der
      signed_set(0)&.map { |each| X509::Certificate.new(each.to_der) }
    end
    def crls
      return (@parts[:crls] unless @parts[:crls].empty?) unless @der
      signed_set(1)&.map { |each| X509::CRL.new(each.to_der) }
    end
    def certificates=(list)
      @parts[:certificates] = list.to_a.dup
    end
    def crls=(list)
      @parts[:crls] = list.to_a.dup
    end
    def signers
      return @parts[:signers] unless @der
      type == :signed ? content.value.last.value.map { |node| SignerInfo.__read(node) } : []
    end
    def recipients
      return @parts[:recipients] unless @der
      type == :enveloped ? content.value[1].value.map { |node| RecipientInfo.__read(node) } : []
    end

    def add_signer(signer)
      @parts[:signers] << signer
      self
    end
    def add_recipient(recipient)
      @parts[:recipients] << recipient
      self
    end
    def add_certificate(certificate)
      @parts[:certificates] << certificate
      self
    end
    def add_crl(crl)
      @parts[:crls] << crl
      self
    end
    def cipher=(cipher)
      @parts[:cipher] = cipher
    end
    def add_data(data)
      @der = made(data.respond_to?(:read) ? data.read : data)
      data
    end

    alias data= add_data

    def decrypt(key, certificate = nil, flags = 0) = Native.decrypt(to_der, key, certificate&.to_der, flags)

    def verify(certificates, store, indata = nil, flags = 0)
      indata ||= @data if detached?
      found = Native.verify(to_der, (certificates || []).map(&:to_der), store.__send__(:settings), indata, flags)
      return (@error_string = found.to_s) && false if found.is_a?(Symbol)
      @error_string = nil
      @data = found
      true
    end

    def to_der
      @der or raise PKCS7Error, "no content"
    end
    def to_pem = Native.to_pem(to_der)
    alias to_s to_pem

    private

    def tree = ASN1.decode(to_der)
    def content = tree.value[1].value[0]
    def signed_set(tag)
      return nil unless type == :signed
      content.value.find { |part| part.tag_class == :CONTEXT_SPECIFIC && part.tag == tag }&.value
    end

    # The structure of what was put together.
    def made(data)
      case @parts[:type]
      when :signed
        certificate, key, = @parts[:signers].first&.__given
        raise PKCS7Error, "no signer" unless certificate
        raise PKCS7Error, "several signers are not supported here" if @parts[:signers].size > 1
        others = @parts[:certificates].reject { |each| each.to_der == certificate.to_der }
        flags = BINARY | (@parts[:detached] ? DETACHED : 0) | (@parts[:certificates].empty? ? NOCERTS : 0)
        Native.sign(certificate.to_der, key, data, others.map(&:to_der), flags)
      when :enveloped
        cipher = @parts[:cipher] or raise PKCS7Error, "no cipher"
        Native.encrypt(@parts[:recipients].map { |each| each.__certificate.to_der }, data, cipher.respond_to?(:name) ? cipher.name : cipher, BINARY)
      else raise PKCS7Error, "unsupported content type"
      end
    end
  end
end
