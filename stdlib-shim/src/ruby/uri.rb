# URI: addresses taken apart, put together, resolved against others; forms encoded.
autoload :IPAddr, "ipaddr"

module URI
  VERSION = "0.11.0"
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  @schemes = {}
  @classes = {}
  class << self
    def scheme_list = @schemes.dup
    def register_scheme(name, kind)
      @classes.clear
      @schemes[name.to_s.upcase] = kind
    end
    # The class of addresses with a scheme as it is written; nil when none is registered.
    def scheme_class(scheme) = @classes.fetch(scheme) { @classes.size < 100 ? @classes[scheme] = @schemes[scheme.to_s.upcase] : @schemes[scheme.to_s.upcase] }
  end
end

require "uri/parser_core"

module URI

  TBLENCWWWCOMP_ = (0..255).to_h { |byte| [byte.chr, byte.chr.match?(/[*\-.0-9A-Z_a-z]/) ? byte.chr : (byte == 32 ? "+" : format("%%%02X", byte))] }.freeze

  class Generic
    include URI

    DEFAULT_PORT = nil
    COMPONENT = %i(scheme userinfo host port registry path opaque query fragment).freeze
    USE_REGISTRY = false

    class << self
      def default_port = self::DEFAULT_PORT
      def component = self::COMPONENT
      def use_registry = self::USE_REGISTRY

      def build(parts)
        if parts.is_a?(Array) && parts.size == COMPONENT.size
          values = parts
        elsif parts.is_a?(Hash)
          values = COMPONENT.map { |name| parts[name] }
        else
          raise ArgumentError, "expected Array of or Hash of components of #{self.class} (#{COMPONENT.join(", ")})"
        end
        new(*values, nil, true)
      end

      def build2(parts)
        build(parts)
      rescue InvalidComponentError
        case parts
        when Array then build(parts.map { |each| each.is_a?(String) ? DEFAULT_PARSER.escape(each) : each })
        when Hash then build(parts.transform_values { |each| each && DEFAULT_PARSER.escape(each) })
        end
      end
    end

    attr_reader :scheme, :host, :port, :path, :query, :fragment, :opaque

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, parser = DEFAULT_PARSER, check = false)
      @scheme = check ? nil : scheme&.downcase
      @user = nil
      @password = nil
      @host = nil
      @port = nil
      @path = nil
      @query = nil
      @opaque = nil
      @fragment = nil
      @parser = parser.equal?(DEFAULT_PARSER) ? nil : parser
      if check
        self.scheme = scheme
        self.userinfo = userinfo
        self.hostname = host
        self.port = port
        self.path = path
        self.query = query
        self.opaque = opaque
      else
        set_userinfo(userinfo) if userinfo
        set_host(host)
        set_port(port) if port
        set_path(path)
        self.query = query if query
        set_opaque(opaque) if opaque
      end
      self.fragment = fragment if fragment
      raise InvalidURIError, "the scheme #{@scheme} does not accept registry part: #{registry} (or bad hostname?)" if registry
      @scheme&.freeze
      set_path("") unless @path || @opaque
      return if @port
      port = default_port
      set_port(port) if port
    end

    def split_userinfo(text) = text ? text.split(":", 2) : [nil, nil]
    def bad(what, value) = raise(InvalidComponentError, "bad component(expected #{what} component): #{value}")
    private :split_userinfo, :bad

    def default_port = self.class.default_port
    def component = self.class.component
    def component_ary = component.map { |name| __send__(name) }
    protected :component_ary
    def set_registry(_value) = raise(InvalidURIError, "can not set registry")
    protected :set_registry
    def parser = @parser || DEFAULT_PARSER

    def scheme=(value)
      check_scheme(value)
      set_scheme(value)
    end
    def userinfo
      return nil unless @user
      @password ? @user + ":" + @password : @user
    end
    def userinfo=(value)
      return if value.nil?
      check_userinfo(*value)
      set_userinfo(*value)
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
    def check_userinfo(user, password = nil)
      user, password = split_userinfo(user) unless password
      check_user(user)
      check_password(password, user)
    end
    def check_user(value)
      raise InvalidURIError, "can not set user with opaque" if @opaque
      bad("userinfo component or user", value) if value && !parser.regexp[:USERINFO].match?(value)
    end
    def check_password(value, user = @user)
      raise InvalidURIError, "can not set password with opaque" if @opaque
      return unless value
      raise InvalidURIError, "password component depends user component" unless user
      raise InvalidComponentError, "bad password component" unless parser.regexp[:USERINFO].match?(value)
    end
    def check_scheme(value)
      !value || parser.regexp[:SCHEME].match?(value) || bad("scheme", value)
    end
    def check_host(value)
      return value unless value
      raise InvalidURIError, "can not set host with registry or opaque" if @opaque
      parser.regexp[:HOST].match?(value) || bad("host", value)
    end
    def check_port(value)
      return value unless value
      raise InvalidURIError, "can not set port with registry or opaque" if @opaque
      value.is_a?(Integer) || parser.regexp[:PORT].match?(value) || bad("port", value.inspect)
    end
    def check_path(value)
      raise InvalidURIError, "path conflicts with opaque" if value && @opaque
      return true if !value || value == "" || parser.regexp[:ABS_PATH].match?(value)
      bad("absolute path", value) if @scheme && @scheme != "ftp"
      parser.regexp[:REL_PATH].match?(value) || bad("relative path", value)
    end
    def check_opaque(value)
      return value unless value
      raise InvalidURIError, "can not set opaque with host, port, userinfo or path" if @host || @port || @user || @path
      parser.regexp[:OPAQUE].match?(value) || bad("opaque", value)
    end
    private :check_userinfo, :check_user, :check_password, :check_scheme, :check_host, :check_port, :check_path, :check_opaque
    def host=(value)
      check_host(value)
      set_host(value)
    end
    def hostname = host&.start_with?("[") && host.end_with?("]") ? host[1..-2] : host
    def hostname=(value)
      value = "[#{value}]" if value && !(value.start_with?("[") && value.end_with?("]")) && value.index(":")
      self.host = value
    end
    def port=(value)
      check_port(value)
      set_port(value)
    end
    def path=(value)
      check_path(value)
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
      text = value.to_str
      # most queries hold nothing to escape
      return @query = text.dup.force_encoding("US-ASCII") if text.ascii_only? && /\A[!$&(-;=?-_a-~]*\z/.match?(text)
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
      check_opaque(value)
      set_opaque(value)
    end
    def fragment=(value)
      return @fragment = nil unless value
      text = value.to_str
      return @fragment = text.dup.force_encoding("US-ASCII") if text.ascii_only? && /\A[!-~]*\z/.match?(text)
      @fragment = escapable(value).gsub(/(?!%\h\h|[!-~])./n) { |char| format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    end
    def registry = nil
    def registry=(_value)
      raise InvalidURIError, "can not set registry"
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
    def eql?(other) = self.class == other.class && parser == other.parser && parts.eql?(other.parts)
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
      [parser.parse(other), self]
    end

    def merge(other)
      other = parser.__send__(:convert_to_uri, other)
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
      other = parser.__send__(:convert_to_uri, other)
      raise BadURIError, "relative URI: #{self}" if relative?
      raise BadURIError, "relative URI: #{other}" if other.relative?
      return dup if scheme != other.scheme
      made = Generic.new(nil, userinfo, host, port, nil, path, opaque, query, fragment, parser)
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
    def route_to(other) = parser.__send__(:convert_to_uri, other).route_from(self)

    # The proxy that the environment names for this address, or nil.
    def find_proxy(env = ENV)
      raise BadURIError, "relative URI: #{self}" if relative?
      found = proxy_text(env, "#{scheme.downcase}_proxy")
      return nil if found.nil? || found.empty?
      return nil if hostname && (hostname == "localhost" || hostname == "::1" || hostname.start_with?("127."))
      exceptions = env["no_proxy"] || env["NO_PROXY"]
      address = hostname if hostname&.match?(/\A[\d.]+\z|:/)
      return nil if exceptions && !Generic.use_proxy?(hostname, address, port, exceptions)
      URI.parse(found)
    end

    def self.use_proxy?(hostname, address, port, no_proxy)
      hostname = hostname.downcase
      no_proxy.scan(/([^:,\s]+)(?::(\d+))?/).none? do |name, wanted|
        next false if wanted && port != wanted.to_i
        name.start_with?(".") ? hostname.end_with?(name.downcase) : ".#{hostname}".end_with?(".#{name.downcase}")
      end && !in_network?(address, port, no_proxy)
    end

    # Whether one of the exceptions is a network that holds the address.
    def self.in_network?(address, port, no_proxy)
      return false unless address && no_proxy.match?(/\d/)
      require "ipaddr"
      no_proxy.scan(/([^:,\s]+)(?::(\d+))?/).any? do |name, wanted|
        (wanted.nil? || port == wanted.to_i) && IPAddr.new(name).include?(address)
      rescue IPAddr::Error
        false
      end
    end
    private_class_method :in_network?

    private

    # For http only the lower case counts in a program that a server started: the other one may be a header.
    def proxy_text(env, name)
      return env[name] || env[name.upcase] if name != "http_proxy"
      if env.include?("REQUEST_METHOD")
        named = env.to_h.keys.grep(/\Ahttp_proxy\z/i)
        found = env[name] if named.size > 1 || named == ["http_proxy"]
        return found || env["CGI_HTTP_PROXY"]
      end
      return env[name] if env[name]
      found = env["HTTP_PROXY"]
      warn("The environment variable HTTP_PROXY is discouraged.  Use http_proxy.", uplevel: 2) if found
      found
    end

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

  # What HTTP and WebSocket addresses have in common: how they are built, and what a request names.
  [HTTP, WS].each do |kind|
    kind.define_singleton_method(:build) { |parts| super(Util.make_components_hash(self, parts)) }
    kind.class_eval do
      def request_uri
        return nil unless @path
        text = @query ? "#{@path}?#{@query}" : @path.dup
        text.start_with?("/") ? text : "/#{text}"
      end
    end
  end

  class FTP < Generic
    DEFAULT_PORT = 21
    COMPONENT = %i(scheme userinfo host port path typecode).freeze
    TYPECODE = %w(a i d).freeze
    TYPECODE_PREFIX = ";type="
    attr_reader :typecode

    # The path must be given; what it begins with at the root is escaped.
    def self.build(parts)
      at = parts.is_a?(Array) ? 3 : :path
      parts[at] = "/" + parts[at].sub(%r{\A/}, "%2F")
      made = Util.make_components_hash(self, parts)
      if (code = made[:typecode])
        made[:typecode] = code = ";type=#{code}" if code.size == 1
        made[:path] += code
      end
      super(made)
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
    def self.build(parts) = super(Util.make_components_hash(self, parts))
    # A port has no meaning here, and what a user would be is refused.
    def set_port(_value) = nil
    def set_userinfo(_value) = nil
    def set_user(_value) = nil
    def set_password(_value) = nil

    def check_userinfo(_userinfo) = raise(InvalidURIError, "can not set userinfo for file URI")
    def check_user(_user) = raise(InvalidURIError, "can not set user for file URI")
    def check_password(_password, _user = nil) = raise(InvalidURIError, "can not set password for file URI")
  end

  class LDAP < Generic
    DEFAULT_PORT = 389
    COMPONENT = %i(scheme host port dn attributes scope filter extensions).freeze
    SCOPE_ONE, SCOPE_SUB, SCOPE_BASE = "one", "sub", "base"
    SCOPE = [SCOPE_ONE, SCOPE_SUB, SCOPE_BASE].freeze
    attr_reader :dn, :attributes, :scope, :filter, :extensions

    def self.build(parts)
      made = Util.make_components_hash(self, parts)
      made[:path] = made[:dn] if made[:dn]
      made[:query] = query_of(made.values_at(:attributes, :scope, :filter, :extensions))
      super(made)
    end
    # The parts of a query up to the last that there is.
    def self.query_of(parts) = parts.reverse.drop_while { |part| !part }.reverse.join("?")

    def initialize(*)
      super
      raise InvalidURIError, "bad LDAP URL" if @fragment || !@path
      @dn = @path[1..]
      parts = @query.to_s.split("?").map { |part| part.empty? ? nil : part }
      @attributes, @scope, @filter, @extensions = parts
    end

    %i(dn attributes scope filter extensions).each do |name|
      define_method(:"set_#{name}") do |value|
        instance_variable_set(:"@#{name}", value)
        @path = "/" + @dn
        @query = LDAP.query_of([@attributes, @scope, @filter, @extensions])
        value
      end
      protected :"set_#{name}"
      define_method(:"#{name}=") { |value| __send__(:"set_#{name}", value) }
    end
    def hierarchical? = false
  end

  class LDAPS < LDAP
    DEFAULT_PORT = 636
  end

  class MailTo < Generic
    DEFAULT_PORT = nil
    COMPONENT = %i(scheme to headers).freeze
    EMAIL_REGEXP = /\A[a-zA-Z0-9.!\#$%&'*+\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z/
    HEADER_REGEXP = /\A(?<hfield>(?:%\h\h|[!$'-.0-;@-Z_a-z~])*=(?:%\h\h|[!$'-.0-;@-Z_a-z~])*)(?:&\g<hfield>)*\z/
    attr_reader :to, :headers

    def self.build(parts)
      made = Util.make_components_hash(self, parts)
      to = made[:to]
      headers = made[:headers]
      case headers
      when Array then headers = headers.map { |header| header.is_a?(Array) ? header[0] + "=" + header[1..].join : header.to_s }.join("&")
      when Hash then headers = headers.map { |name, value| name + "=" + value }.join("&")
      end
      made[:opaque] = to.is_a?(Array) ? to.join(",") : (to.is_a?(String) ? to.dup : "")
      made[:opaque] += "?#{headers}" unless headers.to_s.empty?
      super(made)
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
      set_to(to)
      set_headers(query)
    end
    def to=(text)
      check_to(text)
      set_to(text)
    end
    def headers=(text)
      check_headers(text)
      set_headers(text)
    end
    def set_to(text)
      @to = text
    end
    def set_headers(text)
      @headers = []
      text&.split("&")&.each { |pair| @headers << pair.split("=", 2) }
    end
    protected :set_to, :set_headers
    def check_to(text)
      return if text.nil? || text.size == 0
      text.split(/[,;]/).each do |address|
        raise InvalidComponentError, "an address in 'to' is invalid as URI #{address.dump}" unless address.match?(/\A(?:%\h\h|[!$&-.0-;=@-Z_a-z~])*\z/)
        plain = DEFAULT_PARSER.unescape(address)
        raise InvalidComponentError, "an address in 'to' is invalid as uri-escaped addr-spec #{plain.dump}" unless plain.match?(EMAIL_REGEXP)
      end
    end
    def check_headers(text)
      raise InvalidComponentError, "bad component(expected opaque component): #{text}" unless text.nil? || text.size == 0 || HEADER_REGEXP =~ text
    end
    private :check_to, :check_headers
    def to_s = scheme + ":#{to}#{"?#{headers.map { |pair| pair.join("=") }.join("&")}" unless headers.empty?}#{"##{fragment}" if fragment}"
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

  # Labels of encodings by the name of the encoding, as the Encoding Standard lists them.
  WEB_ENCODINGS = {
    "utf-8" => %w(unicode-1-1-utf-8 utf-8 utf8),
    "ibm866" => %w(866 cp866 csibm866 ibm866),
    "iso-8859-2" => %w(csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2),
    "iso-8859-3" => %w(csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3),
    "iso-8859-4" => %w(csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4),
    "iso-8859-5" => %w(csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988),
    "iso-8859-6" => %w(arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987),
    "iso-8859-7" => %w(csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek),
    "iso-8859-8" => %w(csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual),
    "iso-8859-10" => %w(csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6),
    "iso-8859-13" => %w(iso-8859-13 iso8859-13 iso885913),
    "iso-8859-14" => %w(iso-8859-14 iso8859-14 iso885914),
    "iso-8859-15" => %w(csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9),
    "iso-8859-16" => %w(iso-8859-16),
    "koi8-r" => %w(cskoi8r koi koi8 koi8-r koi8_r),
    "koi8-u" => %w(koi8-ru koi8-u),
    "windows-874" => %w(dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874),
    "windows-1250" => %w(cp1250 windows-1250 x-cp1250),
    "windows-1251" => %w(cp1251 windows-1251 x-cp1251),
    "windows-1252" => %w(ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252),
    "windows-1253" => %w(cp1253 windows-1253 x-cp1253),
    "windows-1254" => %w(cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254),
    "windows-1255" => %w(cp1255 windows-1255 x-cp1255),
    "windows-1256" => %w(cp1256 windows-1256 x-cp1256),
    "windows-1257" => %w(cp1257 windows-1257 x-cp1257),
    "windows-1258" => %w(cp1258 windows-1258 x-cp1258),
    "macCyrillic" => %w(x-mac-cyrillic x-mac-ukrainian),
    "gbk" => %w(chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk),
    "gb18030" => %w(gb18030),
    "big5" => %w(big5 big5-hkscs cn-big5 csbig5 x-x-big5),
    "cp51932" => %w(cseucpkdfmtjapanese euc-jp x-euc-jp),
    "cp50221" => %w(csiso2022jp iso-2022-jp),
    "Windows-31J" => %w(csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis),
    "euc-kr" => %w(cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949),
    "utf-16be" => %w(utf-16be),
    "utf-16le" => %w(utf-16 utf-16le)
  }.freeze
  private_constant :WEB_ENCODINGS

  { HTTPS: HTTPS, LDAP: LDAP, FILE: File, FTP: FTP, LDAPS: LDAPS, MAILTO: MailTo, WS: WS, HTTP: HTTP }.each { |name, kind| register_scheme(name, kind) }

  class << self
    def for(scheme, *args, default: Generic) = (scheme_class(scheme) || default).new(scheme, *args)
    def split(text) = RFC3986_PARSER.split(text)
    def parse(text) = RFC3986_PARSER.parse(text)
    def join(*parts) = RFC3986_PARSER.join(*parts)

    def encode_www_form_component(text, encoding = nil)
      text = text.to_s.dup
      text = text.encode(encoding, invalid: :replace, undef: :replace) if encoding && text.encoding != encoding && ![Encoding::BINARY, Encoding::US_ASCII].include?(encoding)
      text.b.gsub(/[^*\-.0-9A-Z_a-z]/n) { |char| char == " " ? "+" : format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    end
    def decode_www_form_component(text, encoding = Encoding::UTF_8)
      raise ArgumentError, "invalid %-encoding (#{text})" if text.b.match?(/%(?!\h\h)/n)
      text.b.tr("+", " ").gsub(/%\h\h/n) { |code| code[1..].hex.chr }.force_encoding(encoding)
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

    def decode_www_form(text, encoding = Encoding::UTF_8, separator: "&", use__charset_: false, isindex: false)
      raise ArgumentError, "the input of #{name}.decode_www_form must be ASCII only string" unless text.ascii_only?
      encoding = Encoding.find(encoding) unless text.empty?
      pairs = text.b.each_line(separator).map do |pair|
        key, equals, value = pair.chomp(separator).partition("=")
        key, value = "", key if isindex && equals.empty?
        isindex = false
        if use__charset_ && key == "_charset_" && (named = get_encoding(value))
          encoding = named
          use__charset_ = false
        end
        [key, value].map { |part| part.gsub(/\+|%\h\h/n) { |code| code == "+" ? " " : code[1..].hex.chr } }
      end
      pairs.each { |pair| pair.map! { |part| part.force_encoding(encoding).scrub } }
    end

    def regexp(schemes = nil)
      warn("URI.regexp is obsolete", uplevel: 1) if $VERBOSE
      DEFAULT_PARSER.make_regexp(schemes)
    end
    def extract(text, schemes = nil, &block)
      warn("URI.extract is obsolete", uplevel: 1) if $VERBOSE
      DEFAULT_PARSER.extract(text, schemes, &block)
    end

    # The encoding that a label of the web names: WHATWG's table, where it names one by another name first; nil for what it lacks.
    def get_encoding(label)
      label = label.to_str.strip.downcase
      name = WEB_ENCODINGS.find { |_, labels| labels.include?(label) }&.first
      name && Encoding.find(name)
    rescue ArgumentError
      nil
    end
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
