# OpenSSL: what of digests, HMAC, ciphers and numbers is not native; random numbers, configuration files, constants of SSL. Keys are in pkey,
# certificates in x509.
require "digest"
require "openssl/native"

# What MRI's OpenSSL::SSL loads at once comes here when it is named.
Object.autoload :IPAddr, "ipaddr"
%i[Addrinfo BasicSocket IPSocket Socket SocketError TCPServer TCPSocket UDPSocket UNIXServer UNIXSocket].each { |name| Object.autoload name, "socket" }

module OpenSSL
  VERSION = "3.0.1"
  OPENSSL_VERSION = "OpenSSL 3.0.13 30 Jan 2024"
  OPENSSL_LIBRARY_VERSION = OPENSSL_VERSION
  OPENSSL_VERSION_NUMBER = 0x300000d0
  OPENSSL_FIPS = false

  class << self
    attr_accessor :debug
    def Digest(name) = Digest.const_get(name)
    def fips_mode = false
    def fips_mode=(enabled)
      raise OpenSSLError, "This version of OpenSSL does not support FIPS mode" if enabled
    end
    def errors = []

    def secure_compare(left, right) = fixed_length_secure_compare(Digest.digest("SHA256", left), Digest.digest("SHA256", right)) && left == right
  end

  class Digest
    %w(MD5 SHA1 SHA224 SHA256 SHA384 SHA512 RIPEMD160).each do |name|
      each = const_set(name, Class.new(self) { define_method(:initialize) { |data = nil| super(name, data) } })
      each.define_singleton_method(:digest) { |data| new.digest(data) }
      each.define_singleton_method(:hexdigest) { |data| new.hexdigest(data) }
    end
    def self.digest(name, data) = new(name).digest(data)

    def initialize(name, data = nil)
      name = name.name if name.is_a?(Digest)
      text = String.try_convert(name)
      if text.nil?
        shown = case name when nil then "nil" when ::Digest::Base then "digest" else name.class end
        raise TypeError, "wrong argument type #{shown} (expected OpenSSL/Digest)"
      end
      start(text)
      update(data) if data
    end
  end

  class HMAC
    class << self
      def hexdigest(digest, key, data) = digest(digest, key, data).unpack1("H*")
      def base64digest(digest, key, data) = [digest(digest, key, data)].pack("m0")
    end
    def hexdigest = digest.unpack1("H*")
    alias to_s hexdigest
    alias inspect hexdigest
    def base64digest = [digest].pack("m0")
    def ==(other) = other.is_a?(HMAC) && digest.bytesize == other.digest.bytesize && OpenSSL.fixed_length_secure_compare(digest, other.digest)
  end

  module Random
    class RandomError < OpenSSLError; end
    module_function
    def random_bytes(count) = ::Random.urandom(count)
    def bytes(count) = random_bytes(count)
    def pseudo_bytes(count) = random_bytes(count)
    def seed(text) = text
    def status? = true
  end

  class Cipher
    Cipher = self

    class AES < Cipher
      def initialize(*args) = super(["AES", *args].join("-").downcase)
    end
    { "CAST5" => "cast5", "BF" => "bf", "DES" => "des", "RC2" => "rc2", "RC4" => "rc4" }.each do |name, cipher|
      const_set(name, Class.new(self) { define_method(:initialize) { |*args| super([cipher, *args].join("-").downcase) } })
    end
    %w(128 192 256).each do |size|
      const_set("AES#{size}", Class.new(self) { define_method(:initialize) { |mode = "CBC"| super("aes-#{size}-#{mode}") } })
    end

    alias << update
    def random_key = self.key = Random.random_bytes(key_len)
    def random_iv = self.iv = Random.random_bytes(iv_len)
    def inspect = "#<#{self.class}>"
  end

  class BN
    def pretty_print(q)
      q.object_group(self) { q.text(" #{to_i}") }
    end
  end
  class ::Integer
    def to_bn = OpenSSL::BN.new(self)
  end

  autoload :Config, "openssl/config"

  module X509
    DEFAULT_CERT_FILE = "/usr/lib/ssl/cert.pem"
    DEFAULT_CERT_DIR = "/usr/lib/ssl/certs"
    DEFAULT_CERT_FILE_ENV = "SSL_CERT_FILE"
    DEFAULT_CERT_DIR_ENV = "SSL_CERT_DIR"
    V_OK = 0
  end

  module SSL
    autoload :SSLSocket, "openssl/ssl"
    autoload :SSLServer, "openssl/ssl"

    # Whether a certificate is for a host.
    def self.verify_certificate_identity(certificate, hostname) = X509::Native.host?(certificate.to_der, hostname)

    VERIFY_NONE = 0
    VERIFY_PEER = 1
    VERIFY_FAIL_IF_NO_PEER_CERT = 2
    VERIFY_CLIENT_ONCE = 4
    OP_ALL = 0x80000850
    OP_DONT_INSERT_EMPTY_FRAGMENTS = 0x800
    OP_LEGACY_SERVER_CONNECT = 0x4
    OP_IGNORE_UNEXPECTED_EOF = 0x80
    OP_NO_RENEGOTIATION = 0x40000000
    OP_NO_TICKET = 0x4000
    OP_CIPHER_SERVER_PREFERENCE = 0x400000
    OP_SINGLE_DH_USE = 0
    OP_SINGLE_ECDH_USE = 0
    OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION = 0x40000
    OP_NO_SSLv2 = 0
    OP_NO_SSLv3 = 0x02000000
    OP_NO_TLSv1 = 0x04000000
    OP_NO_TLSv1_2 = 0x08000000
    OP_NO_TLSv1_1 = 0x10000000
    OP_NO_TLSv1_3 = 0x20000000
    OP_NO_COMPRESSION = 0x00020000
    SSL3_VERSION = 0x300
    TLS1_VERSION = 0x301
    TLS1_1_VERSION = 0x302
    TLS1_2_VERSION = 0x303
    TLS1_3_VERSION = 0x304
    class SSLError < OpenSSLError; end
    class SSLErrorWaitReadable < SSLError; end
    class SSLErrorWaitWritable < SSLError; end

    # What a connection is made with.
    class SSLContext
      METHODS = %i(TLS TLS_client TLS_server TLSv1 TLSv1_client TLSv1_server TLSv1_1 TLSv1_1_client TLSv1_1_server TLSv1_2 TLSv1_2_client TLSv1_2_server SSLv23 SSLv23_client SSLv23_server).freeze
      DEFAULT_PARAMS = { min_version: TLS1_VERSION, verify_mode: VERIFY_PEER, verify_hostname: true, options: (OP_ALL & ~OP_DONT_INSERT_EMPTY_FRAGMENTS) | OP_NO_COMPRESSION }
      VERSIONS = { "SSL3" => SSL3_VERSION, "TLS1" => TLS1_VERSION, "TLS1_1" => TLS1_1_VERSION, "TLS1_2" => TLS1_2_VERSION, "TLS1_3" => TLS1_3_VERSION }.freeze
      private_constant :VERSIONS
      attr_accessor :verify_mode, :ca_file, :ca_path, :cert, :key, :cert_store, :options, :verify_depth, :verify_callback, :ssl_timeout, :verify_hostname, :servername_cb, :alpn_protocols, :session_cache_mode, :extra_chain_cert, :client_ca,
                    :session_id_context, :session_cache_size, :session_new_cb, :session_get_cb, :session_remove_cb
      # Names of protocols for an older way to agree on one, which no handshake takes.
      attr_accessor :npn_protocols, :npn_select_cb
      attr_reader :ciphers
      alias timeout ssl_timeout
      alias timeout= ssl_timeout=

      def initialize(version = nil)
        @verify_mode = VERIFY_NONE
        @verify_hostname = false
        @options = OP_ALL | OP_NO_COMPRESSION | 0x100000
        @session_cache_mode = 2
        @session_cache_size = 20_480
        self.ssl_version = version if version
      end

      # The settings that a client should begin with; without certificates to trust among them, the machine's own.
      def set_params(params = {})
        DEFAULT_PARAMS.merge(params).each { |key, value| __send__("#{key}=", value) }
        unless verify_mode == VERIFY_NONE || ca_file || ca_path || cert_store
          self.cert_store = X509::Store.new.tap(&:set_default_paths)
        end
        params
      end

      # A certificate with its key and those that it was signed with.
      def add_certificate(certificate, key, extra_chain_cert = nil)
        raise ArgumentError, "private key does not match certificate" unless certificate.check_private_key(key)
        self.cert = certificate
        self.key = key
        self.extra_chain_cert = extra_chain_cert
        self
      end

      # Whether it was not frozen yet: from now on it cannot be changed.
      def setup
        return nil if frozen?
        freeze
        true
      end

      # Whether the peer's certificate is checked.
      def verifies? = verify_mode.to_i & VERIFY_PEER != 0

      def min_version=(version)
        @min_version = protocol(version)
      end
      def max_version=(version)
        @max_version = protocol(version)
      end
      # One version and no other; the methods without a version mean all.
      def ssl_version=(name)
        return if name.nil?
        text = name.to_s.sub(/_(client|server)\z/, "")
        unless %w(TLS SSLv23).include?(text)
          VERSIONS.key?(text.sub("v", "")) or raise ArgumentError, "unknown SSL method `#{name}'"
          @min_version = @max_version = VERSIONS[text.sub("v", "")]
        end
      end
      def ciphers=(list)
        text = Array(list).map { |each| Array(each).first }.join(":")
        raise SSLError, "SSL_CTX_set_cipher_list: no cipher match" unless Native.ciphers?(text)
        @cipher_list, @ciphers = text, list
      end

      private

      def protocol(version)
        return version if version.nil? || version.is_a?(Integer)
        VERSIONS[version.to_s.sub("v", "")] or raise ArgumentError, "unrecognized version #{version.to_s.inspect}"
      end
    end
  end
end

require "openssl/asn1"
require "openssl/pkey"
require "openssl/x509/core"
require "openssl/pkcs12"
require "openssl/pkcs7"
require "openssl/constants"
OpenSSL.autoload(:Buffering, "openssl/buffering")
OpenSSL::SSL::SSLContext.autoload(:DEFAULT_CERT_STORE, "openssl/default_store")

# The numbers of OCSP; its messages are not made here.
module OpenSSL::OCSP
  OCSPError = Class.new(OpenSSL::OpenSSLError)
  NOCERTS, NOINTERN, NOCHAIN, NOVERIFY, NOEXPLICIT, NOCASIGN, NODELEGATED, NOCHECKS = 1, 2, 8, 16, 32, 64, 128, 256
  TRUSTOTHER, RESPID_KEY, NOTIME, NOSIGS = 512, 1024, 2048, 4
  RESPONSE_STATUS_SUCCESSFUL, RESPONSE_STATUS_MALFORMEDREQUEST, RESPONSE_STATUS_INTERNALERROR, RESPONSE_STATUS_TRYLATER = 0, 1, 2, 3
  RESPONSE_STATUS_SIGREQUIRED, RESPONSE_STATUS_UNAUTHORIZED = 5, 6
  REVOKED_STATUS_NOSTATUS, REVOKED_STATUS_UNSPECIFIED, REVOKED_STATUS_KEYCOMPROMISE, REVOKED_STATUS_CACOMPROMISE = -1, 0, 1, 2
  REVOKED_STATUS_AFFILIATIONCHANGED, REVOKED_STATUS_SUPERSEDED, REVOKED_STATUS_CESSATIONOFOPERATION = 3, 4, 5
  REVOKED_STATUS_CERTIFICATEHOLD, REVOKED_STATUS_REMOVEFROMCRL = 6, 8
  V_CERTSTATUS_GOOD, V_CERTSTATUS_REVOKED, V_CERTSTATUS_UNKNOWN, V_RESPID_NAME, V_RESPID_KEY = 0, 1, 2, 0, 1
end
