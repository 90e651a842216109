# URI: addresses taken apart, put together, resolved against others; forms encoded.
module URI
  VERSION = "0.11.0"
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  # RFC 3986's grammar, piece by piece.
  module Grammar
    SEGMENT = '(?:%\h\h|[!$&-.0-;=@-Z_a-z~])'
    FIRST_SEGMENT = '(?:%\h\h|[!$&-.0-9;=@-Z_a-z~])'
    USERINFO = '(?:%\h\h|[!$&-.0-;=A-Z_a-z~])*'
    NAME = '(?:%\h\h|[!$&-.0-9;=A-Z_a-z~])'
    GROUP = '\h{1,4}'
    OCTET = '(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]\d|\d)'
    LAST_GROUPS = "(?:#{GROUP}:#{GROUP}|#{OCTET}(?:\\.#{OCTET}){3})"
    SIX = [
      "(?:#{GROUP}:){6}#{LAST_GROUPS}",
      "::(?:#{GROUP}:){5}#{LAST_GROUPS}",
      *(0..4).map { |before| "(?:(?:#{GROUP}:){0,#{before}}#{GROUP})?::(?:#{GROUP}:){#{4 - before}}#{LAST_GROUPS}" },
      "(?:(?:#{GROUP}:){0,5}#{GROUP})?::#{GROUP}",
      "(?:(?:#{GROUP}:){0,6}#{GROUP})?::"
    ].join("|")
    LITERAL = "\\[(?:#{SIX}|v\\h+\\.[!$&-.0-;=A-Z_a-z~]+)\\]"
    ABSOLUTE_PATH = "/(?:#{SEGMENT}+(?:/#{SEGMENT}*)*)?"
    AUTHORITY = "//(?:(#{USERINFO})@)?(#{LITERAL}|#{NAME}+)?(?::(\\d*))?((?:/#{SEGMENT}*)*)"
    TAIL = "(?:\\?([^#]*))?(?:\\#((?:%\\h\\h|[!$&-.0-;=@-Z_a-z~/?])*))?\\z"
    ABSOLUTE = /\A([A-Za-z][+\-.0-9A-Za-z]*):(?:#{AUTHORITY}|(#{ABSOLUTE_PATH})|(#{SEGMENT}+(?:\/#{SEGMENT}*)*)|)#{TAIL}/
    RELATIVE = /\A(?:#{AUTHORITY}|(#{ABSOLUTE_PATH})|(#{FIRST_SEGMENT}+(?:\/#{SEGMENT}*)*)|)#{TAIL}/
  end
  private_constant :Grammar
  HOST = /\A(?:#{Grammar::LITERAL}|#{Grammar::NAME}*)\z/
  USERINFO = /\A#{Grammar::USERINFO}\z/
  ABS_PATH = %r{\A/#{Grammar::SEGMENT}*(?:/#{Grammar::SEGMENT}*)*\z}
  REL_PATH = %r{\A#{Grammar::SEGMENT}+(?:/#{Grammar::SEGMENT}*)*\z}
  TBLENCWWWCOMP_ = (0..255).to_h { |byte| [byte.chr, byte.chr.match?(/[*\-.0-9A-Z_a-z]/) ? byte.chr : (byte == 32 ? "+" : format("%%%02X", byte))] }.freeze
  private_constant :HOST, :USERINFO, :ABS_PATH, :REL_PATH

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
      @scheme = @user = @password = @host = @port = @path = @query = @opaque = @fragment = nil
      if check
        self.scheme = scheme
        self.userinfo = userinfo
        self.hostname = host
        self.port = port
        self.path = path
        self.query = query
        self.opaque = opaque
      else
        set_scheme(scheme)
        set_userinfo(userinfo)
        set_host(host)
        set_port(port)
        set_path(path)
        self.query = query
        set_opaque(opaque)
      end
      self.fragment = fragment
      raise InvalidURIError, "the scheme #{@scheme} does not accept registry part: #{registry} (or bad hostname?)" if registry
      set_path("") if @path.nil? && @opaque.nil?
      set_port(default_port) if default_port && @port.nil?
    end

    def split_userinfo(text) = text ? text.split(":", 2) : [nil, nil]
    def bad(what, value) = raise(InvalidComponentError, "bad component(expected #{what} component): #{value}")
    private :split_userinfo, :bad

    def default_port = self.class.default_port
    def component = self.class.component
    def parser = DEFAULT_PARSER

    def scheme=(value)
      bad("scheme", value) if value && !/\A[A-Za-z][A-Za-z0-9\-+.]*\z/.match?(value)
      set_scheme(value)
    end
    def userinfo
      return nil unless @user
      @password ? "#{@user}:#{@password}" : @user
    end
    def userinfo=(value)
      return if value.nil?
      user, password = value
      user, password = split_userinfo(user) unless password
      check_user(user)
      check_password(password, user)
      set_userinfo(user, password)
    end
    def user = @user
    def password = @password
    def user=(value)
      check_user(value)
      set_user(value)
    end
    def password=(value)
      check_password(value)
      set_password(value)
    end
    def check_user(value)
      raise InvalidURIError, "can not set user with opaque" if @opaque
      bad("userinfo component or user", value) if value && !USERINFO.match?(value)
    end
    def check_password(value, user = @user)
      raise InvalidURIError, "can not set password with opaque" if @opaque
      return unless value
      raise InvalidURIError, "password component depends user component" unless user
      raise InvalidComponentError, "bad password component" unless USERINFO.match?(value)
    end
    private :check_user, :check_password
    def host=(value)
      raise InvalidURIError, "can not set host with registry or opaque" if value && @opaque
      bad("host", value) if value && !HOST.match?(value)
      set_host(value)
    end
    def hostname = host&.start_with?("[") && host.end_with?("]") ? host[1..-2] : host
    def hostname=(value)
      value = "[#{value}]" if value && !(value.start_with?("[") && value.end_with?("]")) && value.index(":")
      self.host = value
    end
    def port=(value)
      raise InvalidURIError, "can not set port with registry or opaque" if value && @opaque
      bad("port", value.inspect) unless value.nil? || value.is_a?(Integer) || /\A[\t\n\f\r ]*\d*[\t\n\f\r ]*\z/.match?(value)
      set_port(value)
    end
    def path=(value)
      raise InvalidURIError, "path conflicts with opaque" if value && @opaque
      if value && value != ""
        if @scheme && @scheme != "ftp"
          bad("absolute path", value) unless ABS_PATH.match?(value)
        elsif !ABS_PATH.match?(value) && !REL_PATH.match?(value)
          bad("relative path", value)
        end
      end
      set_path(value)
    end
    def set_scheme(value)
      @scheme = value&.downcase
    end
    def set_userinfo(user, password = nil)
      user, password = user if user.is_a?(Array)
      user, password = split_userinfo(user) unless password
      @user = user
      @password = password if password
    end
    def set_user(value)
      set_userinfo(value, @password)
    end
    def set_password(value)
      @password = value
    end
    def set_host(value)
      @host = value
    end
    def set_port(value)
      value = value.empty? ? nil : value.to_i unless value.nil? || value.is_a?(Integer)
      @port = value
    end
    def set_path(value)
      @path = value
    end
    def set_opaque(value)
      @opaque = value
    end
    protected :set_scheme, :set_userinfo, :set_user, :set_password, :set_host, :set_port, :set_path, :set_opaque
    def query=(value)
      return @query = nil unless value
      raise InvalidURIError, "query conflicts with opaque" if @opaque
      text = escapable(value)
      raise InvalidURIError, "invalid percent escape: #{$1}" if /(%\H\H)/n.match(text)
      @query = text.gsub(/(?!%\h\h|[!$-&(-;=?-_a-~])./n) { |char| format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    end
    def escapable(value)
      text = value.to_str
      text = text.encode(Encoding::UTF_8) rescue text
      text.delete("\t\r\n").b
    end
    private :escapable
    def opaque=(value)
      if value
        raise InvalidURIError, "can not set opaque with host, port, userinfo or path" if @host || @port || @user || @path
        bad("opaque", value) unless %r{\A(?:[^/].*)?\z}.match?(value)
      end
      set_opaque(value)
    end
    def fragment=(value)
      return @fragment = nil unless value
      @fragment = escapable(value).gsub(/(?!%\h\h|[!-~])./n) { |char| format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    end
    def registry = nil
    def registry=(value)
      raise InvalidURIError, "can not set registry" if value
    end

    def absolute? = !@scheme.nil?
    alias absolute absolute?
    def relative? = !absolute?
    # The path as the address shows it.
    def path_text = @path
    private :path_text
    def hierarchical? = !@path.nil?
    def select(*names)
      names.each { |name| raise ArgumentError, "expected of components of #{self.class} (#{component.join(", ")})" unless component.include?(name) }
      names.map { |name| __send__(name) }
    end

    def normalize = dup.tap(&:normalize!)
    def normalize!
      set_path("/") if path&.empty?
      set_scheme(scheme.downcase) if scheme && scheme != scheme.downcase
      set_host(host.downcase) if host && host != host.downcase
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
        text << path_text
        text << "?" << @query if @query
      end
      text << "#" << @fragment if @fragment
      text
    end
    def coerce(other)
      raise TypeError, "can't coerce #{other.class} into #{self.class}" unless other.is_a?(String)
      [URI.parse(other), self]
    end

    def merge(other)
      other = URI.__send__(:any, other)
      return other if other.absolute?
      raise BadURIError, "both URI are relative" unless absolute?
      made = dup
      authority = other.userinfo || other.host || other.port
      if other.path.to_s.empty? && !authority && !other.query
        made.fragment = other.fragment if other.fragment
        return made
      end
      made.query = made.fragment = nil
      if authority
        made.set_path(other.path) if other.path
      elsif made.path && other.path
        made.set_path(merged_path(made.path, other.path))
      end
      made.set_userinfo(other.userinfo) if other.userinfo
      made.set_host(other.host) if other.host
      made.set_port(other.port) if other.port
      made.query = other.query if other.query
      made.fragment = other.fragment if other.fragment
      made
    end
    alias + merge
    def merge!(other)
      made = merge(other)
      return nil if made == self
      raise ArgumentError, "expected #{self.class} object" unless made.instance_of?(self.class)
      component.each { |name| __send__("#{name}=", made.__send__(name)) }
      self
    end

    # What leads from another address to this one.
    def route_from(other)
      other = URI.__send__(:any, other)
      raise BadURIError, "relative URI: #{self}" if relative?
      raise BadURIError, "relative URI: #{other}" if other.relative?
      return dup if scheme != other.scheme
      made = Generic.new(nil, userinfo, host, port, nil, path, opaque, query, fragment)
      if made.userinfo != other.userinfo || made.host.to_s.downcase != other.host.to_s.downcase || made.port != other.port
        return dup if userinfo.nil? && host.nil?
        made.set_port(nil) if made.port == other.default_port
        return made
      end
      made.set_userinfo(nil)
      made.set_password(nil)
      made.set_host(nil)
      made.set_port(nil)
      if made.path ? made.path == other.path : made.opaque == other.opaque
        made.path ? made.set_path("") : made.set_opaque("")
        made.query = nil if made.query == other.query
        return made
      end
      made.set_path(relative_path(other.path, path))
      made.set_path("") if made.path == "./" && query
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

    # A path resolved against another one. What goes above the root is dropped; a path of no segments keeps the base's.
    def merged_path(base, other)
      base_parts = base.split("/", -1)
      parts = other.split("/", -1)
      base_parts << "" if base_parts.last == ".."
      while (at = base_parts.index(".."))
        base_parts.slice!(at - 1, 2)
      end
      if parts.first && parts.first.empty?
        base_parts.clear
        parts.shift
      end
      parts << "" if %w[. ..].include?(parts.last)
      parts.delete(".")
      way = []
      parts.each { |part| part == ".." && !way.empty? && way.last != ".." ? way.pop : way << part }
      trailing = !way.empty?
      if base_parts.empty?
        base_parts = [""]
      elsif trailing
        base_parts.pop
      end
      up, down = way.partition.with_index { |part, at| part == ".." && way[0..at].all?("..") }
      up.each { base_parts.pop if base_parts.size > 1 }
      base_parts.concat(down)
      base_parts << "" if trailing && down.empty?
      base_parts.join("/")
    end

    def relative_path(from, to)
      return "" if from == to
      return to.dup if to.match?(%r{(?:\A|/)\.\.?(?:/|\z)})
      from_parts = from.scan(%r{[^/]*/})
      to_parts = to.scan(%r{[^/]*/?})
      while !to_parts.empty? && to_parts.first == from_parts.first
        from_parts.shift
        to_parts.shift
      end
      rest = to_parts.join
      return "../" * from_parts.size + rest unless from_parts.empty?
      return "./" if rest.empty?
      to_parts.first.include?(":") ? "./#{rest}" : rest
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

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, parser = nil, check = false)
      raise InvalidURIError unless path
      super(scheme, userinfo, host, port, registry, path.sub(%r{\A/}, "").sub(/\A%2F/, "/"), opaque, query, fragment, parser, check)
      @typecode = nil
      at = @path.index(";type=") or return
      code = @path[at + 6..]
      @path = @path[0..at - 1]
      check ? self.typecode = code : set_typecode(code)
    end
    def typecode=(code)
      raise InvalidComponentError, "bad typecode(expected #{TYPECODE.join(", ")}): #{code}" unless TYPECODE.include?(code)
      set_typecode(code)
    end
    def set_typecode(code)
      @typecode = code
    end
    def path = @path.sub(%r{\A/}, "").sub(/\A%2F/, "/")
    def set_path(value)
      super("/#{value.sub(%r{\A/}, "%2F")}")
    end
    protected :set_path, :set_typecode
    def merge(other)
      made = super
      made.set_typecode(other.typecode) if self != made
      made
    end
    def path_text = @typecode ? "#{@path};type=#{@typecode}" : super
    private :path_text
  end

  class File < Generic
    DEFAULT_PORT = nil
    COMPONENT = %i(scheme host path).freeze
    def set_host(value)
      super(value.nil? || value == "localhost" ? "" : value)
    end
    # A port has no meaning here, and what a user would be is refused.
    def set_port(_value) = nil
    def set_userinfo(*) = nil
    def set_user(_value) = nil
    def set_password(_value) = nil
    protected :set_host, :set_port, :set_userinfo, :set_user, :set_password

    private

    def check_user(_user) = raise(InvalidURIError, "can not set user for file URI")
    def check_password(_password, _user = nil) = raise(InvalidURIError, "can not set password for file URI")
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
      @to = nil
      @headers = []
      @opaque = "?#{@query}" if @query && !@opaque
      raise InvalidComponentError, "missing opaque part for mailto URL" unless @opaque
      to, query = @opaque.split("?", 2)
      raise InvalidComponentError, "unrecognised opaque part for mailtoURL: #{@opaque}" unless /\A(?:[^@,;]+@[^@,;]+(?:\z|[,;]))*\z/.match?(to)
      check_to(to) if args[10]
      check_headers(query) if args[10]
      @to = to
      @headers = query.to_s.split("&").map { |pair| pair.split("=", 2) }
    end
    def to=(text)
      check_to(text)
      @to = text
    end
    def headers=(text)
      check_headers(text)
      @headers = text.to_s.split("&").map { |pair| pair.split("=", 2) }
    end
    def check_to(text)
      text.to_s.split(/[,;]/).each do |address|
        raise InvalidComponentError, "an address in 'to' is invalid as URI #{address.dump}" unless address.match?(/\A#{Grammar::SEGMENT}*\z/)
        plain = DEFAULT_PARSER.unescape(address)
        raise InvalidComponentError, "an address in 'to' is invalid as uri-escaped addr-spec #{plain.dump}" unless plain.match?(EMAIL_REGEXP)
      end
    end
    def check_headers(text)
      pair = "(?:%\\h\\h|[!$'-.0-;@-Z_a-z~])*=(?:%\\h\\h|[!$'-.0-;@-Z_a-z~])*"
      raise InvalidComponentError, "bad component(expected opaque component): #{text}" unless text.to_s.empty? || text.match?(/\A#{pair}(?:&#{pair})*\z/)
    end
    private :check_to, :check_headers
    def to_s = "#{scheme}:#{to}#{"?#{headers.map { |pair| pair.join("=") }.join("&")}" unless headers.empty?}#{"##{fragment}" if fragment}"
    def to_mailtext
      plain = ->(text) { URI.decode_www_form_component(text) }
      receivers, lines, body = [plain[to]], "", ""
      headers.each do |name, value|
        case name
        when "body" then body = plain[value]
        when "to" then receivers << plain[value]
        else lines += "#{plain[name].capitalize}: #{plain[value]}\n"
        end
      end
      "To: #{receivers.join(", ")}\n#{lines}\n#{body}\n"
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
    def parse(text)
      URI.parse(text)
    rescue InvalidURIError
      raise InvalidURIError, "bad URI(is not URI?): #{text}"
    end
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
  # The parser that `URI.parse` uses.
  class RFC3986_Parser < RFC2396_Parser
    def parse(text) = URI.parse(text)
  end
  DEFAULT_PARSER = RFC2396_Parser.new
  RFC3986_PARSER = RFC3986_Parser.new
  REGEXP = RFC2396_Parser

  class << self
    def scheme_list = @schemes
    def register_scheme(name, klass) = @schemes[name.to_s.upcase] = klass
    def for(scheme, *args, default: Generic) = (@schemes[scheme.to_s.upcase] || default).new(scheme, *args)

    def split(text)
      text = text.respond_to?(:to_str) ? text.to_str : raise(InvalidURIError, "bad URI(is not URI?): #{text.inspect}")
      raise InvalidURIError, "URI must be ascii only #{text.dump}" unless text.ascii_only?
      if (match = Grammar::ABSOLUTE.match(text))
        scheme, userinfo, host, port, path, absolute, opaque, query, fragment = match.captures
        opaque = "#{opaque}?#{query}" if opaque && query
        return [scheme, nil, nil, nil, nil, nil, opaque, nil, fragment] if opaque
      elsif (match = Grammar::RELATIVE.match(text))
        userinfo, host, port, path, absolute, relative, query, fragment = match.captures
      else
        raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}"
      end
      [scheme, userinfo, host, port, nil, path || absolute || relative || "", nil, query, fragment]
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
      text = String.try_convert(value) or raise ArgumentError, "bad argument (expected URI object or URI string)"
      parse(text)
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
      text.split(separator).map { |pair| pair.split("=", 2).then { |key, value| [decode_form_part(key.to_s, encoding), decode_form_part(value.to_s, encoding)] } }
    end

    def decode_form_part(text, encoding) = text.b.tr("+", " ").gsub(/%\h\h/n) { |code| code[1..].hex.chr }.force_encoding(encoding)
    private :decode_form_part

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
