# Signed gems: keys, certificates, and policies that say which signatures are good enough. The cryptography is OpenSSL's.
require "openssl"
require "rubygems/exceptions"

module Gem
  HAVE_OPENSSL = true unless const_defined?(:HAVE_OPENSSL, false)

  module Security
    class Exception < Gem::Exception; end

    DIGEST_NAME = "SHA256"
    DEFAULT_KEY_ALGORITHM = "RSA"
    RSA_DSA_KEY_LENGTH = 3072
    EC_NAME = "secp384r1"
    KEY_CIPHER = OpenSSL::Cipher.new("AES-256-CBC")
    ONE_DAY = 86_400
    ONE_YEAR = ONE_DAY * 365
    EXTENSIONS = { "basicConstraints" => "CA:FALSE", "keyUsage" => "keyEncipherment,dataEncipherment,digitalSignature", "subjectKeyIdentifier" => "hash" }.freeze

    class << self
      def create_digest(algorithm = DIGEST_NAME) = OpenSSL::Digest.new(algorithm)
      def create_key(algorithm)
        case algorithm.downcase
        when "rsa" then OpenSSL::PKey::RSA.new(RSA_DSA_KEY_LENGTH)
        when "dsa" then OpenSSL::PKey::DSA.new(RSA_DSA_KEY_LENGTH)
        when "ec" then OpenSSL::PKey::EC.generate(EC_NAME)
        else raise Exception, "#{algorithm} algorithm not found. RSA, DSA, and EC algorithms are supported."
        end
      end
      def get_public_key(key) = OpenSSL::PKey.read(key.public_to_der)

      # `ann@gems.example` as the name of a certificate's subject.
      def email_to_name(email_address)
        user, host = email_address.gsub(/[^\w@.-]+/i, "_").split("@")
        OpenSSL::X509::Name.new([["CN", user], *host.split(".").map { |part| ["DC", part] }])
      end
      # What a certificate's extension says of its subject or issuer, else that name.
      def alt_name_or_x509_entry(certificate, entry) = extension(certificate, "#{entry}AltName") || certificate.public_send(entry)
      def extension(certificate, name) = certificate.extensions.find { |each| each.oid == name }&.value

      # Not signed yet.
      def create_cert(subject, key, age = ONE_YEAR, extensions = EXTENSIONS, serial = 1)
        OpenSSL::X509::Certificate.new.tap do |made|
          made.public_key = get_public_key(key)
          made.version, made.serial, made.subject = 2, serial, subject
          made.not_before = Time.now
          made.not_after = Time.now + age
          factory = OpenSSL::X509::ExtensionFactory.new(nil, made)
          made.extensions = extensions.map { |name, value| factory.create_extension(name, value) }
        end
      end
      def create_cert_email(email, key, age = ONE_YEAR, extensions = EXTENSIONS)
        create_cert_self_signed(email_to_name(email), key, age, extensions.merge("subjectAltName" => "email:#{email}"))
      end
      def create_cert_self_signed(subject, key, age = ONE_YEAR, extensions = EXTENSIONS, serial = 1)
        certificate = create_cert(subject, key, age, extensions)
        sign(certificate, key, certificate, age, extensions, serial)
      end

      # A certificate with the subject and key of another, signed.
      def sign(certificate, signing_key, signing_cert, age = ONE_YEAR, extensions = EXTENSIONS, serial = 1)
        names = { "subjectAltName" => extension(certificate, "subjectAltName"), "issuerAltName" => extension(signing_cert, "subjectAltName") }.compact
        signed = create_cert(certificate.subject, certificate.public_key, age, extensions.merge(names), serial)
        signed.issuer = signing_cert.subject
        signed.sign(signing_key, DIGEST_NAME)
      end

      # A new time for a certificate that its own key has signed.
      def re_sign(expired_certificate, private_key, age = ONE_YEAR, extensions = EXTENSIONS)
        raise Exception, "incorrect signing key for re-signing #{expired_certificate.subject}" unless expired_certificate.check_private_key(private_key)
        unless expired_certificate.subject.to_s == expired_certificate.issuer.to_s
          subject, issuer = %i[subject issuer].map { |entry| alt_name_or_x509_entry(expired_certificate, entry) }
          raise Exception, "#{subject} is not self-signed, contact #{issuer} to obtain a valid certificate"
        end
        create_cert_self_signed(expired_certificate.subject, private_key, age, extensions, expired_certificate.serial + 1)
      end

      # Certificates that the user trusts.
      def trust_dir = @trust_dir ||= TrustDir.new(File.join(Gem.user_home, ".gem", "trust"))
      def trusted_certificates(&) = trust_dir.each_certificate(&)
      def reset
        @trust_dir = nil
      end

      # Writes a key or a certificate as PEM, readable by its owner only; with a passphrase it is encrypted.
      def write(pemmable, path, permissions = 0o600, passphrase = nil, cipher = KEY_CIPHER)
        path = File.expand_path(path)
        text = passphrase && cipher ? pemmable.to_pem(cipher, passphrase) : pemmable.to_pem
        File.open(path, "wb", permissions) { |file| file.write(text) }
        path
      end
    end

    # Certificates in a folder, each in a file that is named by its subject.
    class TrustDir
      DEFAULT_PERMISSIONS = { trust_dir: 0o700, trusted_cert: 0o600 }.freeze
      attr_reader :dir

      def initialize(dir, permissions = DEFAULT_PERMISSIONS)
        @dir, @permissions = dir, permissions
      end

      def name_path(name) = File.join(@dir, "cert-#{Security.create_digest.hexdigest(name.to_s)}.pem")
      def cert_path(certificate) = name_path(certificate.subject)
      def load_certificate(path) = OpenSSL::X509::Certificate.new(File.read(path))
      def issuer_of(certificate)
        path = name_path(certificate.issuer)
        load_certificate(path) if File.exist?(path)
      end
      def each_certificate
        return enum_for(__method__) unless block_given?
        Dir[File.join(@dir, "*.pem")].each do |path|
          yield load_certificate(path), path
        rescue OpenSSL::X509::CertificateError
          next
        end
      end

      def trust_cert(certificate)
        verify
        File.open(cert_path(certificate), "wb", 0o600) do |file|
          file.write(certificate.to_pem)
          file.chmod(@permissions[:trusted_cert])
        end
      end

      # Others must not be able to add certificates.
      def verify
        require "fileutils"
        return FileUtils.mkdir_p(@dir, mode: @permissions[:trust_dir]) unless File.exist?(@dir)
        raise Exception, "trust directory #{@dir} is not a directory" unless File.directory?(@dir)
        FileUtils.chmod(0o700, @dir)
      end
    end

    autoload :Policy, "rubygems/security/policy"
    autoload :Signer, "rubygems/security/signer"
    %i[NoSecurity AlmostNoSecurity LowSecurity MediumSecurity HighSecurity SigningPolicy Policies].each { |name| autoload(name, "rubygems/security/policy") }
  end
end
