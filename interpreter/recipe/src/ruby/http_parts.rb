# Parts of `Chef::HTTP`: connections, TLS settings, middlewares.

class Chef
  class Config
    class << self
      # The proxy for a server according to the environment; nil if `no_proxy` matches the server.
      def proxy_uri(scheme, host, _port = nil)
        proxy = ENV["#{scheme}_proxy"].to_s.strip
        return if proxy.empty? || ENV["no_proxy"].to_s.split(/\s*,\s*/).any? { |name| no_proxy_for?(name, host.to_s) }

        URI.parse(proxy.include?("://") ? proxy : "#{scheme}://#{proxy}")
      end

      # Exports configured proxies to the environment, for child processes and other HTTP clients. Existing variables are kept.
      def export_proxies
        %w{http https ftp}.each do |scheme|
          proxy = self[:"#{scheme}_proxy"] or next
          proxy = proxy_with_user(scheme, proxy, self[:"#{scheme}_proxy_user"], self[:"#{scheme}_proxy_pass"])
          export("#{scheme}_proxy", proxy)
        end
        export("no_proxy", self[:no_proxy]) if self[:no_proxy]
      end

      private

      def proxy_with_user(scheme, proxy, user, password)
        proxy = "#{scheme}://#{proxy}" unless proxy.include?("://")
        return proxy if user.to_s.empty?

        account = [user, password].compact.map { |part| URI.encode_www_form_component(part).gsub("+", "%20") }.join(":")
        proxy.sub("://", "://#{account}@")
      end

      def export(name, value)
        [name, name.upcase].each { |variable| ENV[variable] ||= value }
      end

      # A name matches all host names that end with it.
      def no_proxy_for?(name, host)
        ending = name.delete_prefix("*")
        ending.empty? ? name == "*" : host.end_with?(ending)
      end
    end
  end

  class HTTP
    # Sends requests over a new or a kept connection.
    class BasicClient
      attr_reader :url, :ssl_policy, :keepalives, :nethttp_opts

      def initialize(url, ssl_policy: DefaultSSLPolicy, keepalives: false, nethttp_opts: {})
        @url, @ssl_policy, @keepalives = url, ssl_policy, keepalives
        @nethttp_opts = nethttp_opts.to_h { |name, value| [name.to_s, value] }
      end

      def http_client = @http_client ||= build_http_client
      def host = @url.hostname
      def port = @url.port
      def config = Chef::Config
      def proxy_uri = @proxy_uri ||= Chef::Config.proxy_uri(url.scheme, host, port)

      # Returns request and response; the block must read the body.
      def request(method, url, body, base_headers = {})
        request = HTTPRequest.new(method, url, body, base_headers).http_request
        Chef::Log.trace("Initiating #{method} to #{url}")
        response = http_client.request(request) { |answer| yield answer if block_given? }
        [request, response]
      rescue OpenSSL::SSL::SSLError => e
        Chef::Log.error("SSL Validation failure connecting to host: #{host} - #{e.message}")
        raise
      end

      private

      def build_http_client
        http = client_class.new(host, port, nil)
        if url.scheme == "https"
          http.use_ssl = true
          ssl_policy.apply_to(http)
        end
        timeouts = { "read_timeout" => config[:rest_timeout], "open_timeout" => config[:rest_timeout] }
        timeouts.merge(nethttp_opts).each { |name, value| http.public_send(:"#{name}=", value) }
        keepalives ? http.start : http
      end

      def client_class
        proxy = proxy_uri or return Net::HTTP

        user = proxy.user ? CGI.unescape(proxy.user) : config[:"#{proxy.scheme}_proxy_user"]
        password = proxy.password ? CGI.unescape(proxy.password) : config[:"#{proxy.scheme}_proxy_pass"]
        Net::HTTP.Proxy(proxy.host, proxy.port, user, password)
      end
    end

    # A request of Net::HTTP with Chef's headers.
    class HTTPRequest
      ACCEPT_ENCODING = "Accept-Encoding".freeze
      ENCODING_GZIP_DEFLATE = "gzip;q=1.0,deflate;q=0.6,identity;q=0.3".freeze
      METHODS = { "get" => :Get, "post" => :Post, "put" => :Put, "patch" => :Patch, "delete" => :Delete, "head" => :Head }.freeze
      private_constant :METHODS

      class << self
        attr_writer :user_agent
        def user_agent = @user_agent ||= "Chef Infra Client/#{Chef::VERSION} (rchef)"
      end

      attr_reader :method, :url, :headers, :http_request

      def initialize(method, url, body, base_headers = {})
        @method, @url = method, url
        @headers = { ACCEPT_ENCODING => "identity", "X-Chef-Version" => Chef::VERSION.to_s }.merge(base_headers)
        @headers["Host"] = host_header unless @headers.keys.any? { |name| name.to_s.casecmp?("host") }
        kind = METHODS[method.to_s.downcase] or raise ArgumentError, "You must provide :GET, :PUT, :POST, :DELETE or :HEAD as the method"
        @http_request = Net::HTTP.const_get(kind).new("#{path}#{"?#{query}" if query}", @headers.to_h { |name, value| [name.to_s, value.to_s] })
        @http_request.body = body if body && @http_request.request_body_permitted?
        @http_request.basic_auth(CGI.unescape(url.user), url.password && CGI.unescape(url.password)) if url.user
        @http_request["User-Agent"] = self.class.user_agent unless @headers.keys.any? { |name| name.to_s.casecmp?("user-agent") }
      end

      def host = @url.hostname
      def port = @url.port
      def query = @url.query
      def path = @url.path.empty? ? "/" : @url.path

      private

      def host_header = @url.port == @url.default_port ? @url.host : "#{@url.host}:#{@url.port}"
    end

    # Applies the configured TLS verification and client certificate.
    class DefaultSSLPolicy
      def self.apply_to(http_client)
        new(http_client).apply
        http_client
      end

      attr_reader :http_client

      def initialize(http_client)
        @http_client = http_client
      end

      def apply
        set_verify_mode
        set_ca_store
        set_custom_certs
        set_client_credentials
      end

      def config = Chef::Config

      def set_verify_mode
        case config[:ssl_verify_mode]
        when :verify_none then http_client.verify_mode = OpenSSL::SSL::VERIFY_NONE
        when :verify_peer then http_client.verify_mode = OpenSSL::SSL::VERIFY_PEER
        end
      end

      def set_ca_store
        if (folder = config[:ssl_ca_path])
          http_client.ca_path = existing(:ssl_ca_path, folder)
        elsif (file = config[:ssl_ca_file] || ENV["SSL_CERT_FILE"])
          http_client.ca_file = existing(:ssl_ca_file, file)
        end
      end

      def set_custom_certs
        store = http_client.cert_store ||= OpenSSL::X509::Store.new.tap(&:set_default_paths)
        folder = config[:trusted_certs_dir] or return
        Dir.glob("*.{crt,pem}", base: folder).sort.each do |name|
          add_trusted_cert(store, read(OpenSSL::X509::Certificate, OpenSSL::X509::CertificateError, "cert", File.join(folder, name)))
        end
      end

      def set_client_credentials
        cert, key = config[:ssl_client_cert], config[:ssl_client_key]
        return unless cert || key
        raise Chef::Exceptions::ConfigurationError, "You must configure ssl_client_cert and ssl_client_key together" unless cert && key

        http_client.cert = read(OpenSSL::X509::Certificate, OpenSSL::X509::CertificateError, "cert", existing(:ssl_client_cert, cert))
        http_client.key = read(OpenSSL::PKey::RSA, OpenSSL::PKey::RSAError, "key", existing(:ssl_client_key, key))
      end

      private

      def existing(name, path)
        return path if File.exist?(path)

        raise Chef::Exceptions::ConfigurationError, "The configured #{name} #{path} does not exist"
      end

      def read(type, error, noun, path)
        type.new(File.binread(path))
      rescue error => e
        raise Chef::Exceptions::ConfigurationError, "Error reading #{noun} file '#{path}', original error '#{e.class}: #{e.message}'"
      end

      def add_trusted_cert(store, cert)
        store.add_cert(cert)
      rescue OpenSSL::X509::StoreError => e
        raise unless e.message.include?("cert already in hash table")
      end
    end

    class APISSLPolicy < DefaultSSLPolicy
      def set_verify_mode
        config[:verify_api_cert] ? http_client.verify_mode = OpenSSL::SSL::VERIFY_PEER : super
      end
    end

    class VerifyPeerSSLPolicy < DefaultSSLPolicy
      def set_verify_mode = http_client.verify_mode = OpenSSL::SSL::VERIFY_PEER
    end

    class VerifyNoneSSLPolicy < DefaultSSLPolicy
      def set_verify_mode = http_client.verify_mode = OpenSSL::SSL::VERIFY_NONE
    end

    # Base of middlewares: changes nothing.
    module PassThrough
      def initialize(_options = {}); end
      def handle_request(method, url, headers = {}, data = false) = [method, url, headers, data]
      def handle_response(http_response, rest_request, return_value) = [http_response, rest_request, return_value]
      def stream_response_handler(_response) = nil
      def handle_stream_complete(http_response, rest_request, return_value) = [http_response, rest_request, return_value]
    end
    private_constant :PassThrough

    # Requests compressed bodies and decompresses them.
    class Decompressor
      include PassThrough

      class NoopInflater
        def inflate(part) = part
        alias handle_chunk inflate
      end
      class GzipInflater < Zlib::Inflate
        def initialize = super(Zlib::MAX_WBITS + 16)
        alias handle_chunk inflate
      end
      class DeflateInflater < Zlib::Inflate
        alias handle_chunk inflate
      end

      def initialize(options = {})
        @disable_gzip = options[:disable_gzip] || options["disable_gzip"] || false
      end

      def gzip_disabled? = @disable_gzip

      def handle_request(method, url, headers = {}, data = false)
        headers[HTTPRequest::ACCEPT_ENCODING] = HTTPRequest::ENCODING_GZIP_DEFLATE unless gzip_disabled?
        [method, url, headers, data]
      end

      def handle_response(http_response, rest_request, return_value)
        return [http_response, rest_request, return_value] if return_value == false

        body = decompress_body(http_response)
        http_response.body.replace(body) if http_response.body.respond_to?(:replace)
        [http_response, rest_request, return_value]
      end

      def decompress_body(response)
        body = response.body
        return body if gzip_disabled? || body.nil?

        case response["content-encoding"]
        when "gzip" then Zlib::Inflate.new(Zlib::MAX_WBITS + 16).inflate(body)
        when "deflate" then Zlib::Inflate.inflate(body)
        else body
        end
      end

      def stream_response_handler(response)
        case gzip_disabled? ? nil : response["content-encoding"]
        when "gzip" then GzipInflater.new
        when "deflate" then DeflateInflater.new
        else NoopInflater.new
        end
      end
    end

    # Cookies by server, until the end of the run.
    class CookieJar < Hash
      def self.instance = @instance ||= new
    end

    class CookieManager
      include PassThrough

      def handle_request(method, url, headers = {}, data = false)
        @server = "#{url.host}:#{url.port}"
        headers["Cookie"] = CookieJar.instance[@server] if CookieJar.instance.key?(@server)
        [method, url, headers, data]
      end

      def handle_response(http_response, rest_request, return_value)
        CookieJar.instance[@server] = http_response["set-cookie"] if http_response["set-cookie"]
        [http_response, rest_request, return_value]
      end
    end

    # Checks that a body has the announced length.
    class ValidateContentLength
      include PassThrough

      class ContentLengthCounter
        attr_reader :content_length
        def initialize
          @content_length = 0
        end

        def handle_chunk(part)
          @content_length += part.bytesize
          part
        end
      end

      def handle_response(http_response, rest_request, return_value)
        validate(http_response, http_response.body.bytesize) if http_response&.body
        [http_response, rest_request, return_value]
      end

      def stream_response_handler(_response) = @counter = ContentLengthCounter.new

      def handle_stream_complete(http_response, rest_request, return_value)
        validate(http_response, @counter.content_length) if @counter
        @counter = nil
        [http_response, rest_request, return_value]
      end

      private

      def validate(response, length)
        announced = Array(response["content-length"]).first
        return true if announced.nil? || announced.to_i < 0 || response["transfer-encoding"]
        raise Chef::Exceptions::ContentLengthMismatch.new(length, announced.to_i) unless length == announced.to_i

        true
      end
    end

    # Sends data as JSON, unless a header specifies another type.
    class JSONInput
      include PassThrough
      attr_accessor :opts

      def initialize(opts = {})
        @opts = opts
      end

      def handle_request(method, url, headers = {}, data = false)
        type = headers.find { |name, _| name.to_s.casecmp?("content-type") }
        if data && (type.nil? || type.last.include?("json"))
          headers.delete(type.first) if type
          headers["Content-Type"] = "application/json"
          data = Chef::JSONCompat.to_json(data, opts.slice(:validate_utf8)).b
        end
        [method, url, headers, data]
      end
    end

    # Parses JSON bodies.
    class JSONOutput
      include PassThrough
      attr_accessor :raw_output, :inflate_json_class

      def initialize(opts = {})
        @raw_output = opts[:raw_output]
        @inflate_json_class = opts[:inflate_json_class]
      end

      def handle_request(method, url, headers = {}, data = false)
        headers["Accept"] ||= "application/json"
        [method, url, headers, data]
      end

      def handle_response(http_response, rest_request, return_value)
        return [http_response, rest_request, return_value] if return_value == false

        body = http_response.body
        value = if !http_response["content-type"].to_s.include?("json") || raw_output then body&.to_s || (return_value if http_response["content-type"])
                elsif body then inflate_json_class ? Chef::JSONCompat.from_json(body.chomp) : Chef::JSONCompat.parse(body.chomp)
                end
        [http_response, rest_request, value]
      end
    end

    class Simple < HTTP
      use Decompressor
      use CookieManager
      use ValidateContentLength
    end

    # JSON requests and responses.
    class SimpleJSON < HTTP
      use JSONInput
      use JSONOutput
      use CookieManager
      use Decompressor
      use ValidateContentLength
    end
  end

  class ServerAPI < HTTP
    # Updates a document with PUT, or creates it with POST if it does not exist. `rest` is the HTTP client.
    def self.write(rest, list, name, document)
      rest.put("#{list}/#{name}", document)
    rescue Net::HTTPClientException => e
      raise unless e.response.code == "404"

      rest.post(list, document)
    end

    use HTTP::JSONInput
    use HTTP::JSONOutput
    use HTTP::CookieManager
    use HTTP::Decompressor
    use HTTP::ValidateContentLength

    def initialize(url = Chef::Config[:chef_server_url], options = {}) = super

    %w{get put post delete}.each { |name| alias_method :"#{name}_rest", name }
    alias raw_request request
  end
end
