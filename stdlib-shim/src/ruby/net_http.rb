require "timeout"
require "uri"
require "openssl"
require "socket"

module Net
  class ProtocolError < StandardError; end
  class ProtoRetriableError < ProtocolError; end
  class ProtoServerError < ProtocolError; end
  class OpenTimeout < Timeout::Error; end
  class ReadTimeout < Timeout::Error; end
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

  class HTTPClientException < ProtoServerError
    include HTTPExceptions
  end
  HTTPServerException = HTTPClientException

  class HTTPFatalError < ProtocolError
    include HTTPExceptions
  end

  module HTTPHeader
    def headers_table = @headers_table ||= {}
    private :headers_table
    def [](name) = headers_table[name.to_s.downcase]&.join(", ")
    def []=(name, value)
      value.nil? ? headers_table.delete(name.to_s.downcase) : headers_table[name.to_s.downcase] = Array(value).map(&:to_s)
    end
    def add_field(name, value) = (headers_table[name.to_s.downcase] ||= []).push(value.to_s)
    def get_fields(name) = headers_table[name.to_s.downcase]&.dup
    def key?(name) = headers_table.key?(name.to_s.downcase)
    def delete(name) = headers_table.delete(name.to_s.downcase)
    def each_header(&block) = headers_table.each { |name, values| block.call(name, values.join(", ")) }
    alias each each_header
    def to_hash = headers_table.dup
    def content_type = self["content-type"]&.split(";")&.first
    def content_type=(type)
      self["content-type"] = type
    end
    def content_length = self["content-length"]&.to_i
    def initialize_http_header(table) = table&.each { |name, value| self[name] = value }
    def basic_auth(user, password) = self["authorization"] = "Basic #{["#{user}:#{password}"].pack("m0")}"
    def set_form_data(params, separator = "&")
      self.body = URI.encode_www_form(params).gsub("&", separator)
      self.content_type = "application/x-www-form-urlencoded"
    end
    alias form_data= set_form_data
  end

  class HTTPGenericRequest
    include HTTPHeader
    attr_reader :method, :path, :uri
    attr_accessor :body, :body_stream

    def initialize(method, path, header = nil)
      @method = method
      @uri = path if path.is_a?(URI::Generic)
      @path = @uri ? @uri.request_uri : path
      self["accept"] = "*/*"
      self["user-agent"] = "Ruby"
      self["host"] = @uri.hostname if @uri
      initialize_http_header(header)
    end
  end

  class HTTPRequest < HTTPGenericRequest
    def initialize(path, header = nil) = super(self.class::METHOD, path, header)
  end

  class HTTPResponse
    include HTTPHeader
    attr_reader :http_version, :code, :message
    attr_accessor :body, :uri
    alias msg message

    def initialize(http_version, code, message)
      @http_version, @code, @message = http_version, code, message
    end

    def value = is_a?(HTTPSuccess) ? nil : raise(HTTPClientException.new("#{code} #{message.dump}", self))
    alias error! value
    def read_body = body
  end

  class HTTPUnknownResponse < HTTPResponse; end
  class HTTPInformation < HTTPResponse; end
  class HTTPSuccess < HTTPResponse; end
  class HTTPRedirection < HTTPResponse; end
  class HTTPClientError < HTTPResponse; end
  class HTTPServerError < HTTPResponse; end
  { HTTPSuccess => %w(OK Created Accepted NoContent PartialContent), HTTPRedirection => %w(MovedPermanently Found SeeOther NotModified TemporaryRedirect PermanentRedirect),
    HTTPClientError => %w(BadRequest Unauthorized Forbidden NotFound MethodNotAllowed RequestTimeOut Conflict Gone UnprocessableEntity TooManyRequests),
    HTTPServerError => %w(InternalServerError NotImplemented BadGateway ServiceUnavailable GatewayTimeOut) }.each do |base, names|
    names.each { |name| const_set("HTTP#{name}", Class.new(base)) }
  end

  class HTTP
    %w(Get Head Post Put Delete Patch Options).each do |name|
      const_set(name, Class.new(HTTPRequest) { const_set(:METHOD, name.upcase) })
    end

    attr_reader :address, :port
    attr_accessor :open_timeout, :read_timeout, :write_timeout, :ssl_timeout, :verify_mode, :ca_file, :ca_path, :cert, :key, :cert_store, :ssl_version, :keep_alive_timeout, :use_ssl, :max_retries, :proxy_from_env

    def self.default_port = 80
    def self.Proxy(*) = self
    def self.get(uri, path = nil, port = nil) = get_response(uri, path, port).body
    def self.get_response(uri, path = nil, port = nil) = new(uri.is_a?(URI::Generic) ? uri.host : uri, port).start
    def self.post(uri, *) = new(uri.host, uri.port).start
    def self.post_form(uri, *) = new(uri.host, uri.port).start

    def self.start(address, port = nil, *, **options, &block)
      http = new(address, port)
      options.each { |name, value| http.public_send("#{name}=", value) if http.respond_to?("#{name}=") }
      http.start(&block)
    end

    def initialize(address, port = nil, *)
      @address = address
      @port = port || 80
      @open_timeout = @read_timeout = 60
    end

    def use_ssl? = use_ssl ? true : false
    def started? = false
    def set_debug_output(*) = nil
    def start = raise(NotImplementedError, "Net::HTTP: connecting is not built (#{address}:#{port})")
    def request(*) = start
    def get(*) = start
    def post(*) = start
    def head(*) = start
    def put(*) = start
    def delete(*) = start
    def finish = raise(IOError, "HTTP session not yet started")
  end
end
