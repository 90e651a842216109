# URI: addresses taken apart, put together, resolved against others; forms encoded.
module URI
  VERSION = "0.11.0"
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  PATTERN = %r{\A(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?\z}m
  UNRESERVED_PATH = %r{\A(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%\h\h)*\z}
  UNRESERVED_QUERY = %r{\A(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]]|%\h\h)*\z}
  HOST = /\A(?:\[[\h:.v]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%\h\h)*)\z/
  USERINFO = /\A(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%\h\h)*\z/
  TBLENCWWWCOMP_ = (0..255).to_h { |byte| [byte.chr, byte.chr.match?(/[*\-.0-9A-Z_a-z]/) ? byte.chr : (byte == 32 ? "+" : format("%%%02X", byte))] }.freeze
  private_constant :PATTERN, :UNRESERVED_PATH, :UNRESERVED_QUERY, :HOST, :USERINFO

  class Generic

    DEFAULT_PORT = nil
    COMPONENT = %i(scheme userinfo host port registry path opaque query fragment).freeze
    USE_REGISTRY = false

    class << self
      def default_port = self::DEFAULT_PORT
      def component = self::COMPONENT
      def use_registry = self::USE_REGISTRY

      def build(parts)
        case parts
        when Array
          raise ArgumentError, "expected Array of or Hash of components of #{self} (#{component.drop(1).join(", ")})" unless parts.size == component.size || parts.size == component.size - 1
          parts = (parts.size == component.size ? component : component.drop(1)).zip(parts).to_h
        when Hash then nil
        else raise ArgumentError, "expected Array of or Hash of components of #{self} (#{component.drop(1).join(", ")})"
        end
        scheme = equal?(Generic) ? parts[:scheme] : name.split("::").last.downcase
        new(scheme, parts[:userinfo], parts[:host], parts[:port], parts[:registry], parts[:path], parts[:opaque], parts[:query], parts[:fragment], nil, true)
      end

      def build2(parts)
        build(parts)
      rescue InvalidComponentError
        parts = parts.is_a?(Array) ? parts.map { |each| each.nil? ? nil : DEFAULT_PARSER.escape(each.to_s) } : parts.transform_values { |each| each.is_a?(String) ? DEFAULT_PARSER.escape(each) : each }
        build(parts)
      end
    end

    attr_reader :scheme, :host, :port, :path, :query, :fragment, :opaque

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, _parser = nil, check = false)
      raise InvalidURIError, "the scheme #{scheme} does not accept registry part: #{registry} (or bad hostname?)" if registry
      @scheme = @user = @password = @host = @port = @path = @query = @opaque = @fragment = nil
      if check
        self.scheme = scheme
        self.hostname = host
        self.port = port
        self.userinfo = userinfo
        self.path = path
        self.query = query
        self.opaque = opaque
        self.fragment = fragment
      else
        @scheme = scheme&.to_s&.downcase
        @host, @path, @query, @opaque, @fragment = host, path, query, opaque, fragment
        @user, @password = userinfo.is_a?(Array) ? userinfo : split_userinfo(userinfo)
        @port = port.to_s.empty? ? nil : port.to_i
      end
      @port ||= default_port
      @path = "" if @path.nil? && @opaque.nil?
    end

    def split_userinfo(text) = text ? text.split(":", 2) : [nil, nil]
    def bad(what, value) = raise(InvalidComponentError, "bad component(expected #{what} component): #{value}")
    private :split_userinfo, :bad

    def default_port = self.class.default_port
    def component = self.class.component
    def parser = DEFAULT_PARSER

    def scheme=(value)
      bad("scheme", value) if value && !value.match?(/\A[A-Za-z][A-Za-z0-9\-+.]*\z/)
      @scheme = value&.downcase
    end
    def userinfo
      return nil unless @user
      @password ? "#{@user}:#{@password}" : @user
    end
    def userinfo=(value)
      return if value.nil?
      check_authority("userinfo", value)
      user, password = split_userinfo(value)
      bad("userinfo", value) unless value.match?(USERINFO)
      @user, @password = user, password
    end
    def user = @user
    def password = @password
    def user=(value)
      check_authority("user", value)
      bad("user", value) unless value.nil? || value.match?(USERINFO)
      @user = value
    end
    def password=(value)
      check_authority("password", value)
      raise InvalidURIError, "password component depends user component" unless @user || value.nil?
      bad("password", value) unless value.nil? || value.match?(USERINFO)
      @password = value
    end
    def check_authority(_what, value)
      raise InvalidURIError, "can not set host or port with opaque" if value && @opaque
    end
    private :check_authority
    def host=(value)
      check_authority("host", value)
      bad("host", value) unless value.nil? || value.match?(HOST)
      @host = value
    end
    def hostname = host&.start_with?("[") ? host[1..-2] : host
    def hostname=(value)
      value = "[#{value}]" if value && !value.start_with?("[") && value.include?(":")
      self.host = value
    end
    def port=(value)
      check_authority("port", value)
      bad("port", value.inspect) unless value.nil? || value.is_a?(Integer) || value.to_s.match?(/\A\d*\z/)
      @port = value.to_s.empty? ? nil : value.to_i
    end
    def path=(value)
      raise InvalidURIError, "path conflicts with opaque" if value && @opaque
      bad(@host ? "absolute path" : "path", value) if value && (!value.match?(UNRESERVED_PATH) || (@host && !value.empty? && !value.start_with?("/")))
      @path = value
    end
    def query=(value)
      return @query = nil unless value
      raise InvalidURIError, "query conflicts with opaque" if @opaque
      text = value.to_str.dup
      text = text.b if text.encoding != Encoding::UTF_8
      @query = text.delete("\t\r\n").gsub(/[^ -~]|[ "#<>`]/) { |char| char.b.bytes.map { |byte| format("%%%02X", byte) }.join }.force_encoding("US-ASCII")
    end
    def opaque=(value)
      raise InvalidURIError, "can not set opaque with host, port, userinfo or path" if value && (@host || @user || (@path && !@path.empty?))
      @opaque = value
      @path = nil if value
    end
    def fragment=(value)
      return @fragment = nil unless value
      @fragment = value.to_str.b.delete("\t\r\n").gsub(/[^ -~]|[ "<>`]/n) { |char| format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    end
    def registry = nil
    def registry=(value)
      raise InvalidURIError, "can not set registry" if value
    end

    def absolute? = !@scheme.nil?
    alias absolute absolute?
    def relative? = !absolute?
    def hierarchical? = !@path.nil?
    def select(*names)
      names.each { |name| raise ArgumentError, "expected of components of #{self.class} (#{component.join(", ")})" unless component.include?(name) }
      names.map { |name| __send__(name) }
    end

    def normalize = dup.tap(&:normalize!)
    def normalize!
      self.path = "/" if path&.empty?
      @scheme = scheme.downcase if scheme
      @host = host.downcase if host
      nil
    end

    def ==(other) = self.class == other.class && normalize.parts == other.normalize.parts
    def eql?(other) = self.class == other.class && parts == other.parts
    def hash = parts.hash
    def parts = component.map { |name| __send__(name) }
    protected :parts
    def inspect = "#<#{self.class} #{self}>"

    def to_s
      text = +""
      text << @scheme << ":" if @scheme
      if @opaque
        text << @opaque
      else
        text << "//" if @host || %w(file postgres).include?(@scheme)
        text << userinfo << "@" if userinfo
        text << @host if @host
        text << ":" << @port.to_s if @port && @port != default_port
        text << "/" if @host && path && !path.empty? && !path_text.start_with?("/")
        text << path_text
        text << "?" << @query if @query
      end
      text << "#" << @fragment if @fragment
      text
    end
    def path_text = @path.to_s
    private :path_text
    def coerce(other)
      [URI.parse(other.to_str), self]
    end

    def merge(other)
      other = URI.__send__(:any, other)
      raise BadURIError, "both URI are relative" if relative? && other.relative?
      return other.dup if other.absolute?
      made = dup
      if other.host || other.opaque
        made.__send__(:take, other, %i(@user @password @host @path @query))
        made.instance_variable_set(:@port, other.port || default_port)
      elsif other.path.to_s.empty?
        made.query = other.query if other.query
      else
        made.instance_variable_set(:@path, merged_path(@path.to_s, other.path))
        made.instance_variable_set(:@query, other.query)
      end
      made.instance_variable_set(:@fragment, other.fragment)
      made
    end
    alias + merge
    def merge!(other)
      made = merge(other)
      return nil if made == self
      take(made, instance_variables)
      self
    end

    # What leads from another address to this one.
    def route_from(other)
      other = URI.__send__(:any, other)
      raise BadURIError, "relative URI: #{self}" if relative?
      raise BadURIError, "relative URI: #{other}" if other.relative?
      return dup if scheme != other.scheme || opaque || other.opaque
      made = Generic.new(nil, userinfo, host, port, nil, path, opaque, query, fragment)
      return made.tap { |each| each.instance_variable_set(:@port, port == default_port ? nil : port) } if userinfo.to_s != other.userinfo.to_s || host.to_s != other.host.to_s || port != other.port
      %i(@user @password @host @port).each { |name| made.instance_variable_set(name, nil) }
      if path == other.path && query == other.query
        made.instance_variable_set(:@path, "")
        made.instance_variable_set(:@query, nil)
      else
        made.instance_variable_set(:@path, relative_path(other.path, path))
      end
      made
    end
    alias - route_from
    def route_to(other) = URI.__send__(:any, other).route_from(self)

    # The proxy that the environment names for this address, or nil.
    def find_proxy(env = ENV)
      raise BadURIError, "relative URI: #{self}" if relative?
      name = "#{scheme.downcase}_proxy"
      found = env[name]
      found = env[name.upcase] if found.nil? && name != "http_proxy"
      found = env["CGI_HTTP_PROXY"] if name == "http_proxy" && env["REQUEST_METHOD"]
      return nil if found.nil? || found.empty?
      return nil if hostname && (hostname == "localhost" || hostname == "::1" || hostname.start_with?("127."))
      exceptions = env["no_proxy"] || env["NO_PROXY"]
      return nil if exceptions && !Generic.use_proxy?(hostname, nil, port, exceptions)
      URI.parse(found)
    end

    def self.use_proxy?(hostname, _address, port, no_proxy)
      hostname = hostname.downcase
      no_proxy.scan(/(?!\.)([^:,\s]+|\[[^\]]+\])(?::(\d+))?/).none? do |name, wanted|
        next true if name == "*"
        name = name.downcase.delete_prefix("*").delete_prefix(".")
        (hostname == name || hostname.end_with?(".#{name}")) && (wanted.nil? || port == wanted.to_i)
      end
    end

    private

    def take(other, names) = names.each { |name| instance_variable_set(name, other.instance_variable_get(name)) }

    def merged_path(base, other)
      return flatten(other) if other.start_with?("/")
      flatten("#{base[%r{\A.*/}m] || (host ? "/" : "")}#{other}")
    end

    def flatten(path)
      out = []
      parts = path.split("/", -1)
      parts.each_with_index do |part, index|
        last = index == parts.size - 1
        case part
        when "." then out << "" if last
        when ".."
          out.size > 1 || (out[0] && out[0] != "") ? out.pop : nil
          out << "" if last
        else out << part
        end
      end
      text = out.join("/")
      path.start_with?("/") && !text.start_with?("/") ? "/#{text}" : text
    end

    def relative_path(from, to)
      from_parts, to_parts = from.split("/", -1), to.split("/", -1)
      while from_parts.size > 1 && to_parts.size > 1 && from_parts[0] == to_parts[0]
        from_parts.shift
        to_parts.shift
      end
      text = ("../" * (from_parts.size - 1)) + to_parts.join("/")
      return "./" if text.empty?
      text.match?(%r{\A[^/]*:}) ? "./#{text}" : text
    end
  end

  class HTTP < Generic
    DEFAULT_PORT = 80
    COMPONENT = %i(scheme userinfo host port path query fragment).freeze
    def authority = port == default_port ? host : "#{host}:#{port}"
    def origin = "#{scheme}://#{authority}"
  end

  class HTTPS < HTTP
    DEFAULT_PORT = 443
  end

  class WS < Generic
    DEFAULT_PORT = 80
    COMPONENT = %i(scheme userinfo host port path query).freeze
  end

  # What HTTP and WebSocket addresses have in common: a path that may be left out, and what a request names.
  [HTTP, WS].each do |kind|
    kind.define_singleton_method(:build) { |parts| super(parts.is_a?(Hash) && parts[:path].nil? ? parts.merge(path: "") : parts) }
    kind.class_eval do
      def request_uri
        return nil unless @path
        text = @query ? "#{@path}?#{@query}" : @path.dup
        text.start_with?("/") ? text : "/#{text}"
      end
    end
  end

  class WSS < WS
    DEFAULT_PORT = 443
  end

  class FTP < Generic
    DEFAULT_PORT = 21
    COMPONENT = %i(scheme userinfo host port path typecode).freeze
    TYPECODE = %w(a i d).freeze
    attr_reader :typecode

    def self.build(parts)
      if parts.is_a?(Array)
        raise ArgumentError, "expected Array of or Hash of components of #{self} (#{component.drop(1).join(", ")})" unless parts.size == 5
        parts = component.drop(1).zip(parts).to_h
      end
      made = new("ftp", parts[:userinfo], parts[:host], parts[:port], nil, parts[:path] && "/#{parts[:path].sub(%r{\A/}, "%2F")}", nil, nil, nil, nil, true)
      made.typecode = parts[:typecode] if parts[:typecode]
      made
    end

    def initialize(*args)
      super
      raise InvalidURIError, "bad URI(absolute but no path): #{args[2]}" unless @path
      @path, code = @path.split(/;type=/, 2)
      @path ||= ""
      @typecode = code
      @path = @path.delete_prefix("/")
    end
    def typecode=(code)
      raise InvalidComponentError, "bad typecode(expected is #{TYPECODE.inspect}): #{code}" unless TYPECODE.include?(code)
      @typecode = code
    end
    def path = @path.sub(/\A%2F/i, "/")
    def path=(value)
      @path = value.to_s.sub(%r{\A/}, "%2F")
    end
    def merge(other)
      made = super
      made.instance_variable_set(:@path, made.instance_variable_get(:@path).delete_prefix("/"))
      made
    end

    private

    def path_text = @path.empty? && @typecode.nil? ? "" : "/#{@path.sub(%r{\A/}, "%2F")}#{";type=#{@typecode}" if @typecode}"
  end

  class File < Generic
    DEFAULT_PORT = nil
    COMPONENT = %i(scheme host path).freeze
    def initialize(*args)
      super
      @host ||= ""
    end
    def host=(value)
      super(value.nil? || value == "localhost" ? "" : value)
    end
    # These have no meaning here: they are ignored, as Ruby does.
    %i(port= user= password= userinfo=).each { |name| define_method(name) { |_value| nil } }
  end

  class LDAP < Generic
    DEFAULT_PORT = 389
    COMPONENT = %i(scheme host port dn attributes scope filter extensions).freeze
    SCOPE = %w(sub one base).freeze
    def dn = path.delete_prefix("/")
    def dn=(value)
      @path = "/#{value}"
    end
    { attributes: 0, scope: 1, filter: 2, extensions: 3 }.each do |name, index|
      define_method(name) { (query || "").split("?", -1)[index].then { |part| part.to_s.empty? ? nil : part } }
    end
    def hierarchical? = false
  end

  class LDAPS < LDAP
    DEFAULT_PORT = 636
  end

  class MailTo < Generic
    COMPONENT = %i(scheme to headers).freeze
    EMAIL_REGEXP = /\A[a-zA-Z0-9.!\#$%&'*+\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z/
    attr_reader :to, :headers

    def self.build(parts)
      to, headers = parts.is_a?(Hash) ? [parts[:to], parts[:headers]] : parts
      headers = headers.map { |header| header.is_a?(Array) ? header.join("=") : header }.join("&") if headers.is_a?(Array) || headers.is_a?(Hash)
      new("mailto", nil, nil, nil, nil, nil, [to, headers].compact.join("?").then { |text| to.nil? ? "?#{headers}" : text }, nil, nil, nil, true)
    end

    def initialize(*args)
      super
      @to, query = @opaque.to_s.split("?", 2)
      self.to = @to
      self.headers = query
    end
    def to=(text)
      text.to_s.split(",").each { |address| raise InvalidComponentError, "bad component(expected opaque component): #{address}" unless DEFAULT_PARSER.unescape(address).match?(EMAIL_REGEXP) }
      @to = text
    end
    def headers=(text)
      raise InvalidComponentError, "bad component(expected opaque component): #{text}" if text && !text.match?(/\A(?:[^=&]+=[^=&]*(?:&[^=&]+=[^=&]*)*)?\z/)
      @headers = text.to_s.split("&").map { |pair| pair.split("=", 2) }
    end
    def to_s = "#{scheme}:#{to}#{"?#{headers.map { |pair| pair.join("=") }.join("&")}" unless headers.empty?}#{"##{fragment}" if fragment}"
    def to_mailtext
      text = "To: #{DEFAULT_PARSER.unescape(to)}\n"
      body = ""
      headers.each { |name, value| name == "body" ? body = DEFAULT_PARSER.unescape(value) : text << "#{DEFAULT_PARSER.unescape(name).capitalize}: #{DEFAULT_PARSER.unescape(value)}\n" }
      "#{text}\n#{body}\n"
    end
    alias to_rfc822text to_mailtext
  end

  @schemes = { "HTTP" => HTTP, "HTTPS" => HTTPS, "FTP" => FTP, "FILE" => File, "LDAP" => LDAP, "LDAPS" => LDAPS, "MAILTO" => MailTo, "WS" => WS, "WSS" => WSS }

  # The older parser's methods.
  class RFC2396_Parser
    UNSAFE = %r{[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]}
    attr_reader :regexp, :pattern
    def initialize(_options = {})
      @regexp = { UNSAFE: UNSAFE, ESCAPED: /%[a-fA-F\d]{2}/, SCHEME: /\A[A-Za-z][A-Za-z0-9\-+.]*\z/, HOST: HOST, ABS_URI: /\A[A-Za-z][A-Za-z0-9+.\-]*:\S+\z/, PORT: /\A\d*\z/ }
      @pattern = {}
    end
    def parse(text) = URI.parse(text)
    def split(text) = URI.split(text)
    def join(*parts) = URI.join(*parts)
    def escape(text, unsafe = UNSAFE)
      unsafe = Regexp.new("[#{Regexp.quote(unsafe)}]") unless unsafe.is_a?(Regexp)
      text.to_s.gsub(unsafe) { |char| char.b.bytes.map { |byte| format("%%%02X", byte) }.join }.force_encoding("US-ASCII")
    end
    def unescape(text, escaped = /%[a-fA-F\d]{2}/)
      encoding = text.encoding == Encoding::US_ASCII ? Encoding::UTF_8 : text.encoding
      text.b.gsub(escaped) { |code| code[1..].hex.chr }.force_encoding(encoding)
    end
    def extract(text, schemes = nil, &block)
      found = text.scan(make_regexp(schemes)) { (@found ||= []) << $& }.then { (@found || []).tap { @found = nil } }
      return found unless block
      found.each(&block)
      nil
    end
    def make_regexp(schemes = nil)
      body = %r{(?:[\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]|%\h\h)*(?:\#(?:[\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]|%\h\h)*)?}
      return /(?=(?i:#{Regexp.union(*schemes).source}):)[A-Za-z][A-Za-z0-9+.\-]*:#{body}/ if schemes
      /[A-Za-z][A-Za-z0-9+.\-]*:#{body}/
    end
  end
  Parser = RFC2396_Parser
  RFC3986_Parser = RFC2396_Parser
  DEFAULT_PARSER = RFC2396_Parser.new
  RFC3986_PARSER = DEFAULT_PARSER
  REGEXP = RFC2396_Parser

  class << self
    def scheme_list = @schemes
    def register_scheme(name, klass) = @schemes[name.to_s.upcase] = klass
    def for(scheme, *args, default: Generic) = (@schemes[scheme.to_s.upcase] || default).new(scheme, *args)

    def split(text)
      text = text.respond_to?(:to_str) ? text.to_str : raise(InvalidURIError, "bad URI(is not URI?): #{text.inspect}")
      raise InvalidURIError, "URI must be ascii only #{text.dump}" unless text.ascii_only?
      match = PATTERN.match(text)
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" if match.nil? || text.match?(/[\s<>"{}|\\^`]/) || text.match?(/%(?!\h\h)/) || text.count("#") > 1
      scheme, userinfo, host, port, path, query, fragment = match.captures
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" if (host && !host.match?(HOST)) || (host && !path.empty? && !path.start_with?("/")) || (scheme.nil? && host.nil? && path.match?(%r{\A[^/]*:})) || path.match?(/[\[\]]/) && host.nil? && scheme.nil?
      return [scheme, nil, nil, nil, nil, nil, query ? "#{path}?#{query}" : path, nil, fragment] if scheme && host.nil? && !path.empty? && !path.start_with?("/")
      [scheme, userinfo, host, port, nil, path, nil, query, fragment]
    end

    def parse(text)
      return text if text.is_a?(Generic)
      scheme, *rest = split(text)
      self.for(scheme, *rest)
    end

    def join(*parts)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1+)" if parts.empty?
      raise ArgumentError, "bad argument (expected URI object or URI string)" unless parts.drop(1).all? { |part| part.is_a?(Generic) || String.try_convert(part) }
      parts.drop(1).reduce(any(parts[0])) { |uri, part| uri.merge(part) }
    end

    def any(value)
      return value if value.is_a?(Generic)
      parse(value.respond_to?(:to_str) ? value.to_str : value)
    end
    private :any

    def encode_www_form_component(text, encoding = nil)
      text = text.to_s.dup
      text = text.encode(encoding, invalid: :replace, undef: :replace) if encoding && text.encoding != encoding && ![Encoding::BINARY, Encoding::US_ASCII].include?(encoding)
      text.b.gsub(/[^*\-.0-9A-Z_a-z]/n) { |char| char == " " ? "+" : format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    end
    def decode_www_form_component(text, encoding = Encoding::UTF_8)
      raise ArgumentError, "invalid %-encoding (#{text})" if text.b.match?(/%(?!\h\h)/n)
      text.b.tr("+", " ").gsub(/%\h\h/n) { |code| code[1..].hex.chr }.force_encoding(encoding)
    end
    def encode_uri_component(text, encoding = nil) = encode_www_form_component(text, encoding).gsub("+", "%20")
    def decode_uri_component(text, encoding = Encoding::UTF_8)
      raise ArgumentError, "invalid %-encoding (#{text})" if text.b.match?(/%(?!\h\h)/n)
      text.b.gsub(/%\h\h/n) { |code| code[1..].hex.chr }.force_encoding(encoding)
    end

    def encode_www_form(pairs, encoding = nil)
      pairs.map do |key, value|
        if value.nil? then encode_www_form_component(key, encoding)
        elsif value.respond_to?(:to_ary)
          value.to_ary.map { |each| each.nil? ? encode_www_form_component(key, encoding) : "#{encode_www_form_component(key, encoding)}=#{encode_www_form_component(each, encoding)}" }.join("&")
        else "#{encode_www_form_component(key, encoding)}=#{encode_www_form_component(value, encoding)}"
        end
      end.join("&")
    end

    def decode_www_form(text, encoding = Encoding::UTF_8, separator: "&", **)
      raise ArgumentError, "the input of #{name}.decode_www_form must be ASCII only string" unless text.ascii_only?
      text.split(separator).map { |pair| pair.split("=", 2).then { |key, value| [decode_www_form_component(key.to_s, encoding), decode_www_form_component(value.to_s, encoding)] } }
    end

    def regexp(schemes = nil) = DEFAULT_PARSER.make_regexp(schemes)
    def extract(text, schemes = nil, &block) = DEFAULT_PARSER.extract(text, schemes, &block)
    def escape(*args) = DEFAULT_PARSER.escape(*args)
    alias encode escape
    def unescape(*args) = DEFAULT_PARSER.unescape(*args)
    alias decode unescape
    def get_encoding(label) = Encoding.find(label)
  end

end

module Kernel
  def URI(uri)
    return uri if uri.is_a?(URI::Generic)
    text = String.try_convert(uri) or raise ArgumentError, "bad argument (expected URI object or URI string)"
    URI.parse(text)
  end
  module_function :URI
end
