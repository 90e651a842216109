require "uri"

# Addresses as they are written, taken apart and normalised, in the manner of the gem addressable.
module Addressable
  class URI
    class InvalidURIError < StandardError
    end

    PATTERN = %r{\A(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?\z}m
    PORT_MAPPING = { "http" => 80, "https" => 443, "ftp" => 21, "tftp" => 69, "sftp" => 22, "ssh" => 22, "svn+ssh" => 22, "telnet" => 23, "nntp" => 119,
                     "gopher" => 70, "wais" => 210, "ldap" => 389, "prospero" => 1525 }.freeze
    UNRESERVED = "A-Za-z0-9\\-._~"

    module CharacterClasses
      ALPHA = "a-zA-Z"
      DIGIT = "0-9"
      GEN_DELIMS = "\\:\\/\\?\\#\\[\\]\\@"
      SUB_DELIMS = "\\!\\$\\&\\'\\(\\)\\*\\+\\,\\;\\="
      RESERVED = GEN_DELIMS + SUB_DELIMS
      UNRESERVED = ALPHA + DIGIT + "\\-\\.\\_\\~"
      PCHAR = UNRESERVED + SUB_DELIMS + "\\:\\@"
      SCHEME = ALPHA + DIGIT + "\\-\\+\\."
      HOST = UNRESERVED + SUB_DELIMS + "\\[\\:\\]"
      AUTHORITY = PCHAR + "\\[\\:\\]"
      PATH = PCHAR + "\\/"
      QUERY = PCHAR + "\\/\\?"
      FRAGMENT = PCHAR + "\\/\\?"
    end

    class << self
      def parse(uri)
        return nil if uri.nil?
        return uri.dup if uri.is_a?(URI)
        raise TypeError, "Can't convert #{uri.class} into String." unless uri.respond_to?(:to_str) || uri.is_a?(::URI::Generic)
        match = PATTERN.match(uri.to_s)
        scheme, authority, path, query, fragment = match.captures
        if authority
          userinfo, hostport = authority.include?("@") ? authority.split("@", 2) : [nil, authority]
          user, password = userinfo&.split(":", 2)
          host = hostport.sub(/:([^:@\[\]]*?)\z/, "")
          port = hostport[/:([^:@\[\]]*?)\z/, 1]
          port = nil if port == ""
        end
        new(scheme: scheme, user: user, password: password, host: host, port: port, path: path, query: query, fragment: fragment)
      end

      def heuristic_parse(uri, hints = {})
        return parse(uri) if uri.nil? || uri.is_a?(URI)
        text = uri.to_s.strip
        text = text.sub(%r{\A(https?|ftp):/*(?=[^/])}i, '\1://')
        return parse(text) if text.match?(%r{\A[a-z][a-z0-9+.-]*:(?!\d)}i) || text.match?(/\A[^.\/?#:]+:\d+/) || text.start_with?("/")
        return parse("mailto:#{text}") if text.match?(%r{\A[^/@]+@[^/@]+\z})
        text.include?(".") ? parse("#{hints.fetch(:scheme, "http")}://#{text}") : parse(text)
      end

      # A path of the file system; a relative one stays relative.
      def convert_path(path)
        return parse(path) unless path.start_with?("/")
        parse("file://#{encode_component(path, CharacterClasses::PATH)}")
      end
      def join(*uris) = uris.map { |uri| parse(uri) }.inject(:join)

      def encode_component(component, character_class = CharacterClasses::RESERVED + CharacterClasses::UNRESERVED, _upcase = "")
        return nil if component.nil?
        pattern = character_class.is_a?(Regexp) ? character_class : /[^#{character_class}]/n
        component.to_s.b.gsub(pattern) { |char| format("%%%02X", char.ord) }.force_encoding("UTF-8")
      end
      alias escape_component encode_component

      def unencode(uri, return_type = String, leave_encoded = "")
        return nil if uri.nil?
        text = uri.to_s.b.gsub(/%\h\h/) do |code|
          char = code[1, 2].hex.chr
          leave_encoded.include?(char) ? code : char
        end.force_encoding("UTF-8")
        return_type == String ? text : parse(text)
      end
      alias unencode_component unencode
      alias unescape unencode
      alias unescape_component unencode

      def encode(uri, return_type = String)
        return nil if uri.nil?
        raise TypeError, "Can't convert #{uri.class} into String." unless uri.is_a?(URI) || uri.respond_to?(:to_str)

        text = parse(uri).then do |made|
          build(scheme: made.scheme, user: made.user, password: made.password, host: made.host, port: made.port,
                path: encode_component(made.path, CharacterClasses::PATH), query: encode_component(made.query, CharacterClasses::QUERY),
                fragment: encode_component(made.fragment, CharacterClasses::FRAGMENT)).to_s
        end
        return_type == String ? text : parse(text)
      end
      alias escape encode
      def build(parts) = new(**parts)

      def normalize_component(component, character_class = CharacterClasses::RESERVED + CharacterClasses::UNRESERVED, leave_encoded = "")
        encode_component(unencode(component, String, leave_encoded), character_class)
      end

      def normalized_encode(uri, return_type = String) = return_type == String ? parse(uri).normalize.to_s : parse(uri).normalize
      def form_encode(values, sort = false) = (list = values.to_a; list = list.sort if sort; ::URI.encode_www_form(list))
      def form_unencode(text) = ::URI.decode_www_form(text)
      def ip_based_schemes = PORT_MAPPING.keys
      def port_mapping = PORT_MAPPING
    end

    attr_reader :scheme, :user, :password, :host, :path, :query, :fragment

    def initialize(scheme: nil, user: nil, password: nil, userinfo: nil, host: nil, port: nil, authority: nil, path: nil, query: nil, query_values: nil, fragment: nil, **)
      user, password = userinfo.split(":", 2) if userinfo
      if authority
        parsed = URI.parse("//#{authority}")
        user, password, host, port = parsed.user, parsed.password, parsed.host, parsed.port
      end
      self.scheme = scheme
      @user, @password, @host = user, password, host
      self.port = port
      @path = rooted(path.to_s)
      @query, @fragment = query, fragment
      self.query_values = query_values if query_values
      validate
    end

    def scheme=(scheme)
      raise InvalidURIError, "Invalid scheme format: '#{scheme}'" if scheme && !scheme.to_s.empty? && !scheme.to_s.match?(/\A[a-z][a-z0-9.+-]*\z/i)
      @scheme = scheme.to_s.empty? ? nil : scheme.to_s
    end

    %i[user password host path query fragment].each do |name|
      define_method("#{name}=") do |value|
        value = name == :path ? rooted(value.to_s) : value&.to_s
        instance_variable_set("@#{name}", value)
        validate
      end
    end

    def userinfo=(userinfo)
      @user, @password = userinfo&.to_s&.split(":", 2)
    end

    def authority=(authority)
      set(URI.parse("//#{authority}"), :user, :password, :host, :port)
    end

    def site=(site)
      set(URI.parse(site), :scheme, :user, :password, :host, :port)
    end

    def request_uri=(text)
      raise InvalidURIError, "Cannot set an HTTP request URI for a non-HTTP URI." unless scheme.nil? || scheme.match?(/\Ahttps?\z/i)
      set(URI.parse(text), :path, :query)
    end

    # Changes that fit together only when all are made.
    def defer_validation
      @deferred = true
      yield
      @deferred = false
      validate
      self
    ensure
      @deferred = false
    end

    attr_reader :port

    def port=(port)
      raise InvalidURIError, "Invalid port number: #{port.inspect}" if port && !port.to_s.match?(/\A\d+\z/)
      @port = port&.to_i
    end

    def inferred_port = port || default_port
    def default_port = PORT_MAPPING[scheme&.downcase]
    def userinfo = user && (password ? "#{user}:#{password}" : user)
    def authority = host && "#{"#{userinfo}@" if userinfo}#{host}#{":#{port}" if port}"
    def hostname = host&.sub(/\A\[(.*)\]\z/, '\1')
    def site = (scheme || authority) && "#{"#{scheme}:" if scheme}#{"//#{authority}" if authority}"
    def origin = scheme && host ? "#{scheme.downcase}://#{host.downcase}#{":#{port}" if port && port != default_port}" : "null"
    def basename = path && File.basename(path).sub(/;[^\/]*\z/, "")
    def extname = path && File.extname(basename)
    def request_uri = "#{path.empty? ? "/" : path}#{"?#{query}" if query}"
    def domain = host&.split(".")&.last(2)&.join(".")
    def tld = host&.split(".")&.last
    def absolute? = !relative?
    def relative? = scheme.nil?
    def ip_based? = PORT_MAPPING.key?(scheme&.downcase)
    def empty? = to_s.empty?

    def query_values(type = Hash)
      return nil if query.nil?
      pairs = query.split("&").map do |pair|
        name, value = pair.split("=", 2)
        [URI.unencode(name.to_s.tr("+", " ")), value && URI.unencode(value.tr("+", " "))]
      end
      type == Hash ? pairs.to_h : pairs
    end

    def query_values=(values)
      return @query = nil if values.nil?
      pairs = values.is_a?(Hash) ? values.sort_by { |name, _| name.to_s } : values
      @query = pairs.flat_map do |name, value|
        name = URI.encode_component(name, CharacterClasses::UNRESERVED)
        (value.is_a?(Array) ? value : [value]).map { |item| item.nil? ? name : "#{name}=#{URI.encode_component(item, CharacterClasses::UNRESERVED)}" }
      end.join("&")
    end

    def join(uri)
      other = URI.parse(uri)
      return other.dup if other.scheme
      made = dup
      if other.authority
        made.set(other, :user, :password, :host, :port, :path, :query)
      elsif other.path.empty?
        made.query = other.query if other.query
      else
        base = path.sub(%r{[^/]*\z}, "")
        base = "/" if base.empty? && host
        made.path = URI.remove_dots(other.path.start_with?("/") ? other.path : base + other.path)
        made.query = other.query
      end
      made.fragment = other.fragment
      made
    end
    alias + join

    def join!(uri) = replace(join(uri))
    def merge(hash) = self.class.new(**{ scheme: scheme, user: user, password: password, host: host, port: port, path: path, query: query, fragment: fragment }.merge(hash.to_h.transform_keys(&:to_sym)))
    def merge!(hash) = replace(merge(hash))

    def self.remove_dots(path)
      output = []
      path.split("/", -1).each do |part|
        case part
        when "." then next
        when ".." then output.pop if output.size > 1
        else output << part
        end
      end
      text = output.join("/")
      path.match?(%r{(?:\A|/)\.\.?\z}) && !text.end_with?("/") ? "#{text}/" : text
    end

    def normalize
      made = dup
      made.scheme = scheme&.strip&.downcase
      made.host = host&.downcase&.chomp(".")
      made.port = port == default_port ? nil : port
      clean = URI.remove_dots(URI.normalize_component(path, CharacterClasses::PATH, "/"))
      made.path = clean.empty? && host ? "/" : clean
      made.query = query && URI.normalize_component(query, CharacterClasses::QUERY, "&=+;%")
      made.fragment = fragment && URI.normalize_component(fragment, CharacterClasses::FRAGMENT)
      made
    end

    def normalize! = replace(normalize)
    %i[scheme user password userinfo host port authority site path fragment].each { |part| define_method("normalized_#{part}") { normalize.public_send(part) } }

    def normalized_query(*flags)
      found = normalize.query
      flags.include?(:sorted) && found ? found.split("&").sort.join("&") : found
    end
    def display_uri = normalize

    def to_s = "#{"#{scheme}:" if scheme}#{"//#{authority}" if authority}#{path}#{"?#{query}" if query}#{"##{fragment}" if fragment}"
    alias to_str to_s
    def to_hash = { scheme: scheme, user: user, password: password, host: host, port: port, path: path, query: query, fragment: fragment }

    def omit(*parts)
      parts = parts.flat_map { |part| { userinfo: %i[user password], authority: %i[user password host port] }.fetch(part, [part]) }
      self.class.new(**to_hash.merge(parts.to_h { |part| [part, nil] }))
    end

    def omit!(*parts) = replace(omit(*parts))

    # The shortest address that leads here from another; this one itself when they are of different sites.
    def route_from(uri)
      from = URI.parse(uri).normalize
      here = normalize
      return here if here.scheme != from.scheme || here.authority != from.authority
      URI.parse(::URI.parse(to_s).route_from(from.to_s).to_s)
    end
    def route_to(uri) = URI.parse(uri).route_from(self)
    def ==(other) = other.is_a?(URI) && normalize.to_s == other.normalize.to_s
    def ===(other) = self == URI.parse(other)
    def eql?(other) = other.is_a?(URI) && to_s == other.to_s
    def hash = to_s.hash
    def inspect = format("#<%s:%#x URI:%s>", self.class, object_id, to_s)

    protected

    def set(other, *names) = names.each { |name| instance_variable_set("@#{name}", other.send(name)) }

    private

    def rooted(path) = host && !path.empty? && !path.start_with?("/") ? "/#{path}" : path

    def replace(other)
      set(other, :scheme, :user, :password, :host, :port, :path, :query, :fragment)
      self
    end

    def validate
      return if @deferred
      raise InvalidURIError, "Invalid character in host: '#{host}'" if host&.match?(/[\s<>{}\/\\^`|"]/)
      raise InvalidURIError, "Absolute URI missing hierarchical segment: '#{scheme}://'" if scheme && ip_based? && host.to_s.empty? && path.to_s.empty?
      raise InvalidURIError, "Cannot have a relative path with an authority set: '#{self}'" if host && !path.empty? && !path.start_with?("/")
    end
  end
end
