# `gem push`: sends a `.gem` file to a server.
require "rubygems/command"
require "rubygems/gemcutter_utilities"
require "rubygems/local_remote_options"
require "rubygems/package"

module Gem
  module Commands
    class PushCommand < Command
      include LocalRemoteOptions
      include GemcutterUtilities

      SCOPE = :push_rubygem
      private_constant :SCOPE

      def initialize
        super("push", "Push a gem up to the gem server", host: host)
        @user_defined_host = false
        add_proxy_option
        add_key_option
        add_otp_option
        add_option("--host HOST", "Push to another gemcutter-compatible host", "  (e.g. https://rubygems.org)") do |value, options|
          options[:host] = value
          @user_defined_host = true
        end
        @host = nil
      end

      def arguments = "GEM       built gem to push up"
      def usage = "#{program_name} GEM"
      def description
        <<~TEXT
          Sends a .gem file to a server of gems, https://rubygems.org if nothing
          else is said. The key is that of GEM_HOST_API_KEY, of --key, or of the
          credentials file.
        TEXT
      end

      # To the host of the command line; else to what the gem names: where it goes, or is allowed to go.
      def execute
        name = get_one_gem_name
        @host = (options[:host] if @user_defined_host) || hosts_for(name).compact.first || options[:host]
        sign_in(@host, scope: SCOPE)
        send_gem(name)
      end

      def send_gem(name)
        allowed = hosts_for(name).last
        @host ||= allowed
        say("Pushing gem to #{@host || Gem.host}...")
        with_response(post(name, allowed))
      end

      private

      def hosts_for(name) = Package.new(name).spec.metadata.values_at("default_gem_server", "allowed_push_host")

      def post(name, allowed)
        bytes = Gem.read_binary(name)
        rubygems_api_request(:post, "api/v1/gems", @host, allowed, scope: SCOPE) do |request|
          request.body = bytes
          { "Content-Length" => bytes.bytesize.to_s, "Content-Type" => "application/octet-stream", "Authorization" => api_key }.each { |field, value| request[field] = value }
        end
      end
    end
  end
end
