module OpenSSL
  # Keys: RSA, EC and DH. Arithmetic is on whole numbers, blinded where a private exponent is used; it does not run in constant time,
  # so these keys are for files, signatures and certificates, not for a server that answers strangers.
  module PKey
    class PKeyError < OpenSSLError; end
    class RSAError < PKeyError; end
    class ECError < PKeyError; end
    class DHError < PKeyError; end

    class << self
      def read(text, password = nil)
        text = text.read if text.respond_to?(:read)
        Reader.new(text.to_s, password || (block_given? ? yield : nil)).key or raise PKeyError, "Could not parse PKey: unsupported"
      end

      def generate_key(name, options = {})
        case name.to_s.upcase
        when "RSA" then RSA.generate((options["rsa_keygen_bits"] || 2048).to_i)
        when "EC" then EC.generate(options["ec_paramgen_curve"] || "prime256v1")
        else raise PKeyError, "unsupported"
        end
      end
    end

    # Finds a key in PEM or DER of any of the usual forms.
    class Reader
      def initialize(text, password)
        @text, @password = text, password
      end

      def key
        if @text.include?("-----BEGIN")
          blocks = PEM.decode(@text)
          blocks.each { |label, headers, body| (found = from_block(label, headers, body)) and return found }
          nil
        else
          from_der(@text.b)
        end
      end

      private

      def from_block(label, headers, body)
        body = legacy_decrypt(headers, body) if headers.include?("ENCRYPTED")
        case label
        when "RSA PRIVATE KEY" then RSA.from_private(ASN1.decode(body))
        when "RSA PUBLIC KEY" then RSA.from_public(ASN1.decode(body))
        when "EC PRIVATE KEY" then EC.from_private(ASN1.decode(body))
        when "PRIVATE KEY" then pkcs8(ASN1.decode(body))
        when "ENCRYPTED PRIVATE KEY" then pkcs8(ASN1.decode(pkcs8_decrypt(ASN1.decode(body))))
        when "PUBLIC KEY" then spki(ASN1.decode(body))
        when "CERTIFICATE" then X509::Certificate.new(PEM.encode(label, body)).public_key
        when "DH PARAMETERS" then DH.from_parameters(ASN1.decode(body))
        end
      rescue ASN1::ASN1Error
        nil
      end

      def from_der(der)
        tree = ASN1.decode(der)
        %i(pkcs8 spki rsa_private rsa_public ec_private).each do |form|
          found = begin
            __send__(form, tree)
          rescue StandardError
            nil
          end
          return found if found
        end
        nil
      rescue ASN1::ASN1Error
        nil
      end

      def rsa_private(tree) = tree.value.size >= 9 ? RSA.from_private(tree) : nil
      def rsa_public(tree) = tree.value.size == 2 ? RSA.from_public(tree) : nil
      def ec_private(tree) = EC.from_private(tree)

      def pkcs8(tree)
        _, algorithm, body = tree.value
        case algorithm.value[0].value
        when "rsaEncryption" then RSA.from_private(ASN1.decode(body.value))
        when "id-ecPublicKey" then EC.from_private(ASN1.decode(body.value), algorithm.value[1].value)
        else raise PKeyError, "unsupported key algorithm #{algorithm.value[0].value}"
        end
      end

      def spki(tree) = PKey.from_spki(tree)

      def password!
        @password.to_s.empty? ? raise(PKeyError, "Could not parse PKey: no password given") : @password.to_s
      end

      def cipher_of(name)
        Cipher.new(name)
      rescue RuntimeError
        raise PKeyError, "unsupported cipher #{name}"
      end

      def legacy_decrypt(headers, body)
        name, iv = headers[/DEK-Info: *([^,]+),(\h+)/, 1], [headers[/DEK-Info: *[^,]+,(\h+)/, 1].to_s].pack("H*")
        cipher = cipher_of(name).decrypt
        material = "".b
        material += OpenSSL::Digest.digest("MD5", (material.empty? ? "" : material.byteslice(-16, 16)) + password!.b + iv.byteslice(0, 8)) while material.bytesize < cipher.key_len
        cipher.key = material.byteslice(0, cipher.key_len)
        cipher.iv = iv
        cipher.update(body) + cipher.final
      rescue Cipher::CipherError
        raise PKeyError, "Could not parse PKey: bad decrypt"
      end

      def pkcs8_decrypt(tree)
        scheme, data = tree.value
        raise PKeyError, "unsupported encryption #{scheme.value[0].value}" unless scheme.value[0].value == "PBES2"
        kdf, encryption = scheme.value[1].value
        salt, iterations, *rest = kdf.value[1].value
        digest = (rest.find { |each| each.is_a?(ASN1::Sequence) }&.value&.first&.value || "hmacWithSHA1").delete_prefix("hmacWith")
        cipher = cipher_of(encryption.value[0].value).decrypt
        cipher.key = Native.pbkdf2(password!, salt.value, iterations.value.to_i, cipher.key_len, digest)
        cipher.iv = encryption.value[1].value
        cipher.update(data.value) + cipher.final
      rescue Cipher::CipherError
        raise PKeyError, "Could not parse PKey: bad decrypt"
      end
    end
    private_constant :Reader

    def self.from_spki(tree)
      algorithm, bits = tree.value
      case algorithm.value[0].value
      when "rsaEncryption" then RSA.from_public(ASN1.decode(bits.value))
      when "id-ecPublicKey" then EC.from_point(algorithm.value[1].value, bits.value)
      else raise PKeyError, "unsupported key algorithm #{algorithm.value[0].value}"
      end
    end

    class PKey
      def self.new(*) = equal?(PKey) ? raise(NotImplementedError, "OpenSSL::PKey::PKey is an abstract class") : super
      def to_spki_der = ASN1::Sequence([ASN1::Sequence(algorithm), ASN1::BitString(public_bits)]).to_der
      def public_to_der = to_spki_der
      def public_to_pem = PEM.encode("PUBLIC KEY", to_spki_der)
      def private_to_der(*) = ASN1::Sequence([ASN1::Integer(0), ASN1::Sequence(algorithm), ASN1::OctetString(private_body)]).to_der
      def private_to_pem(cipher = nil, password = nil) = cipher ? sealed(cipher, password) : PEM.encode("PRIVATE KEY", private_to_der)
      def inspect = "#<#{self.class}:0x#{object_id.to_s(16).rjust(16, "0")}>"
      def compare?(other) = other.is_a?(PKey) && to_spki_der == other.to_spki_der
      def oid = algorithm[0].value

      private

      # PKCS#8 with PBES2.
      def sealed(cipher, password)
        cipher = Cipher.new(cipher) unless cipher.is_a?(Cipher)
        salt = Random.random_bytes(16)
        cipher.encrypt
        cipher.key = Native.pbkdf2(password, salt, 2048, cipher.key_len, "SHA256")
        iv = cipher.random_iv
        data = cipher.update(private_to_der) + cipher.final
        kdf = ASN1::Sequence([ASN1::ObjectId("PBKDF2"), ASN1::Sequence([ASN1::OctetString(salt), ASN1::Integer(2048), ASN1::Sequence([ASN1::ObjectId("hmacWithSHA256"), ASN1::Null(nil)])])])
        scheme = ASN1::Sequence([ASN1::ObjectId("PBES2"), ASN1::Sequence([kdf, ASN1::Sequence([ASN1::ObjectId(cipher.name.downcase), ASN1::OctetString(iv)])])])
        PEM.encode("ENCRYPTED PRIVATE KEY", ASN1::Sequence([scheme, ASN1::OctetString(data)]).to_der)
      end

      # The older form, encrypted inside of the PEM block.
      def legacy_pem(label, der, cipher, password)
        return PEM.encode(label, der) unless cipher
        raise ArgumentError, "password is needed" if password.nil?
        cipher = Cipher.new(cipher) unless cipher.is_a?(Cipher)
        iv = Random.random_bytes(16)
        material = "".b
        material += OpenSSL::Digest.digest("MD5", (material.empty? ? "" : material.byteslice(-16, 16)) + password.b + iv.byteslice(0, 8)) while material.bytesize < cipher.key_len
        cipher.encrypt
        cipher.key = material.byteslice(0, cipher.key_len)
        cipher.iv = iv
        PEM.encode(label, cipher.update(der) + cipher.final, "Proc-Type: 4,ENCRYPTED\nDEK-Info: #{cipher.name},#{iv.unpack1("H*").upcase}\n\n")
      end
    end

    class RSA < PKey
      PKCS1_PADDING = 1
      SSLV23_PADDING = 2
      NO_PADDING = 3
      PKCS1_OAEP_PADDING = 4
      F4 = 65_537

      class << self
        def generate(bits, exponent = F4)
          raise RSAError, "key size too small" if bits < 512
          loop do
            p, q = PrimeNumbers.generate(bits / 2), PrimeNumbers.generate(bits - bits / 2)
            p, q = q, p if p < q
            order = (p - 1).lcm(q - 1)
            next if p == q || order.gcd(exponent) != 1 || (p * q).bit_length != bits
            d = PrimeNumbers.inverse(exponent, order)
            return made(n: p * q, e: exponent, d: d, p: p, q: q, dmp1: d % (p - 1), dmq1: d % (q - 1), iqmp: PrimeNumbers.inverse(q, p))
          end
        end

        def made(numbers)
          key = allocate
          key.__send__(:place, numbers)
          key
        end
        def from_private(tree)
          numbers = tree.value.map { |each| each.value.to_i }
          made(%i(n e d p q dmp1 dmq1 iqmp).zip(numbers.drop(1)).to_h)
        end
        def from_public(tree) = made(%i(n e).zip(tree.value.map { |each| each.value.to_i }).to_h)
      end

      def initialize(source = (none = true), password = nil)
        return place({}) if none
        return place(RSA.generate(source, *[password].compact).numbers) if source.is_a?(Integer)
        unless %i(to_der to_str read).any? { |name| source.respond_to?(name) }
          raise TypeError, "no implicit conversion of #{source.nil? ? "nil" : source.class} into String"
        end
        found =
          begin
            OpenSSL::PKey.read(source.respond_to?(:to_der) ? source.to_der : source, password)
          rescue RSAError
            raise
          rescue PKeyError => error
            raise RSAError, error.message.include?("password") || error.message.include?("decrypt") ? "Neither PUB key nor PRIV key: #{error.message}" : "Neither PUB key nor PRIV key"
          end
        raise RSAError, "incorrect pkey type: #{found.oid}" unless found.is_a?(RSA)
        place(found.numbers)
      end

      def place(numbers)
        @numbers = numbers
      end
      private :place
      attr_reader :numbers
      protected :numbers
      %i(n e d p q dmp1 dmq1 iqmp).each { |name| define_method(name) { @numbers[name] && BN.new(@numbers[name]) } }
      def params = %i(n e d p q dmp1 dmq1 iqmp).to_h { |name| [name.to_s, BN.new(@numbers[name] || 0)] }
      def set_key(n, e, d) = place(@numbers.merge(n: n.to_i, e: e.to_i, d: d&.to_i).compact)
      def private? = !@numbers[:d].nil?
      def public? = true
      def public_key = RSA.made(@numbers.slice(:n, :e))
      def size_bytes = (@numbers[:n].bit_length + 7) / 8
      private :size_bytes

      def private_body = ASN1::Sequence([0, *%i(n e d p q dmp1 dmq1 iqmp).map { |name| @numbers[name] }].map { |number| ASN1::Integer(number) }).to_der
      def public_bits = ASN1::Sequence([ASN1::Integer(@numbers[:n]), ASN1::Integer(@numbers[:e])]).to_der
      def algorithm = [ASN1::ObjectId("rsaEncryption"), ASN1::Null(nil)]
      private :private_body, :algorithm
      public :algorithm

      def to_der = private? ? private_body : to_spki_der
      def to_pem(cipher = nil, password = nil) = private? ? legacy_pem("RSA PRIVATE KEY", private_body, cipher, password) : public_to_pem
      alias export to_pem
      alias to_s to_pem
      def to_text = "RSA #{private? ? "Private" : "Public"}-Key: (#{@numbers[:n].bit_length} bit)\n"

      def sign(digest, data) = sign_raw(digest, OpenSSL::Digest.digest(OpenSSL::Digest.name_of(digest), data))
      def sign_raw(digest, hash, *)
        private!("sign")
        private_operation(pad_signature(digest_info(digest, hash)))
      end
      def verify(digest, signature, data) = verify_raw(digest, signature, OpenSSL::Digest.digest(OpenSSL::Digest.name_of(digest), data))
      def verify_raw(digest, signature, hash, *)
        return false unless signature.bytesize == size_bytes
        OpenSSL.fixed_length_secure_compare(public_operation(signature), pad_signature(digest_info(digest, hash)))
      end

      def public_encrypt(data, padding = PKCS1_PADDING) = public_operation(padded(data.b, padding, 2))
      def private_encrypt(data, padding = PKCS1_PADDING)
        private!("private_encrypt")
        private_operation(padded(data.b, padding, 1))
      end
      def private_decrypt(data, padding = PKCS1_PADDING)
        private!("private_decrypt")
        unpadded(private_operation(sized(data)), padding, 2)
      end
      def public_decrypt(data, padding = PKCS1_PADDING) = unpadded(public_operation(sized(data)), padding, 1)
      def encrypt(data, *) = public_encrypt(data)
      def decrypt(data, *) = private_decrypt(data)

      def sign_pss(digest, data, salt_length:, mgf1_hash:)
        private!("sign_pss")
        name = OpenSSL::Digest.name_of(digest)
        size = OpenSSL::Digest.new(name).digest_length
        bits = @numbers[:n].bit_length - 1
        length = (bits + 7) / 8
        salt = Random.random_bytes({ digest: size, max: length - size - 2, auto: length - size - 2 }.fetch(salt_length, salt_length))
        hash = OpenSSL::Digest.digest(name, "\0" * 8 + OpenSSL::Digest.digest(name, data) + salt)
        block = "\0" * (length - salt.bytesize - size - 2) + "\x01" + salt
        masked = mask(block.b, hash, mgf1_hash)
        masked.setbyte(0, masked.getbyte(0) & (0xff >> (8 * length - bits)))
        private_operation((masked + hash + "\xbc".b).rjust(size_bytes, "\0"))
      end

      def verify_pss(digest, signature, data, salt_length:, mgf1_hash:)
        name = OpenSSL::Digest.name_of(digest)
        size = OpenSSL::Digest.new(name).digest_length
        bits = @numbers[:n].bit_length - 1
        block = public_operation(sized(signature)).byteslice(-((bits + 7) / 8)..)
        return false unless block.getbyte(-1) == 0xbc
        masked, hash = block.byteslice(0, block.bytesize - size - 1), block.byteslice(-size - 1, size)
        plain = mask(masked, hash, mgf1_hash)
        plain.setbyte(0, plain.getbyte(0) & (0xff >> (8 * block.bytesize - bits)))
        at = plain.index("\x01".b) or return false
        return false unless plain.byteslice(0, at).delete("\0").empty?
        salt = plain.byteslice(at + 1..)
        wanted = { digest: size, auto: salt.bytesize, max: block.bytesize - size - 2 }.fetch(salt_length, salt_length)
        salt.bytesize == wanted && OpenSSL::Digest.digest(name, "\0" * 8 + OpenSSL::Digest.digest(name, data) + salt) == hash
      end

      private

      def private!(what) = private? || raise(what == "sign" ? PKeyError : RSAError, "private key needed.")

      def sized(data)
        raise RSAError, "data too large for key size" if data.bytesize > size_bytes
        data.b.rjust(size_bytes, "\0")
      end
      def bytes_of(number) = [number.to_s(16).rjust(size_bytes * 2, "0")].pack("H*")
      def number_of(bytes) = bytes.unpack1("H*").hex
      def public_operation(bytes)
        number = number_of(bytes)
        raise RSAError, "data too large for modulus" if number >= @numbers[:n]
        bytes_of(number.pow(@numbers[:e], @numbers[:n]))
      end

      # With a random factor taken in before and out after, so that the time tells nothing of the number.
      def private_operation(bytes)
        n, e, d, p, q, dmp1, dmq1, iqmp = @numbers.values_at(:n, :e, :d, :p, :q, :dmp1, :dmq1, :iqmp)
        number = number_of(bytes)
        raise RSAError, "data too large for modulus" if number >= n
        factor = 2 + PrimeNumbers.below(n - 3)
        blinded = number * factor.pow(e, n) % n
        result =
          if p && q && iqmp
            low = blinded.pow(dmq1, q)
            low + (blinded.pow(dmp1, p) - low) * iqmp % p * q
          else
            blinded.pow(d, n)
          end
        bytes_of(result * PrimeNumbers.inverse(factor, n) % n)
      end

      def digest_info(digest, hash)
        ASN1::Sequence([ASN1::Sequence([ASN1::ObjectId(OpenSSL::Digest.name_of(digest)), ASN1::Null(nil)]), ASN1::OctetString(hash)]).to_der
      end
      def pad_signature(info)
        raise RSAError, "digest too big for rsa key" if info.bytesize > size_bytes - 11
        "\x00\x01".b + "\xff".b * (size_bytes - info.bytesize - 3) + "\0".b + info
      end

      def padded(data, padding, kind)
        size = size_bytes
        case padding
        when NO_PADDING
          raise RSAError, "data too #{data.bytesize > size ? "large" : "small"} for key size" unless data.bytesize == size
          data
        when PKCS1_PADDING
          raise RSAError, "data too large for key size" if data.bytesize > size - 11
          count = size - data.bytesize - 3
          filler = kind == 1 ? "\xff".b * count : nonzero(count)
          [0, kind].pack("CC") + filler + "\0".b + data
        when PKCS1_OAEP_PADDING then oaep(data, size)
        else raise RSAError, "unknown padding type"
        end
      end

      def nonzero(count)
        out = "".b
        out << Random.random_bytes(count).delete("\0") while out.bytesize < count
        out.byteslice(0, count)
      end

      def unpadded(block, padding, kind)
        case padding
        when NO_PADDING then block
        when PKCS1_PADDING
          at = block.index("\0".b, 2)
          raise RSAError, kind == 1 ? "padding check failed" : "padding check failed" unless block.getbyte(0) == 0 && block.getbyte(1) == kind && at && at >= 10
          block.byteslice(at + 1..)
        when PKCS1_OAEP_PADDING then from_oaep(block)
        else raise RSAError, "unknown padding type"
        end
      end

      def mask(block, seed, digest = "SHA1")
        out = "".b
        index = 0
        while out.bytesize < block.bytesize
          out << OpenSSL::Digest.digest(OpenSSL::Digest.name_of(digest), seed + [index].pack("N"))
          index += 1
        end
        block.bytes.zip(out.bytes).map { |a, b| a ^ b }.pack("C*")
      end

      def oaep(data, size)
        raise RSAError, "data too large for key size" if data.bytesize > size - 42
        empty = OpenSSL::Digest.digest("SHA1", "")
        block = empty + "\0".b * (size - data.bytesize - 42) + "\x01".b + data
        seed = Random.random_bytes(20)
        hidden = mask(block, seed)
        "\0".b + mask(seed, hidden) + hidden
      end

      def from_oaep(block)
        seed = mask(block.byteslice(1, 20), block.byteslice(21..))
        plain = mask(block.byteslice(21..), seed)
        at = plain.index("\x01".b, 20)
        good = block.getbyte(0) == 0 && plain.byteslice(0, 20) == OpenSSL::Digest.digest("SHA1", "") && at && plain.byteslice(20, at - 20).delete("\0").empty?
        raise RSAError, "oaep decoding error" unless good
        plain.byteslice(at + 1..)
      end
    end

    class EC < PKey
      NAMED_CURVE = 1
      EXPLICIT_CURVE = 0
      # p, a, b, x, y, order of each curve
      CURVES = {
        "prime256v1" => %w(ffffffff00000001000000000000000000000000ffffffffffffffffffffffff ffffffff00000001000000000000000000000000fffffffffffffffffffffffc 5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296 4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5 ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551),
        "secp384r1" => %w(fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000fffffffc b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7 3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973),
        "secp521r1" => ["1ff#{"f" * 128}", "1ff#{"f" * 127}c", "51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00", "c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66", "11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650", "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"],
        "secp256k1" => %w(fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f 0 7 79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798 483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8 fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141)
      }.freeze

      # A curve by its name.
      class Group
        attr_reader :curve_name, :p, :a, :b, :order_int, :base
        attr_accessor :asn1_flag, :point_conversion_form
        def initialize(name, *)
          name = name.curve_name if name.is_a?(Group)
          name = { "P-256" => "prime256v1", "secp256r1" => "prime256v1", "P-384" => "secp384r1", "P-521" => "secp521r1" }.fetch(name, name)
          numbers = CURVES[name] or raise Group::Error, "invalid curve name (#{name})"
          @curve_name = name
          @p, @a, @b, x, y, @order_int = numbers.map(&:hex)
          @base = [x, y]
        end
        class Error < OpenSSLError; end
        def order = BN.new(@order_int)
        def cofactor = BN.new(1)
        def degree = @p.bit_length
        def width = (degree + 7) / 8
        def generator = Point.new(self, encode(base))
        def ==(other) = other.is_a?(Group) && curve_name == other.curve_name
        alias eql? ==
        def encode(point)
          return "\0".b if point.nil?
          "\x04".b + point.map { |number| [number.to_s(16).rjust(width * 2, "0")].pack("H*") }.join
        end

        def decode(bytes)
          case bytes.getbyte(0)
          when 4
            point = [bytes.byteslice(1, width), bytes.byteslice(1 + width, width)].map { |part| part.unpack1("H*").hex }
            raise Point::Error, "point is not on curve" unless bytes.bytesize == 1 + 2 * width && on?(point)
            point
          when 2, 3
            x = bytes.byteslice(1..).unpack1("H*").hex
            y = (x * x * x + a * x + b).pow((p + 1) / 4, p)
            y = p - y if y.odd? != (bytes.getbyte(0) == 3)
            raise Point::Error, "point is not on curve" unless on?([x, y])
            [x, y]
          when 0 then nil
          else raise Point::Error, "invalid encoding"
          end
        end
        def on?(point) = (point[1]**2 - point[0]**3 - a * point[0] - b) % p == 0 && point.all? { |number| number < p }

        def add(left, right)
          return right if left.nil?
          return left if right.nil?
          affine(add_jacobian([*left, 1], [*right, 1]))
        end

        # scalar * point, by doubling and adding in projective coordinates.
        def multiply(scalar, point)
          return nil if point.nil? || scalar % order_int == 0
          scalar %= order_int
          result = nil
          base = [*point, 1]
          (scalar.bit_length - 1).downto(0) do |bit|
            result = double(result)
            result = add_jacobian(result, base) if scalar[bit] == 1
          end
          affine(result)
        end

        private

        def affine(point)
          return nil if point.nil?
          inverse = point[2].pow(p - 2, p)
          square = inverse * inverse % p
          [point[0] * square % p, point[1] * square % p * inverse % p]
        end

        def double(point)
          return nil if point.nil? || point[1] == 0
          x, y, z = point
          yy = y * y % p
          s = 4 * x * yy % p
          m = (3 * x * x + a * z.pow(4, p)) % p
          nx = (m * m - 2 * s) % p
          [nx, (m * (s - nx) - 8 * yy * yy) % p, 2 * y * z % p]
        end

        def add_jacobian(left, right)
          return right if left.nil?
          return left if right.nil?
          zz1, zz2 = left[2]**2 % p, right[2]**2 % p
          u1, u2 = left[0] * zz2 % p, right[0] * zz1 % p
          s1, s2 = left[1] * zz2 * right[2] % p, right[1] * zz1 * left[2] % p
          h, r = (u2 - u1) % p, (s2 - s1) % p
          return r == 0 ? double(left) : nil if h == 0
          hh = h * h % p
          hhh = hh * h % p
          v = u1 * hh % p
          x = (r * r - hhh - 2 * v) % p
          [x, (r * (v - x) - s1 * hhh) % p, left[2] * right[2] * h % p]
        end
      end

      class Point
        class Error < OpenSSLError; end
        attr_reader :group, :pair
        def initialize(group, source = nil)
          group, source = source.nil? ? [group.group, group.to_octet_string(:uncompressed)] : [group, source]
          @group = group
          bytes = source.is_a?(BN) ? [source.to_i.to_s(16).then { |hex| hex.size.odd? ? "0#{hex}" : hex }].pack("H*") : source
          @pair = group.decode(bytes)
        end
        def to_octet_string(form = :uncompressed)
          return @group.encode(@pair) unless form == :compressed
          [@pair[1].odd? ? 3 : 2].pack("C") + @group.encode(@pair).byteslice(1, @group.width)
        end
        def to_bn(form = :uncompressed) = BN.new(to_octet_string(form), 2)
        def infinity? = @pair.nil?
        def on_curve? = @pair.nil? || @group.on?(@pair)
        def mul(number) = Point.new(@group, @group.encode(@group.multiply(number.to_i, @pair)))
        def add(other) = Point.new(@group, @group.encode(@group.add(@pair, other.pair)))
        def ==(other) = other.is_a?(Point) && group == other.group && pair == other.pair
        alias eql? ==
      end

      class << self
        def generate(curve)
          key = allocate
          key.__send__(:place, Group.new(curve))
          key.generate_key!
        end
        def builtin_curves = CURVES.keys.map { |name| [name, name] }
        def from_private(tree, curve = nil)
          parts = tree.value
          curve ||= parts.find { |each| each.tag_class == :CONTEXT_SPECIFIC && each.tag == 0 }&.value&.first&.value
          raise ECError, "no curve" unless curve
          group = Group.new(curve)
          number = parts[1].value.unpack1("H*").hex
          key = allocate
          key.__send__(:place, group, number, group.multiply(number, group.base))
          key
        end
        def from_point(curve, bytes)
          group = Group.new(curve)
          key = allocate
          key.__send__(:place, group, nil, group.decode(bytes))
          key
        end
      end

      def initialize(source = nil, password = nil)
        return place(nil) if source.nil?
        return place(Group.new(source)) if source.is_a?(Group) || CURVES.key?(source) || source.to_s.match?(/\A[A-Za-z0-9\-]{4,12}\z/)
        found =
          begin
            OpenSSL::PKey.read(source, password)
          rescue PKeyError => error
            raise ECError, "invalid curve name: #{error.message}"
          end
        raise ECError, "incorrect pkey type: #{found.oid}" unless found.is_a?(EC)
        place(found.group, found.number, found.pair)
      end

      def place(group, number = nil, pair = nil)
        @group, @number, @pair = group, number, pair
      end
      private :place
      attr_reader :group, :number, :pair
      protected :number, :pair
      def group=(group)
        @group = group
      end
      def generate_key!
        @number = 1 + PrimeNumbers.below(@group.order_int - 1)
        @pair = @group.multiply(@number, @group.base)
        self
      end
      alias generate_key generate_key!
      def private_key = @number && BN.new(@number)
      def private_key=(number)
        @number = number.to_i
      end
      def public_key = @pair && Point.new(@group, @group.encode(@pair))
      def public_key=(point)
        @pair = point.pair
      end
      def private? = !@number.nil?
      alias private_key? private?
      def public? = !@pair.nil?
      alias public_key? public?
      def check_key = @group.on?(@pair) || raise(ECError, "EC_KEY_check_key: point is not on curve")

      def algorithm = [ASN1::ObjectId("id-ecPublicKey"), ASN1::ObjectId(@group.curve_name)]
      def public_bits = @group.encode(@pair)
      def private_body(curve: false)
        key = [@number.to_s(16).rjust(@group.width * 2, "0")].pack("H*")
        ASN1::Sequence([ASN1::Integer(1), ASN1::OctetString(key), *(curve ? [ASN1.context(0, [ASN1::ObjectId(@group.curve_name)])] : []), ASN1.context(1, [ASN1::BitString(public_bits)])]).to_der
      end
      private :private_body
      def to_der = private? ? private_body(curve: true) : to_spki_der
      def to_pem(cipher = nil, password = nil) = private? ? legacy_pem("EC PRIVATE KEY", private_body(curve: true), cipher, password) : public_to_pem
      alias export to_pem
      alias to_s to_pem

      def sign(digest, data) = dsa_sign_asn1(OpenSSL::Digest.digest(OpenSSL::Digest.name_of(digest), data))
      def verify(digest, signature, data) = dsa_verify_asn1(OpenSSL::Digest.digest(OpenSSL::Digest.name_of(digest), data), signature)

      def dsa_sign_asn1(hash)
        raise ECError, "Private EC key needed!" unless private?
        order = @group.order_int
        message = truncated(hash)
        loop do
          secret = 1 + PrimeNumbers.below(order - 1)
          r = @group.multiply(secret, @group.base)[0] % order
          s = PrimeNumbers.inverse(secret, order) * (message + r * @number) % order
          return ASN1::Sequence([ASN1::Integer(r), ASN1::Integer(s)]).to_der unless r == 0 || s == 0
        end
      end

      def dsa_verify_asn1(hash, signature)
        r, s = ASN1.decode(signature).value.map { |each| each.value.to_i }
        order = @group.order_int
        return false unless r.between?(1, order - 1) && s.between?(1, order - 1)
        inverse = PrimeNumbers.inverse(s, order)
        left = @group.multiply(truncated(hash) * inverse % order, @group.base)
        right = @group.multiply(r * inverse % order, @pair)
        point = @group.add(left, right)
        !point.nil? && point[0] % order == r
      rescue ASN1::ASN1Error
        raise PKeyError, "invalid signature"
      end

      def dh_compute_key(point) = [@group.multiply(@number, point.pair)[0].to_s(16).rjust(@group.width * 2, "0")].pack("H*")

      private

      def truncated(hash)
        number = hash.unpack1("H*").hex
        extra = hash.bytesize * 8 - @group.order_int.bit_length
        extra > 0 ? number >> extra : number
      end
    end

    # Parameters of Diffie and Hellman's exchange: a safe prime and a generator.
    class DH < PKey
      attr_reader :p, :g
      class << self
        def generate(bits, generator = 2)
          made = allocate
          made.__send__(:place, BN.new(safe_prime(bits)), BN.new(generator))
          made
        end
        def from_parameters(tree)
          made = allocate
          made.__send__(:place, *tree.value.map { |each| BN.new(each.value.to_i) }.first(2))
          made
        end

        private

        def safe_prime(bits)
          loop do
            half = PrimeNumbers.generate(bits - 1)
            return 2 * half + 1 if PrimeNumbers.prime?(2 * half + 1)
          end
        end
      end

      def initialize(source = nil, generator = 2)
        return place(nil, nil) if source.nil?
        found = source.is_a?(Integer) ? DH.generate(source, generator) : begin
          OpenSSL::PKey.read(source)
        rescue PKeyError
          nil
        end
        raise DHError, "could not parse pkey" unless found.is_a?(DH)
        place(found.p, found.g)
      end
      def place(prime, generator)
        @p, @g = prime, generator
      end
      private :place
      def params_ok? = PrimeNumbers.prime?(@p.to_i)
      def private? = false
      def to_der = ASN1::Sequence([ASN1::Integer(@p.to_i), ASN1::Integer(@g.to_i)]).to_der
      def to_pem = PEM.encode("DH PARAMETERS", to_der)
      alias export to_pem
      alias to_s to_pem
    end
  end
end
