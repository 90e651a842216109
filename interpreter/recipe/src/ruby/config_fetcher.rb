require "pathname"

class Chef
  # A configuration file of this machine, or one behind an address.
  class ConfigFetcher
    attr_reader :config_location

    def initialize(config_location) = @config_location = config_location
    def remote_config? = config_location.to_s.match?(%r{^https?://})
    def expanded_path = config_location.nil? || remote_config? ? config_location : File.expand_path(config_location)
    def config_missing? = !remote_config? && !File.exist?(config_location)
    def read_config = remote_config? ? fetch_remote_config : read_local_config
    def http = Chef::HTTP::Simple.new(config_location)

    def fetch_json
      Chef::JSONCompat.from_json(read_config)
    rescue Chef::Exceptions::JSON::ParseError => e
      Chef::Application.fatal!("Could not parse the provided JSON file (#{config_location}): #{e.message}")
    end

    def fetch_remote_config
      http.get("")
    rescue SocketError, SystemCallError, Net::HTTPClientException => e
      Chef::Application.fatal!("Cannot fetch config '#{config_location}': '#{e.class}: #{e.message}")
    end

    def read_local_config
      ::File.read(config_location)
    rescue Errno::ENOENT
      Chef::Application.fatal!("Cannot load configuration from #{config_location}")
    rescue Errno::EACCES
      Chef::Application.fatal!("Permissions are incorrect on #{config_location}. Please chmod a+r #{config_location}")
    end
  end
end
