require "openssl"

# Chef Vault: data bag items whose secret each authorized reader can decrypt with a private key. The item `NAME_keys` contains a copy of the secret
# for each reader, encrypted with the reader's public key; a sparse vault has an item `NAME_key_READER` for each copy instead.
class ChefVault
  VERSION = "4.1.0"

  class Exceptions < RuntimeError
    %i{SecretDecryption NoKeysDefined ItemAlreadyExists KeysNotFound ItemNotFound ItemNotEncrypted InvalidKey ClientNotFound AdminNotFound SearchNotFound}.each do |name|
      const_set(name, Class.new(self))
    end
  end

  class Item < Chef::DataBagItem
    attr_reader :vault, :node_name, :client_key_path

    class << self
      def load(vault, name, options = {})
        new(vault, name, options).tap { |item| item.send(:unlock) }
      end

      def vault?(vault, name) = data_bag_item_type(vault, name) == :vault

      # :vault, :encrypted or :normal
      def data_bag_item_type(vault, name)
        data = stored(vault, name)
        raise Exceptions::ItemNotFound, "#{vault}/#{name} not found" if data.nil?
        return :normal unless data.any? { |_, value| value.is_a?(Hash) && value.key?("encrypted_data") }

        stored(vault, "#{name}_keys").nil? ? :encrypted : :vault
      end

      private

      # The raw data of an item; nil if it does not exist.
      def stored(vault, name)
        Chef::DataBagItem.load(vault, name).raw_data
      rescue Net::HTTPClientException => error
        error.message.start_with?("404") ? nil : raise
      end
    end

    def initialize(vault, name, options = {})
      super()
      @vault = vault
      @node_name = options.fetch(:node_name) { Chef::Config[:node_name] }
      @client_key_path = options.fetch(:client_key_path) { Chef::Config[:client_key] }
      data_bag(vault)
      self.raw_data = { "id" => name }
    end

    private

    def unlock
      self.raw_data = Chef::EncryptedDataBagItem.load(vault, id, shared_secret).to_h
    end

    def stored(name) = self.class.send(:stored, vault, name)

    def shared_secret
      keys = stored("#{id}_keys")
      raise Exceptions::KeysNotFound, "#{vault}/#{id}_keys could not be found" if keys.nil?

      copy = keys[node_name] || stored("#{id}_key_#{node_name}").to_h[node_name]
      raise Exceptions::SecretDecryption, "#{vault}/#{id} is not encrypted with your public key.  Contact an administrator of the vault item to encrypt for you!" if copy.nil?

      Chef::EncryptedDataBagItem.remember(OpenSSL::PKey::RSA.new(File.read(client_key_path)).private_decrypt(copy.unpack1("m")))
    rescue OpenSSL::PKey::RSAError
      raise Exceptions::SecretDecryption, "#{client_key_path} does not open the secret of #{vault}/#{id} for #{node_name}: after a change of the node's key, an administrator must run `knife vault refresh`"
    end
  end
end
