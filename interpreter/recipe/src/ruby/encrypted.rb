require "base64"
require "openssl"

class Chef
  # Encrypted data bag items as objects: who writes them, who reads them, how they are told apart.
  class EncryptedDataBagItem
    ALGORITHM = "aes-256-cbc"
    AEAD_ALGORITHM = "aes-256-gcm"

    class EncryptionFailure < StandardError
    end

    def self.encrypt_data_bag_item(plain, secret)
      plain.to_h { |key, value| [key, key == "id" ? value : Encryptor.new(value, secret).for_encrypted_item] }
    end

    module Assertions
      def assert_format_version_acceptable!(version)
        least = Chef::Config[:data_bag_decrypt_minimum_version]
        return if version.is_a?(Integer) && version >= least

        raise UnacceptableEncryptedDataBagItemFormat, "The encrypted data bag item has format version `#{version}', but the config setting 'data_bag_decrypt_minimum_version' requires version `#{least}'"
      end

      def assert_valid_cipher!(requested, algorithm)
        return if requested == algorithm

        raise UnsupportedCipher, "Cipher '#{requested}' is not supported by this version of Chef. Available ciphers: ['#{ALGORITHM}', '#{AEAD_ALGORITHM}']"
      end

      def assert_aead_requirements_met!(algorithm)
        return if OpenSSL::Cipher.ciphers.include?(algorithm)

        raise EncryptedDataBagRequirementsFailure, "The used Encrypted Data Bags version requires an OpenSSL version with \"#{algorithm}\" algorithm support"
      end
    end

    # `new(value, secret, iv = nil)` gives an encryptor of the configured version.
    module Encryptor
      extend Assertions

      def self.new(value, secret, iv = nil)
        version = Chef::Config[:data_bag_encrypt_version]
        kind = { 1 => Version1Encryptor, 2 => Version2Encryptor, 3 => Version3Encryptor }[version]
        raise UnsupportedEncryptedDataBagItemFormat, "Invalid encrypted data bag format version `#{version}'. Versions '1', '2', '3' are supported" unless kind

        kind.new(value, secret, iv)
      end

      # JSON, aes-256-cbc, a random iv.
      class Version1Encryptor
        include Assertions

        attr_reader :key, :plaintext_data

        def self.encryptor_keys = %w{encrypted_data iv version cipher}

        def initialize(plaintext_data, key, iv = nil)
          @plaintext_data = plaintext_data
          @key = key
          @iv = iv && Base64.decode64(iv)
        end

        def algorithm = ALGORITHM
        def for_encrypted_item = { "encrypted_data" => encrypted_data, "iv" => Base64.encode64(iv), "version" => 1, "cipher" => algorithm }
        def serialized_data = Chef::JSONCompat.to_json({ "json_wrapper" => plaintext_data })

        # Random, unless one was given.
        def iv
          openssl_encryptor
          @iv
        end

        def encrypted_data
          @encrypted_data ||= Base64.encode64(openssl_encryptor.update(serialized_data) << openssl_encryptor.final)
        end

        def openssl_encryptor
          @openssl_encryptor ||= begin
            cipher = OpenSSL::Cipher.new(algorithm)
            cipher.encrypt
            @iv ||= cipher.random_iv
            cipher.key = OpenSSL::Digest.digest("SHA256", key)
            cipher.iv = @iv
            prepare(cipher)
            cipher
          end
        end

        private

        def prepare(_cipher) = nil
      end

      # The same with an HMAC of what was encrypted.
      class Version2Encryptor < Version1Encryptor
        def self.encryptor_keys = super + %w{hmac}
        def for_encrypted_item = super.merge("hmac" => hmac, "version" => 2)
        def hmac = @hmac ||= Base64.encode64(OpenSSL::HMAC.digest(OpenSSL::Digest.new("sha256"), key, encrypted_data))
      end

      # JSON, aes-256-gcm, which authenticates.
      class Version3Encryptor < Version1Encryptor
        def self.encryptor_keys = super + %w{auth_tag}

        def initialize(plaintext_data, key, iv = nil)
          super
          assert_aead_requirements_met!(algorithm)
        end

        def algorithm = AEAD_ALGORITHM

        def for_encrypted_item
          found = super
          found.merge("auth_tag" => Base64.encode64(auth_tag), "version" => 3)
        end

        def encrypted_data
          @encrypted_data ||= super.tap { @auth_tag = openssl_encryptor.auth_tag }
        end

        def auth_tag = @auth_tag || raise(EncryptionFailure, "Internal Error: GCM authentication tag read before encryption")

        private

        def prepare(cipher) = cipher.auth_data = ""
      end
    end

    # `for(value, secret)` gives a decryptor of the value's version.
    module Decryptor
      extend Assertions

      def self.for(value, key)
        version = value.respond_to?(:key?) ? value["version"] : 0
        assert_format_version_acceptable!(version)
        kind = [Version0Decryptor, Version1Decryptor, Version2Decryptor, Version3Decryptor][version] if version.between?(0, 3)
        raise UnsupportedEncryptedDataBagItemFormat, "This version of chef does not support encrypted data bag item format version '#{version}'" unless kind

        kind.new(value, key)
      end

      # YAML, aes-256-cbc, key and iv from the secret.
      class Version0Decryptor
        include Assertions

        attr_reader :encrypted_data, :key

        def initialize(encrypted_data, key)
          @encrypted_data = encrypted_data
          @key = key
        end

        def algorithm = ALGORITHM
        def encrypted_bytes = Base64.decode64(@encrypted_data)

        def for_decrypted_item
          require "yaml"
          YAML.load(decrypted_data)
        end

        def decrypted_data
          @decrypted_data ||= openssl_decryptor.update(encrypted_bytes) << openssl_decryptor.final
        rescue OpenSSL::Cipher::CipherError => e
          hint = "You may need to use --secret-file rather than --secret." if key.length < 255 && key.include?("/")
          raise DecryptionFailure, "Error decrypting data bag value: '#{e.message}'. Most likely the provided key is incorrect. #{hint}"
        end

        def openssl_decryptor
          @openssl_decryptor ||= OpenSSL::Cipher.new(algorithm).tap do |cipher|
            cipher.decrypt
            cipher.pkcs5_keyivgen(key)
          end
        end
      end

      class Version1Decryptor < Version0Decryptor
        def encrypted_bytes = Base64.decode64(@encrypted_data["encrypted_data"])
        def iv = Base64.decode64(@encrypted_data["iv"])

        def for_decrypted_item
          Chef::JSONCompat.parse(decrypted_data)["json_wrapper"]
        rescue JSON::ParserError, Chef::Exceptions::JSON::ParseError
          raise DecryptionFailure, "Error decrypting data bag value. Most likely the provided key is incorrect"
        end

        def openssl_decryptor
          @openssl_decryptor ||= begin
            assert_valid_cipher!(@encrypted_data["cipher"], algorithm)
            OpenSSL::Cipher.new(algorithm).tap do |cipher|
              cipher.decrypt
              cipher.key = OpenSSL::Digest.digest("SHA256", key)
              cipher.iv = iv
            end
          end
        end
      end

      class Version2Decryptor < Version1Decryptor
        def decrypted_data
          validate_hmac! unless @decrypted_data
          super
        end

        def validate_hmac!
          wanted = OpenSSL::HMAC.digest(OpenSSL::Digest.new("sha256"), key, @encrypted_data["encrypted_data"])
          return if same?(wanted.bytes, Base64.decode64(@encrypted_data["hmac"].to_s).bytes)

          raise DecryptionFailure, "Error decrypting data bag value: invalid hmac. Most likely the provided key is incorrect"
        end

        private

        # Takes as long whatever differs.
        def same?(wanted, found) = wanted.zip(found).inject(wanted.size ^ found.size) { |sum, (x, y)| sum | (x ^ y.to_i) }.zero?
      end

      class Version3Decryptor < Version1Decryptor
        def initialize(encrypted_data, key)
          super
          assert_aead_requirements_met!(algorithm)
        end

        def algorithm = AEAD_ALGORITHM

        def auth_tag
          tag = @encrypted_data["auth_tag"]
          raise DecryptionFailure, "Error decrypting data bag value: invalid authentication tag. Most likely the data is corrupted" if tag.nil?

          Base64.decode64(tag)
        end

        def openssl_decryptor
          return @openssl_decryptor if @openssl_decryptor

          super.tap do |cipher|
            cipher.auth_tag = auth_tag
            cipher.auth_data = ""
          end
        end
      end
    end

    # Whether every value of an item looks encrypted.
    module CheckEncrypted
      def encrypted?(raw_data)
        data = raw_data.reject { |key, _| key == "id" }
        !data.empty? && data.all? { |_, value| looks_like_encrypted?(value) }
      end

      private

      def looks_like_encrypted?(value)
        return false unless value.is_a?(Hash) && value.key?("version")

        kind = { 1 => Encryptor::Version1Encryptor, 2 => Encryptor::Version2Encryptor, 3 => Encryptor::Version3Encryptor }[value["version"]]
        kind ? kind.encryptor_keys.sort == value.keys.sort : false
      end
    end
  end
end
