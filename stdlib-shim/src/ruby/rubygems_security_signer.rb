# Signs the parts of a gem with a key, for which a chain of certificates speaks.
require "rubygems/security"
require "rubygems/user_interaction"

module Gem
  module Security
    class Signer
      include UserInteraction

      DEFAULT_OPTIONS = { expiration_length_days: 365 }.freeze
      attr_accessor :cert_chain, :key
      attr_reader :digest_algorithm, :digest_name, :options

      # Gives a certificate that has expired a new time; the old one is kept beside the user's own.
      def self.re_sign_cert(expired_cert, expired_cert_path, private_key)
        return unless expired_cert.not_after < Time.now
        kept = place_of_expired(expired_cert, expired_cert_path)
        Security.write(expired_cert, kept)
        Security.write(Security.re_sign(expired_cert, private_key, ONE_DAY * Gem.configuration.cert_expiration_length_days), expired_cert_path)
        yield(expired_cert_path, kept) if block_given?
      end
      def self.place_of_expired(certificate, path) = File.join(Gem.user_home, ".gem", "#{File.basename(path)}.expired.#{certificate.not_after.strftime("%Y%m%d%H%M%S")}")

      # `key` and the certificates may be names of files; the user's own are taken if none are given.
      def initialize(key, cert_chain, passphrase = nil, options = {})
        @passphrase, @options = passphrase, DEFAULT_OPTIONS.merge(options)
        @digest_name, @digest_algorithm = DIGEST_NAME, Security.create_digest
        @key = key || own(Gem.default_key_path)
        @key = OpenSSL::PKey.read(File.read(@key), passphrase) unless @key.nil? || @key.is_a?(OpenSSL::PKey::PKey)
        @cert_chain = cert_chain || [own(Gem.default_cert_path)].compact.then { |list| list unless list.empty? }
        return unless @cert_chain
        @cert_chain = @cert_chain.compact.map { |each| certificate(each) }
        load_cert_chain
      end

      # Whom a certificate is of.
      def extract_name(cert) = Security.extension(cert, "subjectAltName")&.delete_prefix("email:") || cert.subject

      # Puts the issuers that the user trusts before the certificates, up to the root.
      def load_cert_chain
        return if @cert_chain.empty?
        until @cert_chain.first.issuer.to_s == @cert_chain.first.subject.to_s
          issuer = Security.trust_dir.issuer_of(@cert_chain.first) or break
          @cert_chain.unshift(issuer)
        end
      end

      # The signature of a digest; nil without a key.
      def sign(data)
        return unless @key
        raise Exception, "no certs provided" if @cert_chain.nil? || @cert_chain.empty?
        if @cert_chain.one? && @cert_chain.last.not_after < Time.now
          alert("Your certificate has expired, trying to re-sign it...")
          re_sign_key(expiration_length: ONE_DAY * @options[:expiration_length_days])
        end
        SigningPolicy.verify(@cert_chain, @key, {}, {}, extract_name(@cert_chain.last))
        @key.sign(@digest_algorithm.class.new(@digest_name), data)
      end

      # Only where key and certificate are the user's own files.
      def re_sign_key(expiration_length: ONE_YEAR)
        old = @cert_chain.last
        key_path, cert_path = Gem.default_key_path, Gem.default_cert_path
        return unless File.exist?(key_path) && File.exist?(cert_path)
        return unless OpenSSL::PKey.read(File.read(key_path), @passphrase).to_pem == @key.to_pem && File.read(cert_path) == old.to_pem
        kept = Signer.place_of_expired(old, cert_path)
        return if File.exist?(kept)
        Security.write(old, kept)
        renewed = Security.re_sign(old, @key, expiration_length)
        Security.write(renewed, cert_path)
        alert("Your cert: #{cert_path} has been auto re-signed with the key: #{key_path}")
        alert("Your expired cert will be located at: #{kept}")
        @cert_chain = [renewed]
      end

      private

      def own(path) = (path if File.exist?(path))
      def certificate(given)
        return given if given.is_a?(OpenSSL::X509::Certificate)
        OpenSSL::X509::Certificate.new(File.exist?(given) ? File.read(given) : given)
      end
    end
  end
end
