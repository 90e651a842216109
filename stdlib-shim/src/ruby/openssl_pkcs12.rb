module OpenSSL
  # A key with its certificates in one file, under a password.
  class PKCS12
    KEY_EX = 0x10
    KEY_SIG = 0x80

    attr_reader :key, :certificate, :ca_certs

    def self.create(pass, name, key, cert, ca = nil, key_pbe = nil, cert_pbe = nil, key_iter = nil, mac_iter = nil, keytype = nil)
      raise ArgumentError, "Unknown key usage type #{keytype}" unless [nil, 0, KEY_EX, KEY_SIG].include?(keytype)

      ders = [cert, *ca].map { |one| one&.to_der }
      new(Native.build(pass, name, key, ders, [key_pbe, cert_pbe, key_iter, mac_iter]), pass)
    end

    def initialize(source = nil, pass = nil)
      return if source.nil?

      @der = (source.respond_to?(:read) ? source.read : source.to_str).b.freeze
      key, certificate, others = Native.parse(@der, pass)
      @key = key && PKey.read(key)
      @certificate = certificate && X509::Certificate.new(certificate)
      @ca_certs = others&.map { |der| X509::Certificate.new(der) }
    end

    def to_der = @der
  end
end
