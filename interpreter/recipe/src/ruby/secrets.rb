class Chef
  # Clients of services that keep secrets. What they give is masked in all output.
  class SecretFetcher
    SECRET_FETCHERS = %i{example aws_secrets_manager azure_key_vault hashi_vault akeyless_vault}.freeze

    # The client of a service, with a valid configuration.
    def self.for_service(service, config, run_context)
      raise Chef::Exceptions::Secret::MissingFetcher.new(SECRET_FETCHERS) if service.nil? || service == ""

      name = { example: :Example, aws_secrets_manager: :AWSSecretsManager, azure_key_vault: :AzureKeyVault, hashi_vault: :HashiVault, akeyless_vault: :AKeylessVault }[service]
      raise Chef::Exceptions::Secret::InvalidFetcherService.new("Unsupported secret service: '#{service}'", SECRET_FETCHERS) unless name

      const_get(name).new(config, run_context).tap(&:validate!)
    end

    # What a client has to define: `do_fetch`, and `validate!` where its configuration can be wrong.
    class Base
      attr_reader :config, :run_context

      def initialize(config, run_context)
        @config = config
        @run_context = run_context
      end

      def fetch(name, version = nil)
        raise Chef::Exceptions::Secret::MissingSecretName if name.to_s.empty?

        Chef::EncryptedDataBagItem.remember(do_fetch(name, version))
      end

      def validate! = nil
      def do_fetch(_name, _version) = raise(NotImplementedError)
    end

    # Secrets in the configuration itself.
    class Example < Base
      def validate!
        raise Chef::Exceptions::Secret::ConfigurationInvalid, "The Example fetcher requires a hash of secrets" unless config.instance_of?(Hash)
      end

      def do_fetch(name, _version)
        config.fetch(name) { raise Chef::Exceptions::Secret::FetchFailed, "Secret #{name}) not found." }
      end
    end

    # A service for which rchef has no client.
    module Unreachable
      def do_fetch(name, _version)
        raise NotImplementedError, "secret #{name.inspect}: rchef has no client for #{self.class.name.split("::").last}; fetch it in a library, or keep it in an encrypted data bag item"
      end
    end
    private_constant :Unreachable

    class AWSSecretsManager < Base
      include Unreachable
    end

    class AzureKeyVault < Base
      include Unreachable
    end

    class HashiVault < Base
      include Unreachable
    end

    class AKeylessVault < HashiVault
    end
  end

  module DSL
    # The methods of recipes, resources and attribute files for secrets; `run_context` has the defaults.
    module Universal
      def default_secret_service(service = nil)
        return run_context.default_secret_service if service.nil?
        unless SecretFetcher::SECRET_FETCHERS.include?(service)
          raise Chef::Exceptions::Secret::InvalidFetcherService.new("Unsupported secret service: #{service.inspect}", SecretFetcher::SECRET_FETCHERS)
        end

        run_context.default_secret_service = service
      end

      def with_secret_service(service)
        raise ArgumentError, "You must pass a block to #with_secret_service" unless block_given?

        before = default_secret_service
        begin
          default_secret_service(service)
          yield
        ensure
          run_context.default_secret_service = before
        end
      end

      def default_secret_config(**config) = config.empty? ? run_context.default_secret_config : run_context.default_secret_config = config

      def with_secret_config(**config)
        raise ArgumentError, "You must pass a block to #with_secret_config" unless block_given?

        before = default_secret_config
        begin
          default_secret_config(**config)
          yield
        ensure
          run_context.default_secret_config = before
        end
      end

      def secret(name: nil, version: nil, service: default_secret_service, config: default_secret_config)
        sensitive(true) if is_a?(Chef::Resource)
        SecretFetcher.for_service(service, config, run_context).fetch(name, version)
      end
    end
  end
end
