# Net::HTTP: a client of HTTP/1.1 over plain and TLS connections.
require "net/protocol"
require "uri"
require "openssl"
autoload :Zlib, "zlib"
require "net/http/header"

module Net
  class HTTPBadResponse < StandardError; end
  class HTTPHeaderSyntaxError < StandardError; end

  module HTTPExceptions
    attr_reader :response
    alias data response
    def initialize(message, response)
      super(message)
      @response = response
    end
  end
  class HTTPError < ProtocolError
    include HTTPExceptions
  end
  class HTTPRetriableError < ProtoRetriableError
    include HTTPExceptions
  end
  class HTTPServerException < ProtoServerError
    include HTTPExceptions
  end
  HTTPClientException = HTTPServerException
  class HTTPFatalError < ProtoFatalError
    include HTTPExceptions
  end

  # A request: method, path, header and body.
  class HTTPGenericRequest
    include HTTPHeader
    attr_reader :method, :path, :uri, :body_stream, :decode_content

    def initialize(method, has_request_body, has_response_body, uri_or_path, header = nil)
      @method, @request_has_body, @response_has_body = method, has_request_body, has_response_body
      if uri_or_path.is_a?(URI::Generic)
        raise ArgumentError, "not an HTTP URI" unless uri_or_path.is_a?(URI::HTTP)
        raise ArgumentError, "no host component for URI" if uri_or_path.hostname.to_s.empty?
        @uri = uri_or_path.dup
        host = @uri.hostname.dup
        host << ":#{@uri.port}" unless @uri.port == @uri.default_port
        @path = uri_or_path.request_uri
        raise ArgumentError, "no HTTP request path given" unless @path
      else
        raise ArgumentError, "no HTTP request path given" unless uri_or_path
        raise ArgumentError, "HTTP request path is empty" if uri_or_path.empty?
        @path = uri_or_path.dup
      end
      @decode_content = false
      names = (header || {}).keys.map { |name| name.to_s.downcase }
      if (names & %w(accept-encoding range)).empty?
        @decode_content = @response_has_body
        header = (header ? header.dup : {}).tap { |table| table["accept-encoding"] = "gzip;q=1.0,deflate;q=0.6,identity;q=0.3" }
      end
      initialize_http_header(header)
      self["Accept"] ||= "*/*"
      self["User-Agent"] ||= "Ruby"
      self["Host"] ||= host if host
      @body = nil
      @body_stream = nil
    end

    attr_reader :body
    def inspect = "#<#{self.class} #{@method}>"
    def []=(name, value)
      @decode_content = false if name.downcase == "accept-encoding"
      super
    end
    def request_body_permitted? = @request_has_body
    def response_body_permitted? = @response_has_body
    def body_exist? = @response_has_body
    def body=(text)
      @body = text
      @body_stream = nil
      text
    end
    def body_stream=(stream)
      @body = nil
      @body_stream = stream
    end
    def set_body_internal(text)
      raise ArgumentError, "both of body argument and HTTPRequest#body set" if text && (@body || @body_stream)
      self.body = text if text
      self.body = "" if @body.nil? && @body_stream.nil? && @form.nil? && request_body_permitted?
    end
    def update_uri(address, port, ssl)
      return unless @uri
      @uri = (ssl ? URI::HTTPS : URI::HTTP).build(host: self["host"]&.split(":")&.first || address, port: port, path: @uri.path, query: @uri.query)
    end

    # Writes itself to a socket that has `write`.
    def exec(socket, version, path)
      form_body if @form
      if @body
        self.content_length = @body.bytesize
        delete("transfer-encoding")
      elsif @body_stream
        raise ArgumentError, "Content-Length not given and Transfer-Encoding is not `chunked'" unless content_length || chunked?
      end
      self["content-type"] ||= "application/x-www-form-urlencoded" if (@body || @body_stream) && request_body_permitted?
      lines = ["#{@method} #{path} HTTP/#{version}"]
      raise ArgumentError, "A Request-Line must not contain CR or LF" if lines[0].match?(/[\r\n]/)
      each_capitalized { |name, value| lines << "#{name}: #{value}" }
      socket.write("#{lines.join("\r\n")}\r\n\r\n")
      send_body(socket)
    end

    private

    def send_body(socket)
      return socket.write(@body) if @body && !@body.empty?
      return unless @body_stream
      return IO.copy_stream(@body_stream, socket) unless chunked?
      chunker = Chunker.new(socket)
      IO.copy_stream(@body_stream, chunker)
      chunker.finish
    end

    # Writes what it is given in pieces that tell their size.
    class Chunker
      def initialize(socket)
        @socket = socket
        @prefix = nil
      end

      def write(text)
        @socket.write("#{@prefix}#{text.bytesize.to_s(16)}\r\n", text)
        @prefix = "\r\n"
        text.bytesize
      end

      def finish
        @socket.write("#{@prefix}0\r\n\r\n")
      end
    end

    def form_body
      params, type, options = @form
      return self.body = URI.encode_www_form(params) unless type.downcase == "multipart/form-data"
      require "securerandom"
      boundary = options[:boundary] || SecureRandom.urlsafe_base64(40)
      set_content_type(type, boundary: boundary)
      text = "".b
      params.each do |name, value, settings|
        settings ||= {}
        content = value.respond_to?(:read) ? value.read : value.to_s
        file = settings[:filename] || (value.respond_to?(:path) && File.basename(value.path.to_s))
        text << "--#{boundary}\r\nContent-Disposition: form-data; name=\"#{name.to_s.gsub(/["\r\n]/) { |char| format("%%%02X", char.ord) }}\""
        text << (file ? "; filename=\"#{file}\"\r\nContent-Type: #{settings[:content_type] || "application/octet-stream"}\r\n\r\n" : "\r\n\r\n") << content.b << "\r\n"
      end
      self.body = text << "--#{boundary}--\r\n"
    end
  end

  class HTTPRequest < HTTPGenericRequest
    def initialize(path, header = nil)
      super(self.class::METHOD, self.class::REQUEST_HAS_BODY, self.class::RESPONSE_HAS_BODY, path, header)
    end
  end

  # An answer: its class tells the kind of its code.
  class HTTPResponse
    include HTTPHeader
    HAS_BODY = true
    attr_reader :http_version, :code, :message, :uri
    attr_accessor :decode_content, :body_encoding, :ignore_eof
    alias msg message

    class << self
      def body_permitted? = self::HAS_BODY
      def exception_type = self::EXCEPTION_TYPE

      def read_new(socket)
        version, code, message = read_status_line(socket)
        response = response_class(code).new(version, code, message)
        each_response_header(socket) { |name, value| response.add_field(name, value) }
        response
      end

      def response_class(code) = CODE_TO_OBJ[code] || CODE_CLASS_TO_OBJ[code[0, 1]] || HTTPUnknownResponse

      private

      def read_status_line(socket)
        line = socket.readline
        match = %r{\AHTTP(?:/(\d+\.\d+))?\s+(\d\d\d)(?:\s+(.*))?\z}in.match(line) or raise HTTPBadResponse, "wrong status line: #{line.dump}"
        match.captures
      end

      def each_response_header(socket)
        name = value = nil
        loop do
          line = socket.readuntil("\n", true).sub(/\s+\z/, "")
          break if line.empty?
          if line.start_with?(" ", "\t") && value
            value << " " unless value.empty?
            value << line.strip
          else
            yield name, value if name
            name, value = line.strip.split(/\s*:\s*/, 2)
            raise HTTPBadResponse, "wrong header line format" if value.nil?
          end
        end
        yield name, value if name
      end
    end

    def initialize(http_version, code, message)
      @http_version, @code, @message = http_version, code, message
      initialize_http_header(nil)
      @body = nil
      @read = false
      @ignore_eof = true
    end

    def uri=(uri)
      @uri = uri&.dup
    end
    def inspect = "#<#{self.class} #{@code} #{@message} readbody=#{@read}>"
    def code_type = self.class
    def response = self
    def header = self
    def read_header = self
    def value
      error! unless is_a?(HTTPSuccess)
      nil
    end
    def error_type = self.class::EXCEPTION_TYPE
    def error!
      text = @code.dup
      text << " " << @message.dump if @message
      raise self.class.exception_type.new(text, self)
    end

    def reading_body(socket, permitted)
      @socket = socket
      @body_exist = permitted && self.class.body_permitted?
      begin
        yield
        body
      ensure
        @socket = nil
      end
    end

    def read_body(destination = nil, &block)
      if @read
        raise IOError, "#{self.class}#read_body called twice" if destination || block
        return @body
      end
      raise ArgumentError, "both arg and block given for HTTP method" if destination && block
      target = block ? ReadAdapter.new(block) : (destination || "".b)
      unless @body_exist
        @read = true
        return @body = nil
      end
      fetch_body(target)
      @read = true
      @body = target
      @body.force_encoding(Encoding.default_external) if @body.instance_of?(String) && body_encoding == true
      @body
    end
    def body = read_body
    alias entity body
    def body=(text)
      @read = true
      @body = text
    end

    private

    def fetch_body(target)
      encoding = decode_content && self["content-encoding"].to_s.downcase
      return fetch_raw(target) if !encoding || !%w(gzip x-gzip deflate).include?(encoding)
      delete("content-encoding")
      inflater = Inflater.new(@socket)
      fetch_raw(inflater.inflate_adapter(target))
      inflater.finish
    end

    # Reads a packed body: what is read of the socket is unpacked.
    class Inflater
      def initialize(socket)
        @socket = socket
        # gzip or zlib, whichever the body begins with
        @inflate = Zlib::Inflate.new(32 + Zlib::MAX_WBITS)
      end

      def finish
        return if @inflate.total_in.zero?
        @inflate.finish
      end

      # What takes packed parts and hands them on unpacked.
      def inflate_adapter(target) = ReadAdapter.new(->(part) { target << @inflate.inflate(part) })

      def read(length, target, ignore_eof = false)
        @socket.read(length, inflate_adapter(target), ignore_eof)
      end
      def read_all(target) = @socket.read_all(inflate_adapter(target))
    end

    def fetch_raw(target)
      return fetch_chunks(target) if chunked?
      @socket or raise IOError, "attempt to read body out of block"
      size = content_length || (range_length if self["content-range"])
      size ? @socket.read(size, target, @ignore_eof) : @socket.read_all(target)
    end

    def fetch_chunks(target)
      loop do
        line = @socket.readline
        size = line[/\h+/] or raise HTTPBadResponse, "wrong chunk size line: #{line}"
        break if size.hex == 0
        target << @socket.read(size.hex)
        @socket.read(2)
      end
      until (line = @socket.readline).empty?
      end
    end
  end

  HTTP_CLASSES = [
    [:HTTPUnknownResponse, HTTPResponse, nil, true, HTTPError], [:HTTPInformation, HTTPResponse, "1", false, HTTPError], [:HTTPSuccess, HTTPResponse, "2", true, HTTPError],
    [:HTTPRedirection, HTTPResponse, "3", true, HTTPRetriableError], [:HTTPClientError, HTTPResponse, "4", true, HTTPClientException], [:HTTPServerError, HTTPResponse, "5", true, HTTPFatalError]
  ].freeze
  private_constant :HTTP_CLASSES
  HTTP_CLASSES.each do |name, base, _, body, error|
    made = const_set(name, Class.new(base))
    made.const_set(:HAS_BODY, body)
    made.const_set(:EXCEPTION_TYPE, error)
  end
  HTTPResponse::CODE_CLASS_TO_OBJ = HTTP_CLASSES.filter_map { |name, _, digit| [digit, const_get(name)] if digit }.to_h.freeze
  HTTPResponse::CODE_TO_OBJ = {
    "100" => :Continue, "101" => :SwitchProtocol, "102" => :Processing, "103" => :EarlyHints, "200" => :OK, "201" => :Created, "202" => :Accepted, "203" => :NonAuthoritativeInformation,
    "204" => :NoContent, "205" => :ResetContent, "206" => :PartialContent, "207" => :MultiStatus, "208" => :AlreadyReported, "226" => :IMUsed, "300" => :MultipleChoices, "301" => :MovedPermanently,
    "302" => :Found, "303" => :SeeOther, "304" => :NotModified, "305" => :UseProxy, "307" => :TemporaryRedirect, "308" => :PermanentRedirect, "400" => :BadRequest, "401" => :Unauthorized,
    "402" => :PaymentRequired, "403" => :Forbidden, "404" => :NotFound, "405" => :MethodNotAllowed, "406" => :NotAcceptable, "407" => :ProxyAuthenticationRequired, "408" => :RequestTimeout,
    "409" => :Conflict, "410" => :Gone, "411" => :LengthRequired, "412" => :PreconditionFailed, "413" => :PayloadTooLarge, "414" => :URITooLong, "415" => :UnsupportedMediaType,
    "416" => :RangeNotSatisfiable, "417" => :ExpectationFailed, "421" => :MisdirectedRequest, "422" => :UnprocessableEntity, "423" => :Locked, "424" => :FailedDependency, "426" => :UpgradeRequired,
    "428" => :PreconditionRequired, "429" => :TooManyRequests, "431" => :RequestHeaderFieldsTooLarge, "451" => :UnavailableForLegalReasons, "500" => :InternalServerError, "501" => :NotImplemented,
    "502" => :BadGateway, "503" => :ServiceUnavailable, "504" => :GatewayTimeout, "505" => :VersionNotSupported, "506" => :VariantAlsoNegotiates, "507" => :InsufficientStorage, "508" => :LoopDetected,
    "510" => :NotExtended, "511" => :NetworkAuthenticationRequired
  }.to_h do |code, name|
    made = const_set(:"HTTP#{name}", Class.new(HTTPResponse::CODE_CLASS_TO_OBJ[code[0]]))
    made.const_set(:HAS_BODY, !code.start_with?("1") && !%w(204 205 304).include?(code))
    [code, made]
  end.freeze
  HTTPFatalErrorCode = HTTPClientErrorCode = HTTPClientError
  HTTPRedirectionCode = HTTPRedirection
  HTTPSuccessCode = HTTPSuccess
  HTTPServerErrorCode = HTTPServerError
  HTTPInformationCode = HTTPInformation
  HTTPMovedTemporarily = HTTPFound
  HTTPMultipleChoice = HTTPMultipleChoices
  HTTPRequestTimeOut = HTTPRequestTimeout
  HTTPGatewayTimeOut = HTTPGatewayTimeout
  HTTPRequestEntityTooLarge = HTTPPayloadTooLarge
  HTTPRequestURITooLong = HTTPRequestURITooLarge = HTTPURITooLong
  HTTPRequestedRangeNotSatisfiable = HTTPRangeNotSatisfiable

  # A connection to one server.
  class HTTP < Protocol
    VERSION = "0.2.0"
    Revision = nil
    HTTPVersion = "1.1"
    HAVE_ZLIB = true
    # Whether only this program sees its environment, so that it may name the proxy's user there.
    ENVIRONMENT_VARIABLE_IS_MULTIUSER_SAFE = true
    SSL_ATTRIBUTES = %i(
      ca_file ca_path cert cert_store ciphers extra_chain_cert key ssl_timeout ssl_version min_version max_version verify_callback verify_depth verify_mode
      verify_hostname
    ).freeze
    SSL_IVNAMES = SSL_ATTRIBUTES.map { |name| :"@#{name}" }.freeze

    { Get: [false, true], Head: [false, false], Post: [true, true], Put: [true, true], Delete: [false, true], Options: [false, true], Trace: [false, true], Patch: [true, true], Propfind: [true, true],
      Proppatch: [true, true], Mkcol: [true, true], Copy: [false, true], Move: [false, true], Lock: [true, true], Unlock: [true, true] }.each do |name, (request, response)|
      made = const_set(name, Class.new(HTTPRequest))
      made.const_set(:METHOD, name.to_s.upcase)
      made.const_set(:REQUEST_HAS_BODY, request)
      made.const_set(:RESPONSE_HAS_BODY, response)
    end

    # Only the classes that `Proxy` makes are proxies'. The variable is there from the start, as in MRI: tests of clients change it.
    @is_proxy_class = false

    class << self
      def version_1_1? = false
      alias is_version_1_1? version_1_1?
      def version_1_2? = true
      alias is_version_1_2? version_1_2?
      def version_1_2 = true
      def version_1_1 = false
      def default_port = http_default_port
      def http_default_port = 80
      def https_default_port = 443
      def socket_type = BufferedIO

      def get_print(uri, path_or_headers = nil, port = nil)
        get_response(uri, path_or_headers, port) { |response| response.read_body { |part| $stdout.print(part) } }
        nil
      end
      def get(uri, path_or_headers = nil, port = nil) = get_response(uri, path_or_headers, port).body

      def get_response(uri, path_or_headers = nil, port = nil, &block)
        if path_or_headers && !path_or_headers.is_a?(Hash)
          return new(uri, port || default_port).start { |http| http.request_get(path_or_headers, &block) }
        end
        start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") { |http| http.request_get(uri, path_or_headers, &block) }
      end

      def post(url, data, header = nil) = start(url.hostname, url.port, use_ssl: url.scheme == "https") { |http| http.post(url, data, header) }

      def post_form(url, params)
        request = Post.new(url)
        request.form_data = params
        request.basic_auth(url.user, url.password) if url.user
        start(url.hostname, url.port, use_ssl: url.scheme == "https") { |http| http.request(request) }
      end

      def start(address, *args, &block)
        options = args.last.is_a?(Hash) ? args.pop : nil
        port, proxy_address, proxy_port, proxy_user, proxy_password = args
        port = https_default_port if options && options[:use_ssl] && port.nil?
        http = new(address, port, *(args.size > 1 ? [proxy_address, proxy_port, proxy_user, proxy_password] : []))
        options&.each do |name, value|
          http.ipaddr = value if name == :ipaddr
          http.__send__("#{name}=", value) if name != :ipaddr && http.respond_to?("#{name}=")
        end
        http.verify_mode ||= OpenSSL::SSL::VERIFY_PEER if options && options[:use_ssl]
        http.start(&block)
      end

      def Proxy(address = :ENV, port = nil, user = nil, password = nil)
        return self unless address
        base = self
        Class.new(base) do
          @is_proxy_class = true
          @proxy_settings = address == :ENV ? :ENV : [address, port || base.default_port, user, password]
        end
      end
      def proxy_class? = !!@is_proxy_class
      def proxy_settings = @proxy_settings
      def proxy_address = settings_at(0)
      def proxy_port = settings_at(1)
      def proxy_user = settings_at(2)
      def proxy_pass = settings_at(3)
      def settings_at(index) = @proxy_settings.is_a?(Array) ? @proxy_settings[index] : nil
      private :settings_at

      alias newobj new
      def new(address, port = nil, proxy_address = :ENV, proxy_port = nil, proxy_user = nil, proxy_password = nil, no_proxy = nil)
        http = newobj(address, port)
        settings =
          if proxy_class? then proxy_settings
          elsif proxy_address == :ENV then :ENV
          else
            reached = proxy_address && no_proxy && !URI::Generic.use_proxy?(proxy_address, proxy_address, proxy_port, no_proxy)
            proxy_address = proxy_port = nil if reached
            [proxy_address, proxy_port || default_port, proxy_user, proxy_password]
          end
        http.__send__(:use_proxy, settings)
        http
      end
    end

    attr_reader :address, :port, :ipaddr, :max_retries
    attr_accessor :local_host, :local_port, :open_timeout, :keep_alive_timeout, :ssl_timeout, :close_on_empty_response, :response_body_encoding, :ignore_eof
    attr_accessor :ca_file, :ca_path, :cert, :cert_store, :ciphers, :extra_chain_cert, :key, :ssl_version, :min_version, :max_version, :verify_callback, :verify_depth, :verify_mode, :verify_hostname
    attr_reader :read_timeout, :write_timeout, :continue_timeout
    attr_writer :proxy_from_env, :proxy_address, :proxy_port, :proxy_user, :proxy_pass

    def initialize(address, port = nil)
      @address = address
      @port = port || HTTP.default_port
      @use_ssl = false
      @started = false
      @open_timeout = @read_timeout = @write_timeout = 60
      @keep_alive_timeout = 2
      @max_retries = 1
      @close_on_empty_response = false
      @ignore_eof = true
      @verify_hostname = true
      @proxy_from_env = false
    end

    def inspect = "#<#{self.class} #{@address}:#{@port} open=#{started?}>"
    def set_debug_output(output)
      warn "Net::HTTP#set_debug_output called after HTTP started", uplevel: 1 if started?
      @debug_output = output
    end
    alias debug_output= set_debug_output
    def ipaddr=(address)
      raise IOError, "ipaddr value changed, but session already started" if started?
      @ipaddr = address
    end
    def max_retries=(count)
      raise ArgumentError, "max_retries should be non-negative integer number" if count && count.to_int < 0
      @max_retries = count&.to_int
    end
    def read_timeout=(seconds)
      @socket.read_timeout = seconds if @socket
      @read_timeout = seconds
    end
    def write_timeout=(seconds)
      @socket.write_timeout = seconds if @socket
      @write_timeout = seconds
    end
    def continue_timeout=(seconds)
      @continue_timeout = seconds
    end
    def started? = @started
    alias active? started?
    def use_ssl? = @use_ssl
    def use_ssl = @use_ssl
    def use_ssl=(flag)
      flag = flag ? true : false
      raise IOError, "use_ssl value changed, but session already started" if started? && @use_ssl != flag
      @use_ssl = flag
    end
    def peer_cert = use_ssl? && @socket ? @socket.io.peer_cert : nil

    # The proxy that the environment names for this server.
    def proxy_uri
      return if @proxy_uri == false
      @proxy_uri ||= URI::HTTP.new("http", nil, address, port, nil, nil, nil, nil, nil).find_proxy || false
      @proxy_uri || nil
    end
    def use_proxy(settings)
      @proxy_from_env = settings == :ENV
      @proxy_address, @proxy_port, @proxy_user, @proxy_pass = settings unless @proxy_from_env
    end
    private :use_proxy
    def proxy? = !!(@proxy_from_env ? proxy_uri : @proxy_address)
    def proxy_from_env? = @proxy_from_env
    def proxy_address = @proxy_from_env ? proxy_uri&.hostname : @proxy_address
    def proxy_port = @proxy_from_env ? proxy_uri&.port : @proxy_port
    def proxy_user = @proxy_from_env ? unescaped(proxy_uri&.user) : @proxy_user
    def proxy_pass = @proxy_from_env ? unescaped(proxy_uri&.password) : @proxy_pass
    def unescaped(text)
      return unless text
      require "cgi/util"
      CGI.unescape(text)
    end
    private :unescaped
    alias proxyaddr proxy_address
    alias proxyport proxy_port

    def start
      raise IOError, "HTTP session already opened" if @started
      unless block_given?
        do_start
        return self
      end
      begin
        do_start
        yield self
      ensure
        do_finish if started?
      end
    end

    def finish
      raise IOError, "HTTP session not yet started" unless started?
      do_finish
    end

    def get(path, header = nil, destination = nil, &block)
      result = nil
      request(Get.new(path, header)) do |response|
        response.read_body(destination, &block)
        result = response
      end
      result
    end
    def head(path, header = nil) = request(Head.new(path, header))
    { post: Post, patch: Patch }.each do |name, type|
      define_method(name) do |path, data, header = nil, destination = nil, &block|
        result = nil
        request(type.new(path, header), data) do |response|
          response.read_body(destination, &block)
          result = response
        end
        result
      end
    end
    def put(path, data, header = nil) = request(Put.new(path, header), data)
    def proppatch(path, body, header = nil) = request(Proppatch.new(path, header), body)
    def lock(path, body, header = nil) = request(Lock.new(path, header), body)
    def unlock(path, body, header = nil) = request(Unlock.new(path, header), body)
    def options(path, header = nil) = request(Options.new(path, header))
    def propfind(path, body = nil, header = { "Depth" => "0" }) = request(Propfind.new(path, header), body)
    def delete(path, header = { "Depth" => "Infinity" }) = request(Delete.new(path, header))
    def move(path, header = nil) = request(Move.new(path, header))
    def copy(path, header = nil) = request(Copy.new(path, header))
    def mkcol(path, body = nil, header = nil) = request(Mkcol.new(path, header), body)
    def trace(path, header = nil) = request(Trace.new(path, header))
    def request_get(path, header = nil, &block) = request(Get.new(path, header), &block)
    def request_head(path, header = nil, &block) = request(Head.new(path, header), &block)
    def request_post(path, data, header = nil, &block) = request(Post.new(path, header), data, &block)
    def request_put(path, data, header = nil, &block) = request(Put.new(path, header), data, &block)
    alias get2 request_get
    alias head2 request_head
    alias post2 request_post
    alias put2 request_put
    def send_request(name, path, data = nil, header = nil)
      has_body = name != "HEAD"
      request(HTTPGenericRequest.new(name, data ? true : false, has_body, path, header), data)
    end

    IDEMPOTENT_METHODS_ = %w(GET HEAD PUT DELETE OPTIONS TRACE).freeze
    
    def request(request, body = nil, &block)
      unless started?
        return start do
          request["connection"] ||= "close"
          self.request(request, body, &block)
        end
      end
      request.proxy_basic_auth(proxy_user, proxy_pass) if proxy_user && !use_ssl?
      request.set_body_internal(body)
      response = transport_request(request, &block)
      check_auth(response)
      response
    end

    private

    def check_auth(response) = response

    def say(text) = @debug_output&.<<("#{text}\n")

    def do_start
      connect
      @started = true
    end

    def do_finish
      @started = false
      @socket&.close
      @socket = nil
    end

    def connect
      host, port = proxy? ? [proxy_address, proxy_port] : [conn_address, conn_port]
      say "opening connection to #{host}:#{port}..."
      socket = open_socket(host, port)
      socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
      say "opened"
      if use_ssl?
        say "starting SSL for #{host}:#{port}..."
        socket = tls(socket)
        say "SSL established, protocol: #{socket.ssl_version}, cipher: #{socket.cipher[0]}"
      end
      @socket = BufferedIO.new(socket, read_timeout: @read_timeout, write_timeout: @write_timeout, continue_timeout: @continue_timeout, debug_output: @debug_output)
      @last_used = nil
      on_connect
    end

    # For subclasses.
    def on_connect = nil
    def conn_address = @ipaddr || @address
    def conn_port = @port

    def open_socket(host, port)
      TCPSocket.open(host, port, connect_timeout: @open_timeout)
    rescue Errno::ETIMEDOUT => error
      raise OpenTimeout, "Failed to open TCP connection to #{host}:#{port} (#{error.message})"
    rescue SystemCallError, SocketError => error
      raise error, "Failed to open TCP connection to #{host}:#{port} (#{error.message.sub(/ for "(.*)" port (\d+)\z/, ' for \1:\2')})"
    end

    def tls(socket)
      through_proxy(socket) if proxy?
      context = OpenSSL::SSL::SSLContext.new
      names = %i(ca_file ca_path cert ciphers extra_chain_cert key cert_store ssl_version min_version max_version verify_callback verify_depth verify_mode verify_hostname)
      context.set_params(names.to_h { |name| [name, __send__(name)] }.compact)
      # an address is no name that a server can be asked for: it is checked afterwards
      address = @address.match?(/\A[\d.]+\z|:/)
      context.verify_hostname = false if address
      inside = OpenSSL::SSL::SSLSocket.new(socket, context)
      inside.sync_close = true
      inside.hostname = @address unless address
      ssl_socket_connect(inside, @ssl_timeout || @open_timeout)
      inside.post_connection_check(@address) if context.verifies? && verify_hostname
      inside
    rescue StandardError
      socket.close unless socket.closed?
      raise
    end

    def through_proxy(socket)
      plain = BufferedIO.new(socket, read_timeout: @read_timeout)
      lines = ["CONNECT #{@address}:#{@port} HTTP/#{HTTPVersion}", "Host: #{@address}:#{@port}"]
      lines << "Proxy-Authorization: Basic #{["#{proxy_user}:#{proxy_pass}"].pack("m0")}" if proxy_user
      plain.write("#{lines.join("\r\n")}\r\n\r\n")
      HTTPResponse.read_new(plain).value
    end

    def begin_transport(request)
      if @socket.nil? || @socket.closed?
        connect
      elsif @last_used.nil?
        # nothing was sent on the connection yet
      elsif @last_used + @keep_alive_timeout < Process.clock_gettime(Process::CLOCK_MONOTONIC)
        say "Conn close because of keep_alive_timeout"
        @socket.close
        connect
      elsif !use_ssl? && @socket.io.wait_readable(0) && @socket.eof?
        # the server has closed it meanwhile
        say "Conn close because of EOF"
        @socket.close
        connect
      end
      request["connection"] ||= "close" if !request.response_body_permitted? && @close_on_empty_response
      request.update_uri(@address, @port, use_ssl?)
      request["host"] ||= addr_port
    end

    def addr_port
      host = @address.to_s.include?(":") && !@address.start_with?("[") ? "[#{@address}]" : @address
      (use_ssl? ? HTTP.https_default_port : HTTP.http_default_port) == @port ? host : "#{host}:#{@port}"
    end

    def edit_path(path) = proxy? && !use_ssl? ? "http://#{addr_port}#{path}" : path

    def transport_request(request)
      count = 0
      begin
        begin_transport(request)
        response = nil
        request.exec(@socket, HTTPVersion, edit_path(request.path))
        begin
          response = HTTPResponse.read_new(@socket)
          response.decode_content = request.decode_content
          response.body_encoding = @response_body_encoding
        end while response.is_a?(HTTPInformation) && !response.is_a?(HTTPSwitchProtocol)
        response.uri = request.uri
        response.reading_body(@socket, request.response_body_permitted?) { yield response if block_given? }
      rescue OpenTimeout
        raise
      rescue ReadTimeout, IOError, EOFError, Errno::ECONNRESET, Errno::ECONNABORTED, Errno::EPIPE, Errno::ETIMEDOUT, OpenSSL::SSL::SSLError, Timeout::Error => error
        if response.nil? && count < max_retries.to_i && IDEMPOTENT_METHODS_.include?(request.method) && !error.is_a?(OpenSSL::SSL::SSLError)
          count += 1
          @socket&.close
          say "Conn close because of error #{error}, and retry"
          retry
        end
        say "Conn close because of error #{error}"
        @socket&.close
        raise
      end
      end_transport(request, response)
      response
    rescue StandardError
      @socket&.close
      raise
    end

    def end_transport(request, response)
      @last_used = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      return if @socket.closed?
      keep = keep_alive?(request, response) && (response.body.nil? || response.content_length || response.chunked?)
      say(keep ? "Conn keep-alive" : "Conn close")
      @socket.close unless keep
    end

    def keep_alive?(request, response)
      return false if request.connection_close? || response.connection_close?
      response.connection_keep_alive? || response.http_version == "1.1"
    end
  end
  HTTPSession = HTTP

  # What a class with a proxy of its own has besides; kept for programs that name it.
  class HTTP
    module ProxyDelta
      private

      def conn_address = proxy_address
      def conn_port = proxy_port
      def edit_path(path) = use_ssl? ? path : "http://#{addr_port}#{path}"
    end
    ProxyMod = ProxyDelta
    deprecate_constant :ProxyMod
  end

  NetPrivate::HTTPRequest = HTTPRequest
  NetPrivate.deprecate_constant :HTTPRequest
  HTTPResponceReceiver = HTTPResponse
  HTTPResponseReceiver = HTTPResponse
  HTTPRetriableCode = HTTPRedirection
  deprecate_constant :HTTPResponceReceiver, :HTTPResponseReceiver, :HTTPRetriableCode, :HTTPServerException
end
