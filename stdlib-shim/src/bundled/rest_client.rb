require "net/http"
require "uri"
require "cgi/util"

# Requests in one call, in the manner of the gem rest-client.
module RestClient
  VERSION = "2.1.0"

  class Exception < RuntimeError
    attr_accessor :response, :original_exception
    attr_writer :message

    def initialize(response = nil, initial_response_code = nil)
      @response = response
      @initial_response_code = initial_response_code
      super()
    end

    def http_code = @response ? @response.code.to_i : @initial_response_code
    def http_headers = @response&.headers
    def http_body = @response&.body
    def to_s = message
    def message = @message || default_message
    def default_message = self.class.name
  end

  class ExceptionWithResponse < Exception
  end

  class RequestFailed < ExceptionWithResponse
    def default_message = "HTTP status code #{http_code}"
  end

  STATUSES = { 300 => "Multiple Choices", 301 => "Moved Permanently", 302 => "Found", 303 => "See Other", 304 => "Not Modified", 307 => "Temporary Redirect",
               308 => "Permanent Redirect", 400 => "Bad Request", 401 => "Unauthorized", 403 => "Forbidden", 404 => "Not Found", 405 => "Method Not Allowed",
               406 => "Not Acceptable", 408 => "Request Timeout", 409 => "Conflict", 410 => "Gone", 412 => "Precondition Failed", 415 => "Unsupported Media Type",
               422 => "Unprocessable Entity", 429 => "Too Many Requests", 500 => "Internal Server Error", 501 => "Not Implemented", 502 => "Bad Gateway",
               503 => "Service Unavailable", 504 => "Gateway Timeout" }.freeze

  module Exceptions
    EXCEPTIONS_MAP = STATUSES.to_h do |code, text|
      made = Class.new(RequestFailed) { define_method(:default_message) { "#{code} #{text}" } }
      RestClient.const_set(text.delete(" "), made)
      [code, made]
    end.freeze

    class Timeout < RestClient::Exception
    end

    class OpenTimeout < Timeout
    end

    class ReadTimeout < Timeout
    end
  end
  ResourceNotFound = NotFound

  class ServerBrokeConnection < Exception
  end

  # The body of an answer, with its code and headers.
  class Response < String
    attr_reader :net_http_res, :request

    def self.create(body, net_http_res, request)
      made = new(body.to_s)
      made.send(:take, net_http_res, request)
      made
    end

    def code = @net_http_res.code.to_i
    def body = String.new(self)
    def headers = @net_http_res.to_hash.each_with_object({}) { |(name, values), all| all[name.tr("-", "_").downcase.to_sym] = values.join(", ") }
    def raw_headers = @net_http_res.to_hash
    def to_i = code

    private

    def take(net_http_res, request)
      @net_http_res = net_http_res
      @request = request
    end
  end

  class Request
    attr_reader :method, :url, :headers

    def self.execute(args, &block) = new(args).execute(&block)

    def initialize(args)
      @method = args[:method].to_s
      @headers = (args[:headers] || {}).dup
      @url = with_params(args[:url])
      @payload = args[:payload]
      @user, @password = args[:user], args[:password]
      @timeout = args[:timeout]
      @open_timeout = args[:open_timeout] || @timeout
      @read_timeout = args[:read_timeout] || @timeout
      @verify = args.fetch(:verify_ssl, true)
      @redirects = args.fetch(:max_redirects, 10)
    end

    def execute(&block)
      uri = URI.parse(@url)
      http = Net::HTTP.new(uri.hostname, uri.port)
      http.use_ssl = uri.scheme == "https"
      http.verify_mode = 0 if http.use_ssl? && [false, 0].include?(@verify)
      http.open_timeout = @open_timeout if @open_timeout
      http.read_timeout = @read_timeout if @read_timeout
      request = Net::HTTP.const_get(@method.capitalize).new(uri.request_uri, header_fields)
      request.basic_auth(@user || uri.user, @password || uri.password) if @user || uri.user
      request.body = body if @payload
      answer = http.request(request)
      finish(Response.create(answer.body, answer, self), &block)
    rescue Net::OpenTimeout
      raise Exceptions::OpenTimeout
    rescue Net::ReadTimeout
      raise Exceptions::ReadTimeout
    end

    private

    def finish(response)
      return yield(response, self, response.net_http_res) if block_given?
      case response.code
      when 200..207 then response
      when 301, 302, 303, 307, 308 then follow(response)
      else raise (Exceptions::EXCEPTIONS_MAP[response.code] || RequestFailed).new(response, response.code)
      end
    end

    def follow(response)
      target = response.headers[:location]
      again = response.code == 303 ? "get" : @method
      raise Exceptions::EXCEPTIONS_MAP[response.code].new(response, response.code) if target.nil? || @redirects <= 0 || !%w[get head].include?(again)
      Request.execute(method: again, url: URI.join(@url, target).to_s, headers: @headers, timeout: @timeout, verify_ssl: @verify, max_redirects: @redirects - 1)
    end

    def with_params(url)
      params = @headers.delete(:params) || {}
      params.empty? ? url : "#{url}#{url.include?("?") ? "&" : "?"}#{URI.encode_www_form(params)}"
    end

    def header_fields
      fields = { "Accept" => "*/*", "User-Agent" => "rest-client/#{VERSION}" }
      fields["Content-Type"] = "application/x-www-form-urlencoded" if @payload.is_a?(Hash)
      @headers.each { |name, value| fields[name.is_a?(Symbol) ? name.to_s.split("_").map(&:capitalize).join("-") : name] = media_type(value) }
      fields
    end

    def media_type(value)
      return value.to_s unless value.is_a?(Symbol)
      { json: "application/json", xml: "application/xml", html: "text/html", text: "text/plain" }.fetch(value, value.to_s)
    end

    def body
      case @payload
      when Hash then URI.encode_www_form(@payload)
      else @payload.respond_to?(:read) ? @payload.read : @payload.to_s
      end
    end
  end

  # An address with its options, for several requests.
  class Resource
    attr_reader :url, :options

    def initialize(url, options = {}, *rest)
      @url = url
      @options = options.is_a?(Hash) ? options : { user: options, password: rest[0] }
    end

    %i[get head delete].each do |name|
      define_method(name) { |headers = {}, &block| request(name, headers, nil, &block) }
    end
    %i[post put patch].each { |name| define_method(name) { |payload = nil, headers = {}, &block| request(name, headers, payload, &block) } }
    def [](suburl) = self.class.new("#{url.chomp("/")}/#{suburl.delete_prefix("/")}", options)
    def to_s = url

    private

    def request(method, headers, payload, &block)
      Request.execute(options.merge(method: method, url: url, payload: payload, headers: (options[:headers] || {}).merge(headers)), &block)
    end
  end

  class << self
    attr_accessor :proxy, :log

    %i[get head delete options].each { |name| define_method(name) { |url, headers = {}, &block| Request.execute(method: name, url: url, headers: headers, &block) } }
    %i[post put patch].each { |name| define_method(name) { |url, payload = nil, headers = {}, &block| Request.execute(method: name, url: url, payload: payload, headers: headers, &block) } }
  end
end
