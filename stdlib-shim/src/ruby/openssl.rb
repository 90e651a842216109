require "digest"

module OpenSSL
  class OpenSSLError < StandardError; end

  class Digest < ::Digest::Base
    class DigestError < OpenSSLError; end
    %w(MD5 SHA1 SHA224 SHA256 SHA384 SHA512).each { |name| const_set(name, Class.new(self)) }
    def self.digest(name, data) = new(name).update(data).digest
    def self.hexdigest(name, data) = new(name).update(data).hexdigest
  end

  class HMAC
    def self.digest(digest, key, data) = new(key, digest).update(data).digest
    def self.hexdigest(digest, key, data) = new(key, digest).update(data).hexdigest

    def initialize(key, digest)
      @digest = digest.is_a?(String) ? Digest.new(digest) : digest
      size = @digest.block_length
      key = @digest.digest(key) if key.bytesize > size
      @key = key.b.ljust(size, "\0")
      @data = String.new(encoding: "BINARY")
    end

    def update(data)
      @data << data.b
      self
    end
    alias << update

    def digest
      inner = @digest.digest(@key.bytes.map { |byte| byte ^ 0x36 }.pack("C*") + @data)
      @digest.digest(@key.bytes.map { |byte| byte ^ 0x5c }.pack("C*") + inner)
    end

    def hexdigest = digest.unpack1("H*")
    alias to_s hexdigest
  end

  module Random
    def self.random_bytes(count)
      require "securerandom"
      SecureRandom.random_bytes(count)
    end

    def self.bytes(count) = random_bytes(count)
  end

  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1
    class SSLError < OpenSSLError; end
  end
end
