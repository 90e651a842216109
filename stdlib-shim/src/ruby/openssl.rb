# OpenSSL: digests, HMAC, ciphers, random numbers, big numbers, constants of SSL. Keys are in pkey, certificates in x509.
require "digest"
require "openssl/native"

module OpenSSL
  VERSION = "3.0.1"
  OPENSSL_VERSION = "OpenSSL 3.0.13 30 Jan 2024"
  OPENSSL_LIBRARY_VERSION = OPENSSL_VERSION
  OPENSSL_VERSION_NUMBER = 0x300000d0
  OPENSSL_FIPS = true

  class OpenSSLError < StandardError; end

  class << self
    attr_accessor :debug
    def Digest(name) = Digest.const_get(name)
    def fips_mode = false
    def errors = []

    # Compares without telling by time where strings differ.
    def fixed_length_secure_compare(left, right)
      left, right = [left, right].map { |each| String.try_convert(each) || raise(TypeError, "no implicit conversion of #{each.nil? ? "nil" : each.class} into String") }
      raise ArgumentError, "inputs must be of equal length" unless left.bytesize == right.bytesize
      left.bytes.zip(right.bytes).reduce(0) { |sum, (a, b)| sum | (a ^ b) } == 0
    end
    def secure_compare(left, right) = fixed_length_secure_compare(Digest.digest("SHA256", left), Digest.digest("SHA256", right)) && left == right
  end

  class Digest
    class DigestError < OpenSSLError; end
    %w(MD5 SHA1 SHA224 SHA256 SHA384 SHA512 RIPEMD160).each do |name|
      each = const_set(name, Class.new(self) { define_method(:initialize) { |data = nil| super(name, data) } })
      each.define_singleton_method(:digest) { |data| new.digest(data) }
      each.define_singleton_method(:hexdigest) { |data| new.hexdigest(data) }
    end
    def self.digest(name, data) = new(name).digest(data)

    # The name of a digest given as a name or an object.
    def self.name_of(digest) = (digest.is_a?(Digest) ? digest : new(digest)).name

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

  class HMACError < OpenSSLError; end
  class HMAC
    def self.digest(digest, key, data) = Native.hmac(Digest.name_of(digest), key, data)
    def self.hexdigest(digest, key, data) = digest(digest, key, data).unpack1("H*")
    def self.base64digest(digest, key, data) = [digest(digest, key, data)].pack("m0")

    def initialize(key, digest)
      @digest, @key = Digest.name_of(digest), key.b
      reset
    end
    def initialize_copy(other)
      super
      @data = @data.dup
    end
    def update(data)
      @data << data.b
      self
    end
    alias << update
    def reset
      @data = String.new(encoding: "BINARY")
      self
    end
    def digest = Native.hmac(@digest, @key, @data)
    def hexdigest = digest.unpack1("H*")
    alias to_s hexdigest
    alias inspect hexdigest
    def base64digest = [digest].pack("m0")
    def ==(other) = other.is_a?(HMAC) && digest == other.digest
  end

  module Random
    class RandomError < OpenSSLError; end
    module_function
    def random_bytes(count)
      require "securerandom"
      SecureRandom.random_bytes(count)
    end
    def bytes(count) = random_bytes(count)
    def pseudo_bytes(count) = random_bytes(count)
    def seed(text) = text
    def status? = true
  end

  module KDF
    class KDFError < OpenSSLError; end
    module_function
    def pbkdf2_hmac(password, salt:, iterations:, length:, hash:) = Native.pbkdf2(password, salt, iterations, length, Digest.name_of(hash))
    # RFC 7914: PBKDF2 around a mixing that needs much memory.
    def scrypt(password, **options)
      missing = %i(salt N r p length) - options.keys
      raise ArgumentError, "missing keyword#{"s" if missing.size > 1}: #{missing.map(&:inspect).join(", ")}" unless missing.empty?
      cost, r, p, length = options.values_at(:N, :r, :p, :length).pack("q4").unpack("q4")
      password, salt = [password, options[:salt]].map { |each| String.new(each) }
      raise KDFError, "EVP_PBE_scrypt" unless cost > 1 && cost & (cost - 1) == 0 && r > 0 && p > 0
      raise ArgumentError, "negative string size (or size too big)" if length < 0
      blocks = Native.pbkdf2(password, salt, 1, p * 128 * r, "SHA256")
      mixed = (0...p).map { |index| Native.scrypt_mix(blocks.byteslice(index * 128 * r, 128 * r), cost, r) }.join
      Native.pbkdf2(password, mixed, 1, length, "SHA256")
    end

    def hkdf(key, salt:, info:, length:, hash:)
      name = Digest.name_of(hash)
      secret = Native.hmac(name, salt.empty? ? "\0" * Digest.new(name).digest_length : salt, key)
      out = block = "".b
      index = 0
      while out.bytesize < length
        block = Native.hmac(name, secret, block + info.b + [index += 1].pack("C"))
        out += block
      end
      out.byteslice(0, length)
    end
  end

  module PKCS5
    class PKCS5Error < OpenSSLError; end
    module_function
    def pbkdf2_hmac(password, salt, iterations, length, digest) = Native.pbkdf2(password, salt, iterations, length, Digest.name_of(digest))
    def pbkdf2_hmac_sha1(password, salt, iterations, length) = Native.pbkdf2(password, salt, iterations, length, "SHA1")
  end

  # AES in the modes CBC, ECB, CTR and GCM.
  class Cipher
    class CipherError < OpenSSLError; end
    NAMES = /\A(?:aes-?(128|192|256)-?(cbc|ecb|ctr|gcm)|id-aes(128|192|256)-gcm|aes(128|192|256))\z/i
    Cipher = self

    def self.ciphers = %w(128 192 256).flat_map { |size| %w(CBC CTR ECB GCM).flat_map { |mode| ["AES-#{size}-#{mode}", "aes-#{size}-#{mode.downcase}"] } }.sort

    class AES < Cipher
      def initialize(*args) = super(["AES", *args].join("-"))
    end
    %w(128 192 256).each do |size|
      const_set("AES#{size}", Class.new(self) { define_method(:initialize) { |mode = "CBC"| super("AES-#{size}-#{mode}") } })
    end

    attr_reader :auth_data

    def initialize(name)
      match = NAMES.match(name.to_s) or raise RuntimeError, "unsupported cipher algorithm (#{name})"
      @size = (match[1] || match[3] || match[4]).to_i
      @mode = (match[2] || (match[3] ? "gcm" : "cbc")).downcase
      @encrypt = true
      @padding = true
      @iv = "\0".b * iv_len
      start
    end

    def name = @mode == "gcm" ? "id-aes#{@size}-GCM" : "AES-#{@size}-#{@mode.upcase}"
    def key_len = @size / 8
    def iv_len = { "gcm" => 12, "ecb" => 0 }.fetch(@mode, 16)
    def block_size = %w(cbc ecb).include?(@mode) ? 16 : 1
    def authenticated? = @mode == "gcm"

    def encrypt(*)
      @encrypt = true
      start
    end
    def decrypt(*)
      @encrypt = false
      start
    end
    def key=(key)
      raise ArgumentError, "key must be #{key_len} bytes" unless key.bytesize == key_len
      @key = key.b
      start
      key
    end
    def iv=(iv)
      raise ArgumentError, "iv must be #{@iv_len || iv_len} bytes" unless iv.bytesize == (@iv_len || iv_len)
      @iv = iv.b
      start
      iv
    end
    def iv_len=(length)
      raise CipherError, "only nonces of 12 bytes are supported" if length != 12
      @iv_len = length
    end
    def key_len=(length)
      raise CipherError, "invalid key length" unless length == key_len
    end
    def padding=(setting)
      @padding = setting != 0
      setting
    end
    def random_key = self.key = Random.random_bytes(key_len)
    def random_iv = self.iv = Random.random_bytes(iv_len)
    def auth_data=(data)
      raise CipherError, "couldn't set additional authenticated data" unless authenticated?
      @aad = data.b
    end
    def auth_tag=(tag)
      raise CipherError, "unable to set GCM tag" unless authenticated?
      @tag = tag.b
    end
    def auth_tag(length = 16)
      raise CipherError, "retrieving the authentication tag failed" unless authenticated? && @encrypt && @tag
      @tag.byteslice(0, length)
    end
    def auth_tag_len=(length)
      @tag_len = length
    end
    def reset = start
    def pkcs5_keyivgen(password, salt = nil, iterations = 2048, digest = "md5")
      raise ArgumentError, "salt must be an 8-octet string" if salt && salt.bytesize != 8
      material = previous = "".b
      while material.bytesize < key_len + iv_len
        previous = OpenSSL::Digest.digest(digest, previous + password.b + salt.to_s.b)
        (iterations - 1).times { previous = OpenSSL::Digest.digest(digest, previous) }
        material += previous
      end
      self.key = material.byteslice(0, key_len)
      self.iv = material.byteslice(key_len, iv_len) if iv_len > 0
      nil
    end

    def update(data, out = nil)
      raise ArgumentError, "data must not be empty" if data.empty? && !authenticated?
      raise CipherError, "key not set" unless @key
      made = %w(cbc ecb).include?(@mode) ? update_blocks(data.b) : update_stream(data.b)
      out ? out.replace(made) : made
    end
    alias << update

    def final
      raise CipherError, "key not set" unless @key
      return final_gcm if authenticated?
      return "".b if @mode == "ctr"
      made = @encrypt ? final_encrypt : final_decrypt
      start
      made
    end

    def inspect = "#<#{self.class}>"

    private

    def start
      @buffer = "".b
      @done = 0
      @chain = @iv
      @aad = "".b
      @plain = "".b
      @tag = nil
      self
    end

    def blocks(data)
      return "".b if data.empty?
      return Native.ecb(@key, data, @encrypt) if @mode == "ecb"
      made, @chain = Native.cbc(@key, @chain, data, @encrypt)
      made
    end

    # When decrypting with padding the last block stays back: it may be the padding.
    def update_blocks(data)
      @buffer << data
      keep = @buffer.bytesize % 16
      keep = 16 if keep == 0 && !@encrypt && @padding && !@buffer.empty?
      ready = @buffer.byteslice(0, @buffer.bytesize - keep)
      @buffer = @buffer.byteslice(@buffer.bytesize - keep, keep)
      blocks(ready)
    end

    def update_stream(data)
      first = authenticated? ? @iv + [2].pack("N") : @iv
      made = Native.ctr(@key, first, @done, data)
      @done += data.bytesize
      @plain << (@encrypt ? data : made) if authenticated?
      made
    end

    def final_encrypt
      return blocks(@buffer + ([16 - @buffer.bytesize] * (16 - @buffer.bytesize)).pack("C*")) if @padding
      raise CipherError, "wrong final block length" unless @buffer.empty?
      "".b
    end

    def final_decrypt
      unless @padding
        raise CipherError, "wrong final block length" unless @buffer.empty?
        return "".b
      end
      raise CipherError, "wrong final block length" unless @buffer.bytesize == 16
      last = blocks(@buffer)
      count = last.getbyte(-1)
      raise CipherError, "bad decrypt" unless count.between?(1, 16) && last.bytes.last(count).all?(count)
      last.byteslice(0, 16 - count)
    end

    def final_gcm
      _, tag = Native.gcm(@key, @iv, @aad, @plain)
      if @encrypt
        @tag = tag
      elsif @tag.nil? || !OpenSSL.fixed_length_secure_compare(tag.byteslice(0, @tag.bytesize), @tag)
        raise CipherError
      end
      "".b
    end
  end

  # A whole number of any size.
  class BN
    class << self
      def rand(bits, fill = 0, odd = false)
        value = Random.random_bytes((bits + 7) / 8).unpack1("H*").hex & ((1 << bits) - 1)
        value |= 1 << (bits - 1) if fill >= 0
        value |= 1 << (bits - 2) if fill == 1 && bits > 1
        new(odd ? value | 1 : value)
      end
      def rand_range(limit) = new(PrimeNumbers.below(limit.to_i))
      def generate_prime(bits, _safe = true, *) = new(PrimeNumbers.generate(bits))
    end
    include Comparable

    def initialize(value = 0, base = 10)
      @value =
        case value
        when BN then value.to_i
        when Integer then value
        else
          case base
          when 2 then value.unpack1("H*").hex
          when 16 then value.hex
          when 10 then Integer(value, 10)
          when 0 then value.byteslice(4..).unpack1("H*").hex
          else raise ArgumentError, "invalid radix #{base}"
          end
        end
    end

    def to_i = @value
    alias to_int to_i
    def to_bn = self
    def to_s(base = 10)
      case base
      when 2 then [@value.abs.to_s(16).then { |hex| hex.size.odd? ? "0#{hex}" : hex }].pack("H*").then { |bytes| @value == 0 ? "" : bytes }
      when 16 then @value.to_s(16).upcase.then { |hex| hex.delete_prefix("-").size.odd? && @value != 0 ? hex.sub(/\A(-?)/, '\10') : hex }
      when 0 then (bytes = to_s(2)) && (bytes = "\0#{bytes}".b if !bytes.empty? && bytes.getbyte(0) > 127; [bytes.bytesize].pack("N") + bytes)
      else @value.to_s
      end
    end
    %i(+ - * % & | ^ ** << >> gcd).each { |name| define_method(name) { |other| BN.new(@value.__send__(name, other.to_i)) } }
    def /(other) = [BN.new(@value.abs / other.to_i.abs * (@value < 0 ? -1 : 1) * (other.to_i < 0 ? -1 : 1)), BN.new(@value.remainder(other.to_i))]
    def -@ = BN.new(-@value)
    def +@ = self
    def sqr = self * self
    def mod_exp(power, modulus) = BN.new(@value.pow(power.to_i, modulus.to_i))
    def mod_inverse(modulus) = BN.new(PrimeNumbers.inverse(@value, modulus.to_i))
    def mod_add(other, modulus) = BN.new((@value + other.to_i) % modulus.to_i)
    def mod_sub(other, modulus) = BN.new((@value - other.to_i) % modulus.to_i)
    def mod_mul(other, modulus) = BN.new((@value * other.to_i) % modulus.to_i)
    def mod_sqr(modulus) = BN.new((@value * @value) % modulus.to_i)
    def cmp(other) = @value <=> other.to_i
    alias <=> cmp
    def ucmp(other) = @value.abs <=> other.to_i.abs
    def ==(other) = other.respond_to?(:to_i) && @value == other.to_i
    alias === ==
    def eql?(other) = other.is_a?(BN) && self == other
    def hash = @value.hash
    def zero? = @value == 0
    def one? = @value == 1
    def odd? = @value.odd?
    def negative? = @value < 0
    def bit_set?(bit) = @value[bit] == 1
    def num_bits = @value.abs.bit_length
    def num_bytes = (num_bits + 7) / 8
    def prime?(*) = PrimeNumbers.prime?(@value)
    alias prime_fasttest? prime?
    def coerce(other) = [other, @value]
    def copy(other)
      @value = other.to_i
      self
    end
  end

  # Number theory that keys need.
  module PrimeNumbers
    SMALL = (3..1999).step(2).select { |number| (3..Integer.sqrt(number)).step(2).none? { |factor| number % factor == 0 } }.freeze
    PRODUCT = SMALL.reduce(:*)

    module_function

    def below(limit)
      bits = limit.bit_length
      loop do
        value = Random.random_bytes((bits + 7) / 8).unpack1("H*").hex & ((1 << bits) - 1)
        return value if value < limit
      end
    end

    def inverse(value, modulus)
      left, right, a, b = value % modulus, modulus, 1, 0
      while right != 0
        quotient = left / right
        left, right = right, left - quotient * right
        a, b = b, a - quotient * b
      end
      raise BNError, "no inverse" unless left == 1
      a % modulus
    end

    # Miller and Rabin's test with random bases.
    def prime?(number)
      return number == 2 || SMALL.include?(number) if number < 2000
      return false if number.even? || number.gcd(PRODUCT) != 1
      odd = number - 1
      twos = 0
      while odd.even?
        odd >>= 1
        twos += 1
      end
      rounds = number.bit_length > 600 ? 8 : 32
      rounds.times.all? { witness(number, odd, twos) }
    end

    def witness(number, odd, twos)
      value = (2 + below(number - 4)).pow(odd, number)
      return true if value == 1 || value == number - 1
      (twos - 1).times do
        value = value * value % number
        return true if value == number - 1
      end
      false
    end

    # A prime whose two highest bits are set, so that a product of two has all its bits.
    def generate(bits)
      loop do
        candidate = Random.random_bytes((bits + 7) / 8).unpack1("H*").hex & ((1 << bits) - 1)
        candidate |= (3 << (bits - 2)) | 1
        100.times do
          return candidate if prime?(candidate)
          candidate += 2
        end
      end
    end
  end
  private_constant :PrimeNumbers
  class BNError < OpenSSLError; end

  class Config
    DEFAULT_CONFIG_FILE = "/usr/lib/ssl/openssl.cnf"
    class << self
      def load(path) = new(path)
      def parse(text) = new.tap { |config| config.__send__(:read, text) }
    end
    def initialize(path = nil)
      @data = { "default" => {} }
      read(File.read(path)) if path
    end
    def [](section) = @data[section] || {}
    def []=(section, pairs)
      @data[section] = (@data[section] || {}).merge(pairs)
    end
    def get_value(section, key) = (@data[section] || {})[key]
    def add_value(section, key, value) = (@data[section] ||= {})[key] = value
    def sections = @data.keys
    def to_s = @data.map { |name, pairs| "[ #{name} ]\n#{pairs.map { |key, value| "#{key}=#{value}\n" }.join}\n" }.join

    private

    def read(text)
      section = "default"
      text.each_line do |line|
        line = line.sub(/#.*/, "").strip
        if (match = /\A\[\s*(.*?)\s*\]\z/.match(line)) then (section = match[1]; @data[section] ||= {})
        elsif (match = /\A([^=]+?)\s*=\s*(.*)\z/.match(line)) then (@data[section] ||= {})[match[1]] = match[2]
        end
      end
    end
  end

  module X509
    DEFAULT_CERT_FILE = "/usr/lib/ssl/cert.pem"
    DEFAULT_CERT_DIR = "/usr/lib/ssl/certs"
    DEFAULT_CERT_FILE_ENV = "SSL_CERT_FILE"
    DEFAULT_CERT_DIR_ENV = "SSL_CERT_DIR"
    V_OK = 0
  end

  module SSL
    autoload :SSLSocket, "openssl/ssl"
    VERIFY_NONE = 0
    VERIFY_PEER = 1
    VERIFY_FAIL_IF_NO_PEER_CERT = 2
    VERIFY_CLIENT_ONCE = 4
    OP_ALL = 0x80000050
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

    # What a connection is made with; the settings that the TLS library has are passed on.
    class SSLContext
      METHODS = %i(TLS TLSv1 TLSv1_1 TLSv1_2 SSLv23).freeze
      DEFAULT_PARAMS = { min_version: TLS1_VERSION, verify_mode: VERIFY_PEER, verify_hostname: true, options: OP_ALL }.freeze
      attr_accessor :verify_mode, :ca_file, :ca_path, :cert, :key, :cert_store, :options, :ciphers, :min_version, :max_version, :verify_depth, :verify_callback, :ssl_timeout, :timeout, :ssl_version, :verify_hostname, :servername_cb, :alpn_protocols, :session_cache_mode, :extra_chain_cert, :client_ca
      def initialize(version = nil)
        @ssl_version = version
        @verify_mode = nil
      end
      def set_params(params = {})
        DEFAULT_PARAMS.merge(params).each { |key, value| __send__("#{key}=", value) }
        params
      end
    end
  end
end

require "openssl/asn1"
require "openssl/pkey"
require "openssl/x509"
