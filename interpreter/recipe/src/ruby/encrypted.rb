class Chef
  # Encrypted data bag items as classes of Chef's API. The encryption is native and shared with `data_bag_item`:
  # `seal(format, text, secret, iv)`, `unseal(value, secret)`, `keys_of(format)`.
  class EncryptedDataBagItem
    ALGORITHM = "aes-256-cbc"
    AEAD_ALGORITHM = "aes-256-gcm"

    class EncryptionFailure < StandardError
    end

    class << self
      def encrypt_data_bag_item(plain, secret)
        plain.map { |key, value| [key, key == "id" ? value : Encryptor.new(value, secret).for_encrypted_item] }.to_h
      end

      private :seal, :unseal, :keys_of, :remember_decrypted
    end

    # Checks of formats before encryption and decryption.
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
        require "openssl"
        return if OpenSSL::Cipher.ciphers.include?(algorithm)

        raise EncryptedDataBagRequirementsFailure, "The used Encrypted Data Bags version requires an OpenSSL version with \"#{algorithm}\" algorithm support"
      end
    end

    # `new(value, secret, iv = nil)` gives an encryptor of the configured format.
    module Encryptor
      extend Assertions

      def self.of(format) = { 1 => Version1Encryptor, 2 => Version2Encryptor, 3 => Version3Encryptor }[format]

      def self.new(value, secret, iv = nil)
        format = Chef::Config[:data_bag_encrypt_version]
        chosen = of(format)
        return chosen.new(value, secret, iv) if chosen

        raise UnsupportedEncryptedDataBagItemFormat, "Invalid encrypted data bag format version `#{format}'. Versions '1', '2', '3' are supported"
      end

      class Version1Encryptor
        include Assertions

        FORMAT = 1
        attr_reader :key, :plaintext_data

        def self.encryptor_keys = EncryptedDataBagItem.send(:keys_of, self::FORMAT)

        # `iv` in Base64; nil for a random one.
        def initialize(plaintext_data, key, iv = nil)
          @plaintext_data = plaintext_data
          @key = EncryptedDataBagItem.remember(key)
          @given = iv&.unpack1("m")
        end

        def for_encrypted_item = sealed.dup
        def encrypted_data = sealed["encrypted_data"]
        def iv = sealed["iv"].unpack1("m")
        def algorithm = ALGORITHM
        def serialized_data = Chef::JSONCompat.to_json("json_wrapper" => plaintext_data)

        private

        def sealed
          @sealed ||= EncryptedDataBagItem.send(:seal, self.class::FORMAT, serialized_data, key, @given)
        end
      end

      class Version2Encryptor < Version1Encryptor
        FORMAT = 2
        def hmac = sealed["hmac"]
      end

      class Version3Encryptor < Version1Encryptor
        FORMAT = 3

        def initialize(*)
          super
          assert_aead_requirements_met!(algorithm)
        end

        def algorithm = AEAD_ALGORITHM

        def auth_tag
          raise EncryptionFailure, "The authentication tag is known only once the value is encrypted: ask for encrypted_data or for_encrypted_item first" unless @sealed

          sealed["auth_tag"].unpack1("m")
        end
      end
    end

    # `for(value, secret)` gives a decryptor of the value's format.
    module Decryptor
      extend Assertions

      def self.for(value, key)
        format = value.respond_to?(:key?) ? value["version"] : 0
        assert_format_version_acceptable!(format)
        chosen = { 0 => Version0Decryptor, 1 => Version1Decryptor, 2 => Version2Decryptor, 3 => Version3Decryptor }[format]
        return chosen.new(value, key) if chosen

        raise UnsupportedEncryptedDataBagItemFormat, "This version of chef does not support encrypted data bag item format version '#{format}'"
      end

      # The decrypted text of format 0 is YAML.
      class Version0Decryptor
        include Assertions

        attr_reader :encrypted_data, :key

        def initialize(encrypted_data, key)
          @encrypted_data = encrypted_data
          @key = EncryptedDataBagItem.remember(key)
        end

        def algorithm = ALGORITHM
        def decrypted_data = @decrypted_data ||= EncryptedDataBagItem.send(:unseal, encrypted_data, key)
        def for_decrypted_item = EncryptedDataBagItem.send(:remember_decrypted, plain)

        private

        def plain
          require "yaml"
          YAML.load(decrypted_data)
        end
      end

      # In later formats it is JSON with a wrapper, which allows strings and numbers at the top level.
      class Version1Decryptor < Version0Decryptor
        def iv = encrypted_data["iv"].unpack1("m")

        private

        def plain
          Chef::JSONCompat.parse(decrypted_data)["json_wrapper"]
        rescue JSON::ParserError, Chef::Exceptions::JSON::ParseError
          raise DecryptionFailure, "Error decrypting data bag value. Most likely the provided key is incorrect"
        end
      end

      class Version2Decryptor < Version1Decryptor
      end

      class Version3Decryptor < Version1Decryptor
        def initialize(*)
          super
          assert_aead_requirements_met!(algorithm)
        end

        def algorithm = AEAD_ALGORITHM
        def auth_tag = encrypted_data["auth_tag"]&.unpack1("m")
      end
    end

    # Whether every value of an item is encrypted.
    module CheckEncrypted
      def encrypted?(raw_data)
        values = raw_data.reject { |key, _| key == "id" }.values
        values.any? && values.all? { |value| sealed?(value) }
      end

      private

      def sealed?(value)
        kind = Encryptor.of(value["version"]) if value.is_a?(Hash)
        !kind.nil? && kind.encryptor_keys.sort == value.keys.sort
      end
    end
  end
end
