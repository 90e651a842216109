require "set"
require "uri"

class Chef
  # Sends two messages on a run, at its start and at its end, to the data collector of Chef Automate, to other addresses and to files
  # (`data_collector.server_url` and `output_locations` of the configuration).
  class DataCollector
    DEFAULT_SERVER = "https://localhost:443"

    class << self
      def config = Chef::Config[:data_collector]
      def solo? = Chef::Config[:solo_legacy_mode] || Chef::Config[:local_mode]
      def chef_server_url = Chef::Config[:chef_server_url] || DEFAULT_SERVER

      # The fields that both messages begin with.
      def common_fields(reporter, type, version)
        status = reporter.run_status
        {
          "chef_server_fqdn" => URI(chef_server_url).host, "entity_uuid" => Chef::Config[:chef_guid], "id" => status&.run_id,
          "message_version" => version, "message_type" => type, "node_name" => reporter.node&.name || reporter.node_name,
          "organization_name" => organization, "run_id" => status&.run_id, "source" => solo? ? "chef_solo" : "chef_client",
          "start_time" => status&.start_time&.utc&.iso8601
        }
      end

      # A message without the secrets that the run has decrypted.
      def masked(value)
        case value
        when String then EncryptedDataBagItem.shown(value)
        when Hash then value.to_h { |key, each| [key, masked(each)] }
        when Array then value.map { |each| masked(each) }
        else value
        end
      end

      private

      def organization = solo? ? config[:organization] : chef_server_url[%r{/+organizations/+([^\s/]+)}, 1] || "unknown_organization"
    end

    # Checks of the settings.
    module ConfigValidation
      class << self
        def validate_server_url!
          url = DataCollector.config[:server_url]
          return if !url && DataCollector.config[:output_locations]

          host = uri(url) { refuse("[:server_url] (#{url}) is not a valid URI.") }.host
          refuse("[:server_url] (#{url}) is a URI with no host. Please supply a valid URL.") if host.nil?
        end

        def validate_output_locations!
          locations = DataCollector.config[:output_locations] or return
          refuse_empty unless names?(locations, :urls) || names?(locations, :files)
          Array(locations[:urls]).each { |url| uri(url) { refuse("[:output_locations][:urls] contains the url #{url} which is not valid.") } }
          Array(locations[:files]).each do |file|
            next if Chef::Config.path_accessible?(File.expand_path(file))

            refuse("[:output_locations][:files] contains the location #{file}, which is a non existent file path.")
          end
          locations
        end

        # Whether the run sends messages: not in why-run, nor in a mode that the configuration excludes, nor without a place to send them to. A run
        # without a server needs a token, except for files.
        def should_be_enabled?
          settings = DataCollector.config
          mode = DataCollector.solo? ? :solo : :client
          locations = settings[:output_locations]
          return off("data collector is disabled for why run mode") if Chef::Config[:why_run]
          return off("data collector is configured to only run in #{settings[:mode]} modes, disabling it") unless [:both, mode].include?(settings[:mode])
          return off("Neither data collector URL or output locations have been configured, disabling data collector") unless settings[:server_url] || locations

          if mode == :client
            warn_of_token if settings[:token]
          elsif locations && !names?(locations, :urls)
            refuse_empty unless names?(locations, :files)
          elsif !settings[:token]
            return off("Data collector token must be configured to use #{ChefUtils::Dist::Automate::PRODUCT} data collector with #{ChefUtils::Dist::Solo::PRODUCT}")
          end
          true
        end

        private

        def names?(locations, kind) = locations.is_a?(Hash) && locations.key?(kind)

        def uri(url)
          URI(url)
        rescue StandardError
          yield
        end

        def refuse(text) = raise(Chef::Exceptions::ConfigurationError, "Chef::Config[:data_collector]#{text}")
        def refuse_empty = refuse("[:output_locations] is empty. Please supply an hash of valid URLs and / or local file paths.")

        def off(reason)
          Chef::Log.trace(reason)
          false
        end

        def warn_of_token
          Chef::Log.warn("Data collector token authentication is not recommended for client-server mode. Please upgrade #{ChefUtils::Dist::Server::PRODUCT} to 12.11 or later and remove the token from your config file to use key based authentication instead")
        end
      end
    end

    # The descriptions of errors that end a run, for its last message.
    module ErrorHandlers
      # The node's name where the run ended before there was a node.
      attr_reader :node_name

      def error_description = @error_description ||= {}

      # defines: registration_failed node_load_failed
      %i(registration_failed node_load_failed).each do |event|
        define_method(event) do |node_name, exception, config|
          @node_name = node_name
          describe(event, node_name, exception, config)
        end
      end

      # defines: run_list_expand_failed cookbook_resolution_failed cookbook_sync_failed file_load_failed resource_failed
      %i(run_list_expand_failed cookbook_resolution_failed cookbook_sync_failed file_load_failed resource_failed).each do |event|
        define_method(event) { |*args| describe(event, *args) }
      end

      def recipe_not_found(exception) = describe(:file_load_failed, nil, exception)

      private

      def describe(event, *args) = @error_description = Formatters::ErrorMapper.public_send(event, *args).for_json
    end

    # The message at the start of a run.
    module RunStartMessage
      def self.construct_message(reporter) = DataCollector.common_fields(reporter, "run_start", "1.0.0")
    end

    # The message at the end of a run, with the outcome of every action.
    module RunEndMessage
      class << self
        def construct_message(reporter, status)
          node = reporter.node
          run = reporter.run_status
          records = reporter.action_collection&.action_records || []
          message = DataCollector.common_fields(reporter, "run_converge", "1.1.0").merge(
            "expanded_run_list" => reporter.expanded_run_list, "node" => node&.data_for_save || {}, "resources" => records.map { |record| fields(record) },
            "run_list" => node&.run_list&.for_json || [], "cookbooks" => (node && node["cookbooks"]) || {}, "policy_name" => node&.policy_name,
            "policy_group" => node&.policy_group, "end_time" => run&.end_time&.utc&.iso8601, "status" => status, "total_resource_count" => records.size,
            "updated_resource_count" => records.count { |record| record.status == :updated }, "deprecations" => reporter.deprecations.to_a
          )
          message["error"] = error(run.exception, reporter.error_description) if run&.exception
          message
        end

        private

        def error(exception, description)
          { "class" => exception.class, "message" => exception.message, "backtrace" => exception.backtrace, "description" => description }
        end

        def fields(record)
          resource = record.new_resource
          ran = %i(updated up_to_date).include?(record.status)
          told = %i(updated failed).include?(record.status)
          found = {
            "type" => resource.resource_name.to_sym, "name" => resource.name.to_s, "id" => identity(resource),
            "after" => ran ? state(record.after_resource || resource) : {}, "before" => state(record.current_resource),
            "duration" => record.elapsed_time ? (record.elapsed_time * 1000).to_i.to_s : "",
            "delta" => told && resource.respond_to?(:diff) ? resource.diff : "", "ignore_failure" => resource.ignore_failure,
            "result" => record.action.to_s, "status" => record.status.to_s.tr("_", "-")
          }
          if resource.cookbook_name
            found.update("cookbook_name" => resource.cookbook_name, "cookbook_version" => version(resource), "recipe_name" => resource.recipe_name)
          end
          found["conditional"] = record.conditional&.to_text if record.status == :skipped
          if record.exception
            found.update("error_message" => record.exception.message, "error" => error(record.exception, record.error_description))
          end
          found
        end

        # The version of the resource's cookbook; the cookbooks of several policies are not those of this process.
        def version(resource)
          resource.cookbook_version&.version
        rescue Exceptions::CookbookNotFound
          nil
        end

        # The identity; a lazy one may raise as long as what it depends on is not there.
        def identity(resource)
          resource.identity.to_s
        rescue StandardError => error
          "unknown identity (due to #{error.class})"
        end

        def state(resource)
          resource ? resource.state_for_resource_reporter : {}
        rescue StandardError
          {}
        end
      end
    end

    # The subscriber to the run's events that sends the messages.
    class Reporter < EventDispatch::Base
      include ErrorHandlers

      attr_reader :expanded_run_list, :run_status, :node, :deprecations, :events

      def initialize(events)
        @events = events
        @expanded_run_list = {}
        @deprecations = Set.new
        @clients = {}
      end

      def run_start(_version, run_status)
        events.unregister(self) unless ConfigValidation.should_be_enabled?
        @run_status = run_status
      end

      def node_load_success(node)
        @node = node
      end

      def run_list_expanded(expansion)
        @expanded_run_list = expansion
      end

      def action_collection_registration(action_collection)
        @action_collection = action_collection
      end

      # The one that was registered, or that of the run.
      def action_collection = @action_collection || run_status&.run_context&.action_collection

      def run_started(_run_status)
        ConfigValidation.validate_server_url!
        ConfigValidation.validate_output_locations!
        send_run_start
      end

      # `message` is a Chef::Deprecated, or the text of one that the run itself tells of.
      def deprecation(message, location = nil)
        told = message.respond_to?(:url) ? { message: message.message, url: message.url, location: message.location } : { message: message, location: location }
        @deprecations << told
      end

      def run_completed(_node, _run_status = nil) = send_run_completion("success")
      def run_failed(_exception, _run_status = nil) = send_run_completion("failure")

      private

      def send_run_start
        send_message(RunStartMessage.construct_message(self))
        @sent_run_start = true
      end

      # A run that fails before it has started sends both messages, too.
      def send_run_completion(status)
        send_run_start unless @sent_run_start
        message = RunEndMessage.construct_message(self, status)
        drop_removed_values(message) if ChefUtils.windows?
        send_message(message)
      end

      def send_message(message)
        message = DataCollector.masked(message)
        send_to_data_collector(message)
        send_to_output_locations(message)
      end

      # Leaves out the values of registry keys that the run has removed.
      def drop_removed_values(message)
        message["resources"]&.each do |resource|
          before, after = resource.values_at("before", "after").map { |state| state && state[:values] }
          next unless resource["type"] == :registry_key && before && after

          kept = after.map { |value| value[:name] }
          before.select! { |value| kept.include?(value[:name]) }
        end
      end

      # With a token the requests are not signed.
      def setup_http_client(url)
        client = DataCollector.config[:token].nil? ? Chef::ServerAPI : Chef::HTTP::SimpleJSON
        client.new(url, validate_utf8: false)
      end

      def post(url, message) = (@clients[url] ||= setup_http_client(url)).post(nil, message, headers)

      def send_to_data_collector(message)
        url = DataCollector.config[:server_url] or return
        begin
          post(url, message)
        rescue StandardError => error
          not_sent(url, error)
        end
      end

      # The run goes on without the data collector, unless the configuration says that a failure ends it.
      def not_sent(url, error)
        events.unregister(self) unless DataCollector.config[:output_locations]
        code = error.respond_to?(:response) && error.response.respond_to?(:code) ? error.response.code.to_s : "No HTTP Code"
        text = "Error while reporting run start to Data Collector. URL: #{url} Exception: #{code} -- #{error.message} "
        if DataCollector.config[:raise_on_failure]
          Chef::Log.error(text)
          raise error
        end
        return Chef::Log.warn(text) unless code == "404"

        Chef::Log.debug("#{text} (This is normal if you do not have #{ChefUtils::Dist::Automate::PRODUCT})")
      end

      def send_to_output_locations(message)
        locations = ConfigValidation.validate_output_locations! or return
        Array(locations[:files]).each { |file| send_to_file_location(file, message) }
        Array(locations[:urls]).each { |url| send_to_http_location(url, message) }
      end

      def send_to_file_location(file, message)
        File.open(File.expand_path(file), "a", 0o600) { |io| io.puts(Chef::JSONCompat.to_json(message, validate_utf8: false)) }
      end

      def send_to_http_location(url, message)
        post(url, message)
      rescue StandardError
        Chef::Log.warn("Data collector failed to send to URL location #{url}. Please check your configured data_collector.output_locations")
      end

      def headers
        token = DataCollector.config[:token]
        made = { "Content-Type" => "application/json" }
        made.update("x-data-collector-token" => token, "x-data-collector-auth" => "version=1.0") unless token.nil?
        made
      end
    end
  end
end
