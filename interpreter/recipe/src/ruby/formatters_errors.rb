class Chef
  module Formatters
    # Descriptions of what a Chef server answered, or that it did not answer. What includes this has `exception` and `config`.
    module APIErrorFormatting
      NETWORK_ERROR_CLASSES = [Errno::ECONNREFUSED, Timeout::Error, Errno::ETIMEDOUT, SocketError].freeze

      def describe_network_errors(description)
        describe_network(description)
        description.section("Relevant Config Settings:", "chef_server_url  \"#{server_url}\"\n")
      end

      def describe_eof_error(description)
        description.section("Authentication Error:", <<~TEXT)
          Received an EOF on transport socket.  This almost always indicates a network
          error external to #{ChefUtils::Dist::Infra::CLIENT}: blocked ICMP messages (path MTU discovery), the MTU of a
          VPN, IPsec or TCP encapsulation, jumbo frames that not every device on the
          path takes, or a proxy, load balancer or network driver that breaks large
          requests. Send a large ping (ping -s 9999) and a large POST to the server to
          find out which.
        TEXT
      end

      def describe_401_error(description)
        describe_unauthorized(description, "chef server", <<~TEXT)
          chef_server_url   "#{server_url}"
          node_name         "#{username}"
          client_key        "#{api_key}"

          If these settings are correct, your client_key may be invalid, or
          you may have a chef user with the same client name as this node.
        TEXT
      end

      def describe_400_error(description)
        description.section("Invalid Request Data:", "The data in your request was invalid (HTTP 400).\n")
        describe_response(description)
      end

      def describe_406_error(description, response)
        header = response["x-ops-server-api-version"]
        return describe_http_error(description) unless header

        versions = Chef::JSONCompat.from_json(header)
        description.section("Incompatible server API version:", <<~TEXT)
          This version of the API that this request specified is not supported by the server you sent this request to.
          The server supports a min API version of #{versions["min_version"]} and a max API version of #{versions["max_version"]}.
          #{ChefUtils::Dist::Infra::PRODUCT} just made a request with an API version of #{versions["request_version"]}.
          Please either update your #{ChefUtils::Dist::Infra::PRODUCT} or the server to be a compatible set.
        TEXT
      end

      def describe_500_error(description, what = "the node data")
        description.section("Unknown Server Error:", "The server had a fatal error attempting to load #{what}.\n")
        describe_response(description)
      end

      def describe_503_error(description)
        description.section("Server Unavailable", "The #{ChefUtils::Dist::Server::PRODUCT} is temporarily unavailable")
        describe_response(description)
      end

      def describe_http_error(description) = description.section("Unexpected API Request Failure:", format_rest_error)

      # The errors that the body of the response lists, else the body.
      def format_rest_error
        Array(Chef::JSONCompat.from_json(exception.response.body)["error"]).join("; ")
      rescue StandardError
        safe_format_rest_error
      end

      def safe_format_rest_error
        exception.response.body
      rescue StandardError
        "Cannot fetch the contents of the response."
      end

      def username = config[:node_name]
      def api_key = config[:client_key]
      def server_url = config[:chef_server_url]
      def clock_skew? = exception.response.body.match?(/synchronize the clock/i)

      private

      def describe_network(description)
        description.section("Networking Error:", "#{exception.message}\n\nYour chef_server_url may be misconfigured, or the network could be down.\n")
      end

      def describe_response(description) = description.section("Server Response:", format_rest_error)

      def describe_unauthorized(description, server, settings)
        failed = "Failed to authenticate to the #{server} (http 401).\n"
        if clock_skew?
          return description.section("Authentication Error:", "#{failed}The request failed because your clock has drifted by more than 15 minutes.\nSyncing your clock to an NTP Time source should resolve the issue.\n")
        end

        description.section("Authentication Error:", failed)
        describe_response(description)
        description.section("Relevant Config Settings:", settings)
      end

      def describe_forbidden(description, text, causes: nil, response: true, heading: "Authorization Error")
        description.section(heading, text)
        describe_response(description) if response
        description.section("Possible Causes:", causes) if causes
      end

      # Describes an exception by its kind: a status of a response, a failure of the network, anything else.
      def describe_request(description)
        case exception
        when Net::HTTPClientException, Net::HTTPFatalError then humanize_http_exception(description)
        when EOFError then describe_eof_error(description)
        when *NETWORK_ERROR_CLASSES then describe_network_errors(description)
        else description.section("Unexpected Error:", "#{exception.class.name}: #{exception.message}")
        end
      end

      # Describes the statuses that mean the same for all requests.
      def describe_status(description)
        case (response = exception.response)
        when Net::HTTPUnauthorized then describe_401_error(description)
        when Net::HTTPBadRequest then describe_400_error(description)
        when Net::HTTPNotFound then nil
        when Net::HTTPInternalServerError then describe_500_error(description)
        when Net::HTTPBadGateway, Net::HTTPServiceUnavailable, Net::HTTPGatewayTimeOut then describe_503_error(description)
        when Net::HTTPNotAcceptable then describe_406_error(description, response)
        else describe_http_error(description)
        end
      end
    end

    # One class for each kind of failure: `new(subject, exception)`, `add_explanation(description)`.
    module ErrorInspectors
      # The lines of a backtrace that are in cookbooks.
      module CookbookLines
        def lines_in_cookbooks
          folders = Array(Chef::Config.cookbook_path).map { |path| /\A#{Regexp.escape(path)}/i }
          Array(exception.backtrace).select { |line| folders.any? { |folder| line.match?(folder) } }
        end
      end
      private_constant :CookbookLines

      # An exception while a file of a cookbook was evaluated.
      class CompileErrorInspector
        include CookbookLines

        attr_reader :path, :exception

        def initialize(path, exception)
          @path = path
          @exception = exception
        end

        def add_explanation(description)
          description.section(exception.class.name, exception.message)
          if found_error_in_cookbooks?
            description.section("Cookbook Trace: (most recent call first)", filtered_bt.map { |line| "  #{line}" }.join("\n"))
            description.section("Relevant File Content:", context)
          end
          description.section("Additional information:", ErrorInspectors.frozen_advice) if exception_message_modifying_frozen?
        end

        def context = ErrorInspectors.excerpt(culprit_file, file_lines, culprit_line)
        def file_lines = @file_lines ||= IO.readlines(culprit_file)
        def culprit_backtrace_entry = filtered_bt.first
        def culprit_file = culprit_backtrace_entry[/\A((?:.:)?[^:]+):\d+/, 1]
        def culprit_line = culprit_backtrace_entry[/\A(?:.:)?[^:]+:(\d+)/, 1].to_i
        def filtered_bt = found_error_in_cookbooks? ? backtrace_lines_in_cookbooks : exception.backtrace
        def found_error_in_cookbooks? = !backtrace_lines_in_cookbooks.empty?
        def backtrace_lines_in_cookbooks = @backtrace_lines_in_cookbooks ||= lines_in_cookbooks
        def exception_message_modifying_frozen? = exception.message.include?("can't modify frozen")
      end

      # A failed action of a resource.
      class ResourceFailureInspector
        include CookbookLines

        attr_reader :resource, :action, :exception

        def initialize(resource, action, exception)
          @resource = resource
          @action = action
          @exception = exception
        end

        def add_explanation(description)
          description.section(exception.class.name, exception.message)
          description.section("Cookbook Trace: (most recent call first)", filtered_bt.join("\n")) unless filtered_bt.empty?
          description.section("Resource Declaration:", resource.sensitive ? "suppressed sensitive resource output" : recipe_snippet) unless dynamic_resource?
          description.section("Compiled Resource:", resource.to_text.to_s)
          description.section("Template Context:", "#{exception.source_location}\n#{exception.source_listing}") if exception.respond_to?(:source_listing)
        end

        def recipe_snippet
          file, line = resource.source_line&.match(/\A((?:\w:)?[^:]+):(\d+)/)&.captures
          return unless file && ::File.exist?(file)

          @snippet ||= ErrorInspectors.declaration(file, IO.readlines(file), line.to_i)
        end

        def dynamic_resource? = !resource.source_line
        def filtered_bt = lines_in_cookbooks
      end

      # What a request for the cookbooks or roles of a run list failed with.
      module RunListRequest
        include APIErrorFormatting

        attr_reader :exception

        def add_explanation(description) = describe_request(description)
        def config = Chef::Config
        def humanize_http_exception(description) = describe_status(description)
      end
      private_constant :RunListRequest

      # A run list that could not be expanded.
      class RunListExpansionErrorInspector
        include RunListRequest

        attr_reader :node

        def initialize(node, exception)
          @node = node
          @exception = exception
        end

        def add_explanation(description)
          exception.is_a?(Chef::Exceptions::MissingRole) ? describe_missing_role(description) : super
        end

        def describe_missing_role(description)
          description.section("Missing Role(s) in Run List:", missing_roles_explained)
          description.section("Original Run List", node.run_list.map { |item| "* #{item}" }.join("\n"))
        end

        def missing_roles_explained
          run_list_expansion.missing_roles_with_including_role.map { |role, includer| "* #{role} included by '#{includer}'" }.join("\n")
        end

        def run_list_expansion = exception.expansion
        def describe_network_errors(description) = describe_network(description)
        def describe_500_error(description) = super(description, "a role")

        def humanize_http_exception(description)
          return super unless exception.response.is_a?(Net::HTTPForbidden)

          describe_forbidden(description, "Your client is not authorized to load one or more of your roles (HTTP 403).\n",
                             causes: "* Your client (#{username}) may have misconfigured authorization permissions.\n")
        end
      end

      # Cookbooks that could not be chosen for a run list.
      class CookbookResolveErrorInspector
        include RunListRequest

        attr_reader :expanded_run_list

        def initialize(expanded_run_list, exception)
          @expanded_run_list = expanded_run_list
          @exception = exception
        end

        def expanded_run_list_ul = expanded_run_list.map { |item| "* #{item}" }.join("\n")

        def humanize_http_exception(description)
          case exception.response
          when Net::HTTPPreconditionFailed then describe_412_error(description)
          when Net::HTTPForbidden
            description.section("Authorization Error", <<~TEXT)
              This client is not authorized to read some of the information required to
              access its cookbooks (HTTP 403).

              To access its cookbooks, a client needs to be able to read its environment and
              all of the cookbooks in its expanded run list.
            TEXT
            description.section("Expanded Run List:", expanded_run_list_ul)
            describe_response(description)
          else super
          end
        end

        def describe_412_error(description)
          reasons = extract_412_error_message
          missing = reasons.is_a?(Hash) ? missing_cookbooks(reasons) : reasons.to_s
          if missing.empty?
            description.section("Cookbook dependency resolution error:", <<~TEXT)
              #{"Error message: #{reasons["message"]}\n" if reasons.is_a?(Hash) && reasons["message"]}You might be able to resolve this issue with:
                1-) Removing cookbook versions that depend on deleted cookbooks.
                2-) Removing unused cookbook versions.
                3-) Pinning exact cookbook versions using environments.
            TEXT
          else
            description.section("Missing Cookbooks:", missing)
          end
          description.section("Expanded Run List:", expanded_run_list_ul)
        end

        # What the body of a 412 says: a Hash of reasons, or text.
        def extract_412_error_message
          body = parsed(exception.response.body)
          return body.to_s unless body.is_a?(Hash) && body.key?("error")

          first = Array(body["error"]).first
          first.is_a?(Hash) ? first : parsed(first)
        end

        private

        MISSING = {
          "non_existent_cookbooks" => "The following cookbooks are required by the client but don't exist on the server:",
          "cookbooks_with_no_versions" => "The following cookbooks exist on the server, but there is no version that meets\nthe version constraints in this environment:"
        }.freeze
        private_constant :MISSING

        def missing_cookbooks(reasons)
          lists = MISSING.map { |key, text| [text, Array(reasons[key])] }.reject { |_, names| names.empty? }
          lists.map { |text, names| "#{text}\n#{names.map { |name| "* #{name}\n" }.join}\n" }.join
        end

        def parsed(text)
          Chef::JSONCompat.from_json(text)
        rescue StandardError
          text
        end
      end

      # Cookbooks that could not be fetched.
      class CookbookSyncErrorInspector
        include RunListRequest

        attr_reader :cookbooks

        def initialize(cookbooks, exception)
          @cookbooks = cookbooks
          @exception = exception
        end
      end

      # What reading a node and creating a client have in common.
      module NodeRequest
        include APIErrorFormatting

        attr_reader :node_name, :exception, :config

        def initialize(node_name, exception, config)
          @node_name = node_name
          @exception = exception
          @config = config
        end

        def add_explanation(description)
          exception.is_a?(Chef::Exceptions::PrivateKeyMissing) ? describe_missing_key(description) : describe_request(description)
        end

        def humanize_http_exception(description)
          case exception.response
          when Net::HTTPForbidden then describe_not_allowed(description)
          when Net::HTTPNotFound then describe_404_error(description)
          else describe_status(description)
          end
        end

        def describe_404_error(description)
          description.section("Resource Not Found:", "The #{ChefUtils::Dist::Server::PRODUCT} returned a HTTP 404. This usually indicates that your #{wrong_setting} is incorrect.\n")
          description.section("Relevant Config Settings:", "chef_server_url \"#{server_url}\"\n")
        end

        private

        def describe_missing_key(description)
          description.section("Private Key Not Found:", "Your private key could not be loaded. If the key file exists, ensure that it is\nreadable by #{ChefUtils::Dist::Infra::PRODUCT}.\n")
          description.section("Relevant Config Settings:", key_setting)
        end
      end
      private_constant :NodeRequest

      # A node that could not be read from a server.
      class NodeLoadErrorInspector
        include NodeRequest

        private

        def wrong_setting = "chef_server_url"
        def key_setting = "client_key        \"#{api_key}\"\n"

        def describe_not_allowed(description)
          describe_forbidden(description, "Your client is not authorized to load the node data (HTTP 403).\n",
                             causes: "* Your client (#{username}) may have misconfigured authorization permissions.\n")
        end
      end

      # A client that could not be created on a server.
      class RegistrationErrorInspector
        include NodeRequest

        def username = config[:validation_client_name]
        def api_key = config[:validation_key]

        def add_explanation(description)
          return super unless exception.is_a?(Chef::Exceptions::InvalidRedirect)

          server = ChefUtils::Dist::Server::PRODUCT
          description.section("Invalid Redirect:", "Change your #{server} location in client.rb to the #{server}'s FQDN to avoid unwanted redirections.\n")
        end

        def describe_network_errors(description)
          description.section("Network Error:", "There was a network error connecting to the #{ChefUtils::Dist::Server::PRODUCT}:\n#{exception.message}\n")
          description.section("Relevant Config Settings:", "chef_server_url  \"#{server_url}\"\n\nIf your chef_server_url is correct, your network could be down.\n")
        end

        def describe_401_error(description)
          describe_unauthorized(description, ChefUtils::Dist::Server::PRODUCT, <<~TEXT)
            chef_server_url         "#{server_url}"
            validation_client_name  "#{username}"
            validation_key          "#{api_key}"

            If these settings are correct, your validation_key may be invalid.
          TEXT
        end

        private

        def wrong_setting = "chef_server_url configuration"
        def key_setting = "validation_key \"#{api_key}\"\n"

        def describe_not_allowed(description)
          text = "Your validation client is not authorized to create the client for this node on the #{ChefUtils::Dist::Server::PRODUCT} (HTTP 403).\n"
          describe_forbidden(description, text, heading: "Authorization Error:", response: false, causes: <<~TEXT)
            * There may already be a client named "#{config[:node_name]}"
            * Your validation client (#{username}) may have misconfigured authorization permissions.
          TEXT
        end
      end
    end
  end
end
