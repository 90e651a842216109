require "base64"
require "openssl"

# Vaults: encrypted data bag items whose secret is kept once for each reader, encrypted with the reader's public key, in an item
# `NAME_keys` beside them; in sparse mode each reader's copy has an item of its own, `NAME_key_READER`.
class ChefVault
  VERSION = "4.1.0"

  class Exceptions < RuntimeError
    %i{SecretDecryption NoKeysDefined ItemAlreadyExists KeysNotFound ItemNotFound ItemNotEncrypted InvalidKey ClientNotFound AdminNotFound SearchNotFound}.each do |name|
      const_set(name, Class.new(self))
    end
  end

  class Item
    attr_reader :vault, :node_name, :client_key_path, :raw_data
    alias data_bag vault

    def self.load(vault, name, opts = {}) = new(vault, name, opts).tap { |item| item.send(:open) }

    def self.vault?(vault, name)
      return false if name.end_with?("_keys")

      !!data_item(vault, "#{name}_keys")
    end

    # :vault, :encrypted or :normal.
    def self.data_bag_item_type(vault, name)
      return :vault if vault?(vault, name)

      item = data_item(vault, name) || {}
      item.any? { |key, value| key != "id" && value.is_a?(Hash) && value.key?("encrypted_data") } ? :encrypted : :normal
    end

    def self.data_item(vault, name)
      Chef::DataBagItem.load(vault, name).to_h
    rescue Net::HTTPClientException => e
      raise unless e.message.start_with?("404")
    end
    private_class_method :data_item

    def initialize(vault, name, opts = {})
      @vault = vault
      @name = name
      @node_name = opts[:node_name] || Chef::Config[:node_name]
      @client_key_path = opts[:client_key_path] || Chef::Config[:client_key]
      @raw_data = Mash.new("id" => name)
    end

    def id = @raw_data["id"]
    def [](key) = @raw_data[key]
    def to_h = @raw_data.to_h
    alias to_hash to_h
    def to_json(*args) = to_h.to_json(*args)
    def inspect = "#<#{self.class} #{vault}/#{@name}>"
    def respond_to_missing?(name, all = false) = @raw_data.respond_to?(name, all) || super

    def method_missing(name, *args, **options, &block)
      return super unless @raw_data.respond_to?(name)

      @raw_data.public_send(name, *args, **options, &block)
    end

    private

    def open
      @raw_data = Mash.new(Chef::EncryptedDataBagItem.load(vault, @name, secret).to_h)
    end

    def secret
      kept = encrypted_secret
      raise Exceptions::SecretDecryption, "#{vault}/#{@name} is not encrypted with your public key.  Contact an administrator of the vault item to encrypt for you!" unless kept

      key = OpenSSL::PKey::RSA.new(File.read(client_key_path))
      begin
        key.private_decrypt(Base64.decode64(kept))
      rescue OpenSSL::PKey::RSAError
        raise Exceptions::SecretDecryption, "#{vault}/#{@name} is encrypted for you, but your private key failed to decrypt the contents.  (if you regenerated your client key, have an administrator of the vault run 'knife vault refresh')"
      end
    end

    def encrypted_secret
      keys = self.class.send(:data_item, vault, "#{@name}_keys")
      raise Exceptions::KeysNotFound, "#{vault}/#{@name}_keys could not be found" unless keys

      keys[node_name] || (self.class.send(:data_item, vault, "#{@name}_key_#{node_name}") || {})[node_name]
    end
  end
end
