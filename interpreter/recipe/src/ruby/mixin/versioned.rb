class Chef
  # The API versions of a Chef server; a local run has none.
  class ServerAPIVersions
    def self.instance = @instance ||= new

    def min_server_version = @versions && Integer(@versions["min_version"])
    def max_server_version = @versions && Integer(@versions["max_version"])
    def negotiated? = !@versions.nil?
    def set_versions(versions) = @versions = versions
    def unversioned! = @unversioned = true
    def unversioned? = @unversioned
    def reset! = (@versions = nil; @unversioned = false)
  end

  module Mixin
    # Selects a class by the API version.
    module VersionedAPIFactory
      def versioned_interfaces = @versioned_interfaces ||= []
      def add_versioned_api_class(klass) = versioned_interfaces << klass
      def versioned_api_class = get_class_for(:max_server_version)

      def get_class_for(bound)
        server = Chef::ServerAPIVersions.instance
        fitting = versioned_interfaces.select do |klass|
          server.min_server_version.nil? || klass.minimum_api_version.between?(server.min_server_version, server.public_send(bound))
        end
        fitting.max_by(&:minimum_api_version)
      end

      def def_versioned_delegator(name)
        define_singleton_method(name) { |*args, **options, &block| versioned_api_class.public_send(name, *args, **options, &block) }
      end

      def new(*args) = versioned_api_class.new(*args)

      def best_request_version = get_class_for(:max_server_version).minimum_api_version.to_s
      def possible_requests = versioned_interfaces.length
    end

    module ApiVersionRequestHandling
      # The versions that both sides support, after the server has refused the requested one.
      def server_client_api_version_intersection(exception, supported_client_versions)
        response = exception.response
        return nil unless response.code == "406" && response["x-ops-server-api-version"]

        header = Chef::JSONCompat.from_json(response["x-ops-server-api-version"])
        supported_client_versions & Range.new(Integer(header["min_version"]), Integer(header["max_version"])).to_a
      end

      def reregister_only_v0_supported_error_msg(max_version, min_version)
        "The reregister command only supports server API version 0.\n" \
          "The server that received the request supports a min version of #{min_version} and a max version of #{max_version}.\n" \
          "User keys are now managed via the key rotation commmands.\n" \
          "Please refer to the documentation on how to manage your keys via the key rotation commands:\n" \
          "https://docs.chef.io/server/server_users/#user-key-management\n"
      end
    end
  end
end
