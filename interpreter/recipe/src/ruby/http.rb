require "net/http"
require "cgi"
require "tempfile"

class Chef
  # The chef-repo as a server: documents by the API paths of a Chef server. Reading is native.
  class LocalData
    class << self
      def put(path, object)
        get(path)
        write(path, object)
      end

      def post(path, object)
        id = identifier(path, object)
        refuse("409", "Conflict") if id && known?("#{path}/#{id}")
        return FileUtils.mkdir_p(file("#{path}/#{id}").delete_suffix(".json")) && { "uri" => id } if path == "data"

        write("#{path}/#{id}", object)
      end

      def delete(path)
        found = get(path)
        target = file(path)
        File.directory?(target) ? FileUtils.rm_rf(target) : FileUtils.rm_f(target)
        found
      end

      private

      def known?(path)
        get(path)
        true
      rescue Net::HTTPClientException
        false
      end

      def identifier(path, object)
        hash = object.respond_to?(:to_h) ? object.to_h : {}
        return hash["id"] || hash.dig("raw_data", "id") if path.start_with?("data/")

        hash["name"]
      end

      def refuse(code, text)
        raise Net::HTTPClientException.new("#{code} \"#{text}\"", Net::HTTPResponse.send(:response_class, code).new("1.1", code, text))
      end

      # The file of a document.
      def file(path)
        kind, *names = path.split("/").reject(&:empty?)
        refuse("404", "Not Found") if names.empty? || names.any? { |name| name.start_with?(".") }
        folder = { "data" => "data_bags", "nodes" => "nodes", "roles" => "roles", "environments" => "environments", "clients" => "clients" }[kind]
        refuse("404", "Not Found") unless folder
        target = File.join(repository, folder, *names)
        kind == "data" && names.size == 1 ? target : "#{target}.json"
      end

      def write(path, object)
        target = file(path)
        FileUtils.mkdir_p(File.dirname(target))
        plain = object.respond_to?(:raw_data) ? object.raw_data : object
        File.write(target, "#{Chef::JSONCompat.to_json_pretty(plain)}\n")
        object
      end
    end
  end

  # Chef's HTTP client: middlewares process requests and responses, failed connections are retried, redirects are followed.
  # Documents of a Chef server come from the chef-repo; other URLs are requested over the network.
  class HTTP
    class << self
      def middlewares = (@middlewares ||= [])
      def use(middleware) = middlewares << middleware
    end

    attr_reader :url, :options, :last_response, :sign_on_redirect, :keepalives, :nethttp_opts, :middlewares
    attr_accessor :redirect_limit

    def initialize(url, options = {})
      @url = url
      @options = options
      @default_headers = options[:headers] || {}
      @sign_on_redirect = true
      @redirects_followed = 0
      @redirect_limit = 10
      @keepalives = options[:keepalives] || false
      @nethttp_opts = options[:nethttp] || {}
      @middlewares = self.class.middlewares.map { |middleware| middleware.new(options) }
    end

    def head(path, headers = {}) = request(:HEAD, path, headers)
    def get(path, headers = {}) = request(:GET, path, headers)
    def put(path, json, headers = {}) = request(:PUT, path, headers, json)
    def post(path, json, headers = {}) = request(:POST, path, headers, json)
    def patch(path, json, headers = {}) = request(:PATCH, path, headers, json)
    def delete(path, headers = {}) = request(:DELETE, path, headers)

    # The body of the response; false if it was not modified.
    def request(method, path, headers = {}, data = false)
      return local(method, path, data) if local?(path)

      response = nil
      marking_failures(method, path) do
        method, url, headers, data = prepare(method, create_url(path), headers, data)
        response, request, value = send_http_request(method, url, headers, data)
        response, _, value = middlewares.reverse.inject([response, request, value]) { |answer, middleware| middleware.handle_response(*answer) }
        response.error! unless response.is_a?(Net::HTTPSuccess) || response.is_a?(Net::HTTPRedirection)
        value
      end
    rescue StandardError
      log_failed_request(response) unless response.nil?
      raise
    end

    # Adds the failed request to an error.
    module FailedRequest
      attr_accessor :chef_rest_request
    end

    # The connection broke while the body was read.
    class Interrupted < StandardError; end

    # Downloads into a temporary file, which is returned closed; nil if the document was not modified.
    def streaming_request(path, headers = {}, tempfile = nil)
      tempfile = stream(path, headers, tempfile)
      return tempfile unless block_given? && tempfile

      begin
        yield tempfile
      ensure
        tempfile.close!
      end
      tempfile
    end

    # As #streaming_request, but the block gets the current and the total size.
    def streaming_request_with_progress(path, headers = {}, tempfile = nil, &progress) = stream(path, headers, tempfile, &progress)

    def http_client(base_url = nil)
      base_url ||= url
      base_url = URI.parse(base_url) unless base_url.is_a?(URI)
      return build_http_client(base_url) unless keepalives

      (@http_client ||= {})[[base_url.host, base_url.port]] ||= build_http_client(base_url)
    end

    private

    def config = Chef::Config
    def http_retry_count = options[:http_retry_count] || config[:http_retry_count]
    def http_retry_delay = options[:http_retry_delay] || config[:http_retry_delay]

    def local?(path) = !path.to_s.match?(%r{\Ahttps?://}i) && !url.to_s.match?(%r{\Ahttps?://}i)

    def local(method, path, data)
      path = path.to_s
      case method
      when :GET then LocalData.get(path)
      when :HEAD then LocalData.get(path) && true
      when :PUT then LocalData.put(path, data)
      when :POST then LocalData.post(path, data)
      when :DELETE then LocalData.delete(path)
      end
    end

    def create_url(path)
      return path if path.is_a?(URI)
      return URI.parse(path) if path.to_s.match?(%r{\Ahttps?://}i)
      return URI.parse(@url.to_s) if path.nil? || path.empty?

      URI.parse("#{@url.to_s.sub(%r{/+\z}, "")}/#{path.sub(%r{\A/+}, "")}")
    end

    def prepare(method, url, headers, data)
      middlewares.inject([method, url, headers.dup, data]) { |asked, middleware| middleware.handle_request(*asked) }
    end

    def marking_failures(method, path)
      yield
    rescue Net::HTTPExceptions, SystemCallError, SocketError => e
      unless e.frozen?
        e.extend(FailedRequest)
        e.chef_rest_request = "#{method} #{path}"
      end
      raise
    end

    def log_failed_request(response)
      Chef::Log.info("HTTP Request Returned #{response.code} #{response.message}: ")
    end

    def build_http_client(base_url) = BasicClient.new(base_url, ssl_policy: ssl_policy, keepalives: keepalives, nethttp_opts: nethttp_opts)

    def ssl_policy
      case @options[:ssl_verify_mode]
      when nil then APISSLPolicy
      when :verify_none then VerifyNoneSSLPolicy
      when :verify_peer then VerifyPeerSSLPolicy
      else
        Chef::Log.error("ssl_verify_mode #{@options[:ssl_verify_mode].inspect} is neither :verify_none nor :verify_peer; the configured one is used")
        APISSLPolicy
      end
    end

    # Sends a request and follows redirects; returns response, request and body. A block reads the body itself.
    def send_http_request(method, url, base_headers, body, &reader)
      retrying_http_errors(url) do
        headers = build_headers(method, url, base_headers, body)
        request, response = http_client(url).request(method, url, body, headers, &(reader || :read_body))
        @last_response = response
        next [response, request, reader ? nil : response.read_body] if response.is_a?(Net::HTTPSuccess)
        next [response, request, false] if response.is_a?(Net::HTTPNotModified)
        next [response, request, nil] unless response.is_a?(Net::HTTPRedirection) && (location = response["location"])

        redirected(method, url, url + location, headers, body, &reader)
      end
    end

    def redirected(method, url, target, headers, body, &reader)
      unless %i{GET HEAD}.include?(method)
        raise Chef::Exceptions::InvalidRedirect, "#{method} request was redirected from #{url} to #{target}. Only GET and HEAD support redirects."
      end
      raise Chef::Exceptions::RedirectLimitExceeded if @redirects_followed >= redirect_limit

      begin
        @redirects_followed += 1
        # do not send credentials to another server
        headers = headers.reject { |name, _| name.to_s.casecmp?("authorization") } if url.host != target.host && config[:http_disable_auth_on_redirect] != false
        headers = headers.reject { |name, _| name.to_s.casecmp?("host") }
        send_http_request(method, target, headers, body, &reader)
      ensure
        @redirects_followed = 0
      end
    end

    def retrying_http_errors(url)
      attempts = 0
      url = shown(url)
      begin
        attempts += 1
        yield
      rescue SocketError, Errno::ETIMEDOUT, Errno::ECONNRESET => e
        again?(attempts, "Error connecting to #{url}") and retry
        raise e, "Error connecting to #{url} - #{e.message}"
      rescue Errno::ECONNREFUSED
        again?(attempts, "Connection refused connecting to #{url}") and retry
        raise Errno::ECONNREFUSED, "Connection refused connecting to #{url}, giving up"
      rescue Timeout::Error
        again?(attempts, "Timeout connecting to #{url}") and retry
        raise Timeout::Error, "Timeout connecting to #{url}, giving up"
      rescue OpenSSL::SSL::SSLError => e
        # retrying does not help against an invalid certificate
        !e.message.include?("certificate verify failed") && again?(attempts, "SSL Error connecting to #{url}") and retry
        raise OpenSSL::SSL::SSLError, "SSL Error connecting to #{url} - #{e.message}"
      end
    end

    # A URL with its password masked, for logs and messages.
    def shown(url) = url.to_s.sub(%r{(\A\w+://[^/:@]*):[^/@]*@}, '\1:XXXX@')

    def again?(attempts, text)
      return false if attempts > http_retry_count

      Chef::Log.warn("#{text}, retry #{attempts}/#{http_retry_count}")
      sleep(http_retry_delay)
      true
    end

    def build_headers(_method, _url, headers = {}, body = false)
      headers = @default_headers.merge(headers)
      headers["Content-Length"] = body.bytesize.to_s if body
      headers.merge!(config[:custom_http_headers]) if config[:custom_http_headers]
      headers
    end

    def stream(path, headers, tempfile, &progress)
      tempfile ||= Tempfile.open("chef-rest")
      attempts = 0
      response = range = nil
      begin
        attempts += 1
        response = marking_failures(:GET, path) { stream_once(path, headers, tempfile, range, &progress) }
      rescue Interrupted, Chef::Exceptions::ContentLengthMismatch => e
        range = rest
        # a server that announced a wrong length would do so again
        raise e if attempts > http_retry_count || (range.nil? && !e.is_a?(Interrupted))

        Chef::Log.warn("Download of #{shown(path)} broke off after #{@partial_size} bytes (#{e.message.lines.first.to_s.strip}), retry #{attempts}/#{http_retry_count}#{" from there" if range}")
        sleep(http_retry_delay)
        retry
      end
      return discard(tempfile) if response.is_a?(Net::HTTPRedirection)

      response.error! unless response.is_a?(Net::HTTPSuccess)
      tempfile.close
      tempfile
    rescue StandardError
      discard(tempfile)
      log_failed_request(response) if response && !response.is_a?(Net::HTTPSuccess)
      raise
    end

    def discard(tempfile)
      tempfile.respond_to?(:close!) ? tempfile.close! : tempfile.close
      nil
    end

    def stream_once(path, headers, tempfile, range, &progress)
      method, url, headers, data = prepare(:GET, create_url(path), headers, false)
      if range
        headers = headers.reject { |name, _| %w{if-none-match if-modified-since}.include?(name.to_s.downcase) }.merge(range)
        # parts of a compressed body cannot be joined
        headers["Accept-Encoding"] = "identity"
      end
      response, = send_http_request(method, url, headers, data) do |answer|
        stream_to_tempfile(answer, tempfile, range, &progress) if answer.is_a?(Net::HTTPSuccess)
        middlewares.reverse.inject([answer, nil, nil]) { |result, middleware| middleware.handle_stream_complete(*result) }
      end
      response
    end

    def stream_to_tempfile(response, tempfile, range)
      tempfile.binmode
      continued = range && response.is_a?(Net::HTTPPartialContent) && response["content-range"].to_s[/\Abytes (\d+)-/, 1].to_i == @partial_size
      unless continued
        raise Interrupted, "the server sent another part than it was asked for" if range && response.is_a?(Net::HTTPPartialContent)

        @first_response = response
        @partial_size = 0
        tempfile.truncate(0)
      end
      tempfile.seek(@partial_size)
      total = response["content-length"] && (response["content-length"].to_i + @partial_size).to_s
      handlers = middlewares.filter_map { |middleware| middleware.stream_response_handler(response) }.reverse
      reading_body do
        response.read_body do |part|
          part = handlers.inject(part) { |data, handler| handler.handle_chunk(data) }
          tempfile.write(part)
          @partial_size += part.bytesize
          yield @partial_size, total if block_given?
        end
      end
    end

    # Converts errors while reading a body to Interrupted, because errors of connecting are retried elsewhere.
    def reading_body
      yield
    rescue EOFError, IOError, Errno::ECONNRESET, Errno::EPIPE, Errno::ETIMEDOUT, Net::ReadTimeout, OpenSSL::SSL::SSLError => e
      raise Interrupted, e.message
    end

    # Headers for requesting the missing part; nil if the server cannot verify that the content is unchanged.
    def rest
      first = @first_response
      return if first.nil? || @partial_size.to_i == 0 || first["accept-ranges"] == "none" || first["content-encoding"]

      validator = first["etag"] || first["last-modified"]
      return if validator.nil? || validator.start_with?("W/")

      { "Range" => "bytes=#{@partial_size}-", "If-Range" => validator }
    end
  end
end

require "chef/rchef/http_parts"
