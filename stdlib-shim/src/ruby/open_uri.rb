# OpenURI: `URI.open` reads http, https and ftp addresses like files.
require "uri"
require "time"
require "stringio"
require "tempfile"
require "net/http"
autoload :Date, "date"
autoload :DateTime, "date"

module OpenURI
  OPTIONS = %i(proxy proxy_http_basic_authentication progress_proc content_length_proc http_basic_authentication read_timeout open_timeout ssl_ca_cert ssl_verify_mode redirect encoding ssl_min_version ssl_max_version ftp_active_mode).freeze
  Options = OPTIONS.to_h { |name| [name, true] }.freeze
  private_constant :OPTIONS

  class HTTPError < StandardError
    attr_reader :io
    def initialize(message, io)
      super(message)
      @io = io
    end
  end
  class HTTPRedirect < HTTPError
    attr_reader :uri
    def initialize(message, io, uri)
      super(message, io)
      @uri = uri
    end
  end

  # What the answer said of itself, on the string or file that holds it.
  module Meta
    attr_accessor :status, :base_uri
    attr_reader :meta, :metas

    def self.init(io, response, uri)
      io.extend(self)
      io.__send__(:describe, response, uri)
      io
    end

    def describe(response, uri)
      @metas = response ? response.to_hash : {}
      @meta = @metas.transform_values { |values| values.join(", ") }
      @status = response ? [response.code, response.message] : []
      @base_uri = uri
      return unless content_type.start_with?("text/") && (encoding = charset)
      respond_to?(:string) ? self.string.force_encoding(encoding) : set_encoding(encoding)
    rescue ArgumentError
      nil
    end
    private :describe

    def content_type = @meta["content-type"].to_s.split(";").first.to_s.strip.downcase.then { |type| type.include?("/") ? type : "application/octet-stream" }
    def charset
      found = @meta["content-type"].to_s[/;\s*charset="?([^";\s]+)/i, 1]
      return found.downcase if found
      return yield if block_given?
      content_type.start_with?("text/") && @base_uri&.scheme.to_s.match?(/\Ahttp\z/i) ? "iso-8859-1" : (content_type.start_with?("text/") ? "utf-8" : nil)
    end
    def content_type_parse = [content_type]
    def content_encoding = @meta["content-encoding"].to_s.downcase.split(/\s*,\s*/)
    def last_modified
      require "time"
      @meta["last-modified"] && Time.httpdate(@meta["last-modified"])
    end
    def meta_add_field(name, value) = @meta[name] = value
  end

  # What a body is collected in: a StringIO up to StringMax bytes, a temporary file beyond.
  class Buffer
    StringMax = 10240
    attr_reader :size, :io

    def initialize
      @size = 0
      @io = StringIO.new
    end

    def <<(text)
      @io << text
      @size += text.length
      move if StringIO === @io && @size > StringMax
    end

    private

    def move
      text = @io.string
      @io = Tempfile.new("open-uri")
      @io.binmode
      @io << text
    end
  end

  class << self
    def open_uri(name, *rest)
      uri = name.is_a?(URI::Generic) ? name : URI.parse(name)
      mode = rest.shift if rest[0].is_a?(String) || rest[0].is_a?(Integer)
      rest.shift if mode && rest[0].is_a?(Integer) # permissions of a new file
      options = rest[0].is_a?(Hash) ? rest.shift : {}
      raise ArgumentError, "extra arguments" unless rest.empty?
      header = options.reject { |key, _| key.is_a?(Symbol) }
      options = options.select { |key, _| key.is_a?(Symbol) }
      unknown = options.keys - OPTIONS
      raise ArgumentError, "unrecognized option: #{unknown[0]}" unless unknown.empty?
      encoding = encoding_of(uri, mode, options)
      io = follow(uri, options, header)
      io.set_encoding(encoding) if encoding && io.respond_to?(:set_encoding)
      return io unless block_given?
      begin
        yield io
      ensure
        io.respond_to?(:close!) ? io.close! : io.close
      end
    end

    # Whether an answer from the first address may lead to the second. Libraries replace this method to allow more.
    def redirectable?(uri1, uri2)
      from, to = uri1.scheme.downcase, uri2.scheme.downcase
      from == to || "#{from} #{to}" =~ /\A(?:http|ftp) (?:https?|ftp)\z/
    end

    private

    # The encoding that the mode or the options name; what is read from an address can only be read.
    def encoding_of(uri, mode, options)
      named = options[:encoding]
      if mode
        read = /\Arb?(?:\Z|:([^:]+))/ =~ mode
        raise ArgumentError, "invalid access mode #{mode} (#{uri.class} resource is read only.)" unless read
        raise ArgumentError, "encoding specified twice" if $1 && named
        named ||= $1
      end
      named && Encoding.find(named)
    end

    # The proxy and the user and password for it, as the options or the environment say.
    def proxy_of(uri, options)
      given = options.slice(:proxy, :proxy_http_basic_authentication)
      raise ArgumentError, "multiple proxy options specified" if given.size > 1
      if given.key?(:proxy_http_basic_authentication)
        proxy, user, password = given[:proxy_http_basic_authentication]
        user, password = user.to_str, password.to_str
      else
        proxy = given.fetch(:proxy, true)
      end
      proxy =
        case proxy
        when true then uri.find_proxy
        when nil, false then nil
        when String then URI.parse(proxy)
        when URI::Generic then proxy
        else raise ArgumentError, "Invalid proxy option: #{proxy}"
        end
      raise "Non-HTTP proxy URI: #{proxy}" if proxy && proxy.class != URI::HTTP
      [proxy, user, password]
    end

    def follow(uri, options, header)
      seen = {}
      loop do
        raise ArgumentError, "unknown scheme #{uri.scheme}" unless uri.is_a?(URI::HTTP)
        response = fetch(uri, options, header)
        buffer = Buffer.new
        buffer << response.body.to_s
        body = buffer.io
        body.rewind
        case response
        when Net::HTTPSuccess then return Meta.init(body, response, uri)
        when Net::HTTPMovedPermanently, Net::HTTPFound, Net::HTTPSeeOther, Net::HTTPTemporaryRedirect, Net::HTTPPermanentRedirect
          Meta.init(body, response, uri)
          target = uri + response["location"].to_s
          raise HTTPRedirect.new("#{response.code} #{response.message}", body, target) if options[:redirect] == false
          raise "redirection forbidden: #{uri} -> #{target}" unless redirectable?(uri, target)
          header = header.reject { |name, _| name.to_s.downcase == "authorization" } if uri.host != target.host
          options = options.except(:http_basic_authentication) if uri.host != target.host
          raise "HTTP redirection loop: #{target}" if seen[target.to_s]
          seen[target.to_s] = true
          uri = target
        else raise HTTPError.new("#{response.code} #{response.message}", Meta.init(body, response, uri))
        end
      end
    end

    def fetch(uri, options, header)
      proxy, user, password = proxy_of(uri, options)
      raise ArgumentError, "userinfo not supported.  [RFC3986]" if uri.userinfo
      http = Net::HTTP.new(uri.hostname, uri.port, proxy&.hostname, proxy&.port, user, password)
      if uri.is_a?(URI::HTTPS)
        http.use_ssl = true
        http.verify_mode = options[:ssl_verify_mode] || OpenSSL::SSL::VERIFY_PEER
        http.ca_file = Array(options[:ssl_ca_cert]).first if options[:ssl_ca_cert]
      end
      http.read_timeout = options[:read_timeout] if options.key?(:read_timeout)
      http.open_timeout = options[:open_timeout] if options.key?(:open_timeout)
      request = Net::HTTP::Get.new(uri, header)
      credentials = options[:http_basic_authentication]
      request.basic_auth(credentials[0], credentials[1]) if credentials
      http.start do
        http.request(request) do |response|
          options[:content_length_proc]&.call(response.content_length)
          response.read_body
          options[:progress_proc]&.call(response.body.to_s.bytesize)
        end
      end
    end
  end

  module OpenRead
    def open(*rest, &block) = OpenURI.open_uri(self, *rest, &block)
    def read(options = {})
      open(options) do |io|
        text = io.read
        Meta.init(text, nil, nil).tap { |made| made.instance_variable_set(:@meta, io.meta); made.base_uri = io.base_uri; made.status = io.status }
      end
    end
  end
end

module URI
  def self.open(name, *rest, &block)
    return name.open(*rest, &block) if name.respond_to?(:open)
    if name.respond_to?(:to_str)
      uri = begin
        URI.parse(name)
      rescue InvalidURIError
        nil
      end
      return uri.open(*rest, &block) if uri.respond_to?(:open)
    end
    Kernel.open(name, *rest, &block)
  end
  class HTTP
    include OpenURI::OpenRead
  end
  class FTP
    include OpenURI::OpenRead
  end
end
