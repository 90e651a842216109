module OpenSSL
  # Keys. What they hold and do is native; here are the forms in which Ruby asks for it.
  module PKey
    class << self
      def read(source, password = nil, &block)
        found = parsed(source, password, &block)
        found.is_a?(String) ? raise(PKeyError, "Could not parse PKey: #{found}") : found
      end

      # The key of a text, or why there is none.
      def parsed(source, password = nil)
        source = source.to_der if source.respond_to?(:to_der)
        source = source.read if source.respond_to?(:read)
        found = decoded(source, password)
        found == "no password given" && block_given? ? decoded(source, yield(false)) : found
      end

      def generate_key(algorithm, options = {})
        algorithm.is_a?(PKey) ? generated_from(algorithm) : generated(algorithm, pairs(options), false)
      end
      def generate_parameters(algorithm, options = {}) = generated(algorithm, pairs(options), true)

      def pairs(options) = options.to_h.map { |name, value| [name.to_s, value.to_s] }
    end

    class PKey
      def self.new(*) = equal?(PKey) ? raise(TypeError, "OpenSSL::PKey::PKey can't be instantiated directly") : super
      def inspect = "#<#{self.class}#{" oid=#{oid}" if holds_private? || holds_public?}>"
      def sign(digest, data, options = {}) = sign_with(digest, data, OpenSSL::PKey.pairs(options))
      def verify(digest, signature, data, options = {}) = verify_with(digest, signature, data, OpenSSL::PKey.pairs(options))
      def sign_raw(digest, hash, options = {}) = sign_raw_with(digest, hash, OpenSSL::PKey.pairs(options))
      def verify_raw(digest, signature, hash, options = {}) = verify_raw_with(digest, signature, hash, OpenSSL::PKey.pairs(options))
      def verify_recover(digest, signature, options = {}) = verify_recover_with(digest, signature, OpenSSL::PKey.pairs(options))
      def encrypt(data, options = {}) = encrypt_with(data, OpenSSL::PKey.pairs(options))
      def decrypt(data, options = {}) = decrypt_with(data, OpenSSL::PKey.pairs(options))

      private

      # A key that is whole does not change any more, as in OpenSSL 3.
      def immutable!(what = nil)
        raise PKeyError, what ? "#{what}= is incompatible with OpenSSL 3.0" : "pkeys are immutable on OpenSSL 3.0" if holds_public?
      end

      # Takes the key of a text, which must be of this class.
      def take_parsed(source, password, error, otherwise, &block)
        unless %i(to_der to_str read).any? { |name| source.respond_to?(name) }
          raise TypeError, "no implicit conversion of #{source.nil? ? "nil" : source.class} into String"
        end
        found = OpenSSL::PKey.parsed(source, password, &block)
        raise error, otherwise % found if found.is_a?(String)
        raise error, "incorrect pkey type: #{found.oid}" unless is_a?(found.class)
        take_key(found)
      end
      # The same with the class of exceptions of one kind of key.
      def failing_as(error)
        yield
      rescue PKeyError => problem
        raise problem if problem.is_a?(error)
        raise error, problem.message
      end
    end

    # The forms that RSA, DSA and EC keys have beside those of all keys.
    module Exported
      def private? = holds_private?
      def public? = holds_public?
      def to_der = private? ? traditional_der : public_to_der
      def to_pem(cipher = nil, password = nil) = private? ? traditional_pem(cipher, password) : public_to_pem
      def export(cipher = nil, password = nil) = to_pem(cipher, password)
      def to_s = to_pem
    end

    class RSA < PKey
      include Exported
      PKCS1_PADDING = 1
      SSLV23_PADDING = 2
      NO_PADDING = 3
      PKCS1_OAEP_PADDING = 4
      PADDINGS = { PKCS1_PADDING => "pkcs1", NO_PADDING => "none", PKCS1_OAEP_PADDING => "oaep" }.freeze
      NUMBERS = %i(n e d p q dmp1 dmq1 iqmp).freeze
      private_constant :PADDINGS, :NUMBERS

      def self.generate(size, exponent = 0x10001)
        OpenSSL::PKey.generate_key("RSA", "rsa_keygen_bits" => size, "rsa_keygen_pubexp" => exponent)
      end

      def initialize(source = (none = true), password = nil, &block)
        return if none
        return take_key(RSA.generate(source, *[password].compact)) if source.is_a?(Integer)
        take_parsed(source, password, RSAError, "Neither PUB key nor PRIV key: %s", &block)
      end

      NUMBERS.each { |name| define_method(name) { number(name.to_s) } }
      def params = NUMBERS.to_h { |name| [name.to_s, number(name.to_s) || BN.new(0)] }
      def public? = true
      def public_key = public_half
      def set_key(n, e, d)
        immutable!("rsa#set_key")
        take_numbers("RSA", [n, e, d])
      end
      def set_factors(_p, _q) = immutable!("rsa#set_factors")
      def set_crt_params(_dmp1, _dmq1, _iqmp) = immutable!("rsa#set_crt_params")

      def public_encrypt(data, padding = PKCS1_PADDING)
        numbers!
        failing_as(RSAError) { encrypt(data, mode(padding)) }
      end
      def private_decrypt(data, padding = PKCS1_PADDING)
        private!
        failing_as(RSAError) { decrypt(data, mode(padding)) }
      end
      def private_encrypt(data, padding = PKCS1_PADDING)
        private!
        failing_as(RSAError) { sign_raw(nil, data, mode(padding)) }
      end
      def public_decrypt(data, padding = PKCS1_PADDING)
        numbers!
        failing_as(RSAError) { verify_recover(nil, data, mode(padding)) }
      end

      def sign_pss(digest, data, salt_length:, mgf1_hash:)
        private!
        failing_as(RSAError) { sign(digest, data, pss(salt_length, mgf1_hash)) }
      end
      def verify_pss(digest, signature, data, salt_length:, mgf1_hash:)
        failing_as(RSAError) { verify(digest, signature, data, pss(salt_length, mgf1_hash)) }
      end

      private

      def numbers! = n || raise(RSAError, "incomplete RSA")
      def private! = numbers! && (private? || raise(RSAError, "private key needed."))
      def mode(padding) = { "rsa_padding_mode" => PADDINGS[padding] || raise(RSAError, "unsupported padding mode") }
      def pss(salt_length, mgf1_hash)
        salt = %i(digest max auto).include?(salt_length) ? salt_length : salt_length.then { |length| Integer === length ? length : raise(TypeError, "no implicit conversion of #{length.class} into Integer") }
        { "rsa_padding_mode" => "pss", "rsa_pss_saltlen" => salt, "rsa_mgf1_md" => mgf1_hash.is_a?(OpenSSL::Digest) ? mgf1_hash.name : mgf1_hash }
      end
    end

    class DSA < PKey
      include Exported
      NUMBERS = %i(p q g pub_key priv_key).freeze
      private_constant :NUMBERS

      def self.generate(size)
        OpenSSL::PKey.generate_key(OpenSSL::PKey.generate_parameters("DSA", "dsa_paramgen_bits" => size))
      end
      def initialize(source = (none = true), password = nil, &block)
        return if none
        return take_key(DSA.generate(source)) if source.is_a?(Integer)
        take_parsed(source, password, DSAError, "Neither PUB key nor PRIV key: %s", &block)
      end

      NUMBERS.each { |name| define_method(name) { number(name.to_s) } }
      def params = NUMBERS.to_h { |name| [name.to_s, number(name.to_s) || BN.new(0)] }
      def public_key = public_half
      def set_pqg(p, q, g)
        immutable!("dsa#set_pqg")
        take_numbers("DSA", [p, q, g])
      end
      def set_key(pub_key, priv_key)
        immutable!("dsa#set_key")
        take_numbers("DSA", [p, q, g, pub_key, priv_key])
      end
      def syssign(hash)
        raise DSAError, "incomplete DSA" unless q
        raise DSAError, "Private DSA key needed!" unless private?
        failing_as(DSAError) { sign_raw(nil, hash) }
      end
      def sysverify(hash, signature) = failing_as(DSAError) { verify_raw(nil, signature, hash) }
    end

    class DH < PKey
      NUMBERS = %i(p q g pub_key priv_key).freeze
      private_constant :NUMBERS

      def self.generate(size, generator = 2)
        OpenSSL::PKey.generate_key(OpenSSL::PKey.generate_parameters("DH", "dh_paramgen_prime_len" => size, "dh_paramgen_generator" => generator))
      end
      def initialize(source = (none = true), generator = 2)
        return if none
        return take_key(DH.generate(source, generator)) if source.is_a?(Integer)
        take_parsed(source, nil, DHError, "could not parse pkey: %s")
      end

      NUMBERS.each { |name| define_method(name) { number(name.to_s) } }
      def params = NUMBERS.to_h { |name| [name.to_s, number(name.to_s) || BN.new(0)] }
      def private? = holds_private?
      def public? = holds_public?
      def public_key = DH.allocate.tap { |made| made.__send__(:take_numbers, "DH", [p, q, g]) }
      def params_ok? = sound_parameters?
      def to_der = traditional_der
      def to_pem = traditional_pem
      alias export to_pem
      alias to_s to_pem
      def set_pqg(p, q, g)
        immutable!("dh#set_pqg")
        take_numbers("DH", [p, q, g])
      end
      def set_key(pub_key, priv_key)
        immutable!("dh#set_key")
        take_numbers("DH", [p, q, g, pub_key, priv_key])
      end
      def generate_key! = take_key(OpenSSL::PKey.generate_key(self))
      def compute_key(pub_key) = shared_secret(pub_key)
    end

    class EC < PKey
      include Exported
      NAMED_CURVE = 1
      EXPLICIT_CURVE = 0

      def self.generate(curve)
        made = allocate
        made.__send__(:take_curve, curve) or raise ECError, "invalid curve name"
        OpenSSL::PKey.generate_key(made)
      end

      def initialize(source = nil, password = nil, &block)
        return if source.nil?
        return take_curve(source) if source.is_a?(Group)
        return take_key(source) if source.is_a?(EC)
        text = source.respond_to?(:read) ? source.read : source
        return if text.is_a?(String) && text.match?(/\A[\w. -]{1,80}\z/) && take_curve(text)
        take_parsed(text, password, ECError, "invalid curve name", &block)
      end

      alias private_key? private?
      alias public_key? public?
      def group=(group)
        immutable!
        take_pair(group, public_key, private_key)
        group
      end
      def public_key=(point)
        immutable!
        take_pair(group, point, private_key)
        point
      end
      def private_key=(number)
        immutable!
        take_pair(group, public_key, number)
        number
      end
      def generate_key! = take_key(OpenSSL::PKey.generate_key(self))
      alias generate_key generate_key!
      def dsa_sign_asn1(hash)
        raise ECError, "EVP_PKEY_sign: missing private key" unless private?
        failing_as(ECError) { sign_raw(nil, hash) }
      end
      def dsa_verify_asn1(hash, signature) = failing_as(ECError) { verify_raw(nil, signature, hash) }
      def dh_compute_key(point)
        peer = EC.new(group)
        peer.public_key = point
        derive(peer)
      end

      class Group
        attr_writer :asn1_flag, :point_conversion_form
        def asn1_flag = @asn1_flag || NAMED_CURVE
        def point_conversion_form = @point_conversion_form || :uncompressed
        def to_pem = "-----BEGIN EC PARAMETERS-----\n#{[to_der].pack("m48")}-----END EC PARAMETERS-----\n"
        def inspect = "#<#{self.class}>"
      end

      class Point
        FORMS = %i(compressed uncompressed hybrid).freeze
        private_constant :FORMS
        def to_octet_string(form)
          raise ArgumentError, "unsupported point conversion form #{form.inspect} (expected :compressed, :uncompressed, or :hybrid)" unless FORMS.include?(form)
          octets(form.to_s)
        end
        def to_bn(form = group.point_conversion_form) = BN.new(to_octet_string(form), 2)
        def inspect = "#<#{self.class}>"
      end
    end
    private_constant :Exported
  end
end
