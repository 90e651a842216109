require "openssl"

class Chef
  module Mixin
    # Keys, certificates and revocation lists, for the resources `openssl_*` and for cookbooks.
    module OpenSSLHelper
      def get_key_filename(certificate)
        folder, name = ::File.split(certificate)
        "#{folder}#{::File::SEPARATOR}#{::File.basename(name, ::File.extname(name))}.key"
      end

      def key_length_valid?(bits) = bits >= 1024 && (bits & (bits - 1)).zero?

      def dhparam_pem_valid?(path)
        ::File.exist?(path) && ::OpenSSL::PKey::DH.new(::File.read(path)).params_ok?
      end

      def priv_key_file_valid?(key, password = nil)
        found = ::OpenSSL::PKey.read(content_of(key), password)
        found.is_a?(::OpenSSL::PKey::EC) ? found.private_key? : found.private?
      rescue ::OpenSSL::PKey::PKeyError, ArgumentError
        false
      end

      def crl_file_valid?(path)
        ::OpenSSL::X509::CRL.new(::File.read(path))
        true
      rescue ::OpenSSL::X509::CRLError, Errno::ENOENT
        false
      end

      def serial_revoked?(crl, serial)
        check_crl(crl)
        must(serial, "serial must be a Ruby String or Integer object", String, Integer)
        number = number_of(serial)
        crl.revoked.any? { |revoked| revoked.serial == number }
      end

      def gen_dhparam(bits, generator)
        check_length(bits)
        must(generator, "Generator must be an integer", Integer)
        ::OpenSSL::PKey::DH.new(bits, generator)
      end

      def gen_rsa_priv_key(bits)
        check_length(bits)
        ::OpenSSL::PKey::RSA.new(bits)
      end

      def gen_rsa_pub_key(key, password = nil) = ::OpenSSL::PKey::RSA.new(content_of(key), password).public_key.to_pem

      def encrypt_rsa_key(key, password, cipher)
        must(key, "rsa_key must be a Ruby OpenSSL::PKey::RSA object", ::OpenSSL::PKey::RSA)
        encrypted(key, password, cipher)
      end

      def gen_ec_priv_key(curve)
        must(curve, "curve must be a string", String)
        raise ArgumentError, "Specified curve is not available on this system" unless %w{prime256v1 secp384r1 secp521r1}.include?(curve)

        ::OpenSSL::PKey::EC.generate(curve)
      end

      def gen_ec_pub_key(key, password = nil) = ::OpenSSL::PKey::EC.new(content_of(key), password).public_to_pem

      def encrypt_ec_key(key, password, cipher)
        must(key, "ec_key must be a Ruby OpenSSL::PKey::EC object", ::OpenSSL::PKey::EC)
        encrypted(key, password, cipher)
      end

      def gen_x509_request(subject, key)
        must(subject, "subject must be a Ruby OpenSSL::X509::Name object", ::OpenSSL::X509::Name)
        must(key, "key must be a Ruby OpenSSL::PKey::EC or a Ruby OpenSSL::PKey::RSA object", *KEYS)
        request = ::OpenSSL::X509::Request.new
        request.version = 0
        request.subject = subject
        request.public_key = key
        request.sign(key, sha256)
      end

      def gen_x509_extensions(extensions)
        must(extensions, "extensions must be a Ruby Hash object", Hash)
        extensions.map do |name, given|
          must(given, "#{name} must contain a Ruby Hash", Hash)
          raise ArgumentError, "keys in #{name} must be 'values' and 'critical'" unless given.key?("values") && given.key?("critical")

          must(given["values"], "the key 'values' must contain a Ruby Arrays", Array)
          must(given["critical"], "the key 'critical' must be a Ruby Boolean true/false", TrueClass, FalseClass)
          ::OpenSSL::X509::ExtensionFactory.new.create_extension(name, given["values"].join(","), given["critical"])
        end
      end

      def gen_serial = ::OpenSSL::BN.generate_prime(160)

      # A certificate for a request: signed by `info["issuer"]`, or by itself.
      def gen_x509_cert(request, extensions, info, key)
        must(request, "request must be a Ruby OpenSSL::X509::Request", ::OpenSSL::X509::Request)
        must(extensions, "extension must be a Ruby Array", Array)
        must(info, "info must be a Ruby Hash", Hash)
        must(key, "key must be a Ruby OpenSSL::PKey::EC object or a Ruby OpenSSL::PKey::RSA object", *KEYS)
        raise ArgumentError, "info must contain a validity" unless info.key?("validity")

        check_validity(info)
        must(info["issuer"], ISSUER, ::OpenSSL::X509::Certificate) if info["issuer"]
        made = ::OpenSSL::X509::Certificate.new
        issuer = info["issuer"] || made
        made.serial = gen_serial
        made.version = 2
        made.subject = request.subject
        made.public_key = request.public_key
        made.not_before = Time.now
        made.not_after = made.not_before + days(info["validity"])
        made.issuer = info["issuer"] ? issuer.subject : request.subject
        factory = factory_of(issuer)
        extensions << factory.create_extension("basicConstraints", "CA:TRUE", true) unless info["issuer"]
        factory.subject_certificate = made
        made.extensions = extensions
        made.add_extension(factory.create_extension("subjectKeyIdentifier", "hash"))
        made.add_extension(factory.create_extension("authorityKeyIdentifier", "keyid:always,issuer:always"))
        made.sign(key, sha256)
      end

      # An empty revocation list.
      def gen_x509_crl(ca_key, info)
        check_crl_info(ca_key, info)
        crl = ::OpenSSL::X509::CRL.new
        crl.version = 1
        crl.issuer = info["issuer"].subject
        stamp_crl(crl, info, 1)
        crl.sign(ca_key, sha256)
      end

      def get_next_crl_number(crl)
        check_crl(crl)
        last = crl.extensions.reverse.find { |extension| extension.oid == "crlNumber" }
        (last ? last.value.to_i : 1) + 1
      end

      def revoke_x509_crl(revoke_info, crl, ca_key, info)
        must(revoke_info, "revoke_info must be a Ruby Hash object", Hash)
        check_crl(crl)
        check_key(ca_key)
        must(info, "info must be a Ruby Hash", Hash)
        raise ArgumentError, "revoke_info must contain a serial and a reason" unless revoke_info.key?("serial") && revoke_info.key?("reason")

        must(revoke_info["serial"], "revoke_info['serial'] must be a Ruby String or Integer object", String, Integer)
        must(revoke_info["reason"], "revoke_info['reason'] must be a Ruby Integer object", Integer)
        check_crl_info(ca_key, info)
        revoked = ::OpenSSL::X509::Revoked.new
        revoked.serial = number_of(revoke_info["serial"])
        revoked.time = Time.now
        revoked.add_extension(::OpenSSL::X509::Extension.new("CRLReason", ::OpenSSL::ASN1::Enumerated(revoke_info["reason"])))
        crl.add_revoked(revoked)
        renew_x509_crl(crl, ca_key, info)
      end

      def renew_x509_crl(crl, ca_key, info)
        check_crl(crl)
        check_crl_info(ca_key, info)
        number = get_next_crl_number(crl)
        crl.extensions = []
        stamp_crl(crl, info, number)
        crl.sign(ca_key, sha256)
      end

      def cert_need_renewal?(certificate, days_before)
        ::OpenSSL::X509::Certificate.new(content_of(certificate)).not_after <= Time.now + days(days_before)
      rescue ::OpenSSL::X509::CertificateError
        true
      end
      alias cert_need_renewall? cert_need_renewal?

      private

      KEYS = [::OpenSSL::PKey::EC, ::OpenSSL::PKey::RSA].freeze
      ISSUER = "info['issuer'] must be a Ruby OpenSSL::X509::Certificate object".freeze
      private_constant :KEYS, :ISSUER

      def must(value, text, *classes) = (raise TypeError, text unless classes.any? { |wanted| wanted === value })
      def content_of(given) = ::File.exist?(given) ? ::File.read(given) : given
      def number_of(serial) = serial.is_a?(String) ? serial.to_i(16) : serial
      def days(count) = count * 24 * 60 * 60
      def sha256 = ::OpenSSL::Digest.new("SHA256")
      def check_crl(crl) = must(crl, "crl must be a Ruby OpenSSL::X509::CRL object", ::OpenSSL::X509::CRL)
      def check_key(key) = must(key, "ca_private_key must be a Ruby OpenSSL::PKey::EC object or a Ruby OpenSSL::PKey::RSA object", *KEYS)
      def check_validity(info) = must(info["validity"], "info['validity'] must be a Ruby Integer object", Integer)

      def check_length(bits)
        raise ArgumentError, "Key length must be a power of 2 greater than or equal to 1024" unless key_length_valid?(bits)
      end

      def check_crl_info(ca_key, info)
        check_key(ca_key)
        must(info, "info must be a Ruby Hash", Hash)
        raise ArgumentError, "info must contain a issuer and a validity" unless info.key?("issuer") && info.key?("validity")

        must(info["issuer"], ISSUER, ::OpenSSL::X509::Certificate)
        check_validity(info)
      end

      def encrypted(key, password, cipher)
        must(password, "key_password must be a string", String)
        must(cipher, "key_cipher must be a string", String)
        raise ArgumentError, "Specified key_cipher is not available on this system" unless ::OpenSSL::Cipher.ciphers.include?(cipher)

        key.to_pem(::OpenSSL::Cipher.new(cipher), password)
      end

      def factory_of(issuer)
        file = ::OpenSSL::Config::DEFAULT_CONFIG_FILE
        ::OpenSSL::X509::ExtensionFactory.new.tap do |factory|
          factory.issuer_certificate = issuer
          factory.config = ::OpenSSL::Config.load(file) if ::File.exist?(file)
        end
      end

      # Sets times, number and issuer's key of a list.
      def stamp_crl(crl, info, number)
        crl.last_update = Time.now
        crl.next_update = crl.last_update + days(info["validity"])
        crl.add_extension(::OpenSSL::X509::Extension.new("crlNumber", ::OpenSSL::ASN1::Integer(number)))
        crl.add_extension(factory_of(info["issuer"]).create_extension("authorityKeyIdentifier", "keyid:always,issuer:always"))
      end
    end
  end
end
