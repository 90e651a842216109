module URI
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  PATTERN = %r{\A(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?\z}m
  private_constant :PATTERN

  class Generic
    DEFAULT_PORT = nil
    attr_accessor :scheme, :userinfo, :host, :path, :opaque, :query, :fragment
    attr_writer :port

    def self.default_port = self::DEFAULT_PORT

    def self.build(parts)
      parts = %i(userinfo host port path query fragment).zip(parts).to_h if parts.is_a?(Array)
      scheme = name.split("::").last.downcase
      new(scheme == "generic" ? parts[:scheme] : scheme, parts[:userinfo], parts[:host], parts[:port], nil, parts[:path] || "", parts[:opaque], parts[:query], parts[:fragment])
    end

    def initialize(scheme, userinfo, host, port, _registry, path, opaque, query, fragment, *)
      @scheme = scheme&.downcase
      @userinfo, @host, @path, @opaque, @query, @fragment = userinfo, host, path, opaque, query, fragment
      @port = port.nil? || port == "" ? default_port : port.to_i
    end

    def default_port = self.class.default_port
    def port = @port
    def user = userinfo && userinfo.split(":", 2)[0]
    def password = userinfo && userinfo.split(":", 2)[1]
    def user=(value)
      @userinfo = [value, password].compact.join(":")
    end
    def password=(value)
      @userinfo = "#{user}:#{value}"
    end
    def hostname = host && host.start_with?("[") ? host[1..-2] : host
    def hostname=(value)
      @host = value
    end
    def absolute? = !scheme.nil?
    alias absolute absolute?
    def relative? = scheme.nil?
    def hierarchical? = opaque.nil?
    def request_uri = "#{path.to_s.empty? ? "/" : path}#{"?#{query}" if query}"
    def normalize = dup.tap { |uri| uri.host = host&.downcase; uri.path = "/" if path.empty? && host }
    def ==(other) = other.is_a?(Generic) && normalize.to_s == other.normalize.to_s
    def eql?(other) = self.class == other.class && to_s == other.to_s
    def hash = to_s.hash
    def inspect = "#<#{self.class} #{self}>"

    def to_s
      text = String.new
      text << scheme << ":" if scheme
      return text << opaque if opaque
      text << "//" if host || scheme == "file"
      text << userinfo << "@" if userinfo
      text << host if host
      text << ":" << port.to_s if port && port != default_port
      text << "/" if host && !path.empty? && !path.start_with?("/")
      text << path
      text << "?" << query if query
      text << "#" << fragment if fragment
      text
    end
    alias to_str_text to_s
    private :to_str_text

    def merge(other)
      other = URI.parse(other.to_s) unless other.is_a?(Generic)
      return other if other.absolute?
      made = dup
      if other.host
        made.userinfo, made.host, made.path, made.query = other.userinfo, other.host, other.path, other.query
        made.port = other.port || default_port
      elsif other.path.empty?
        made.query = other.query || query
      else
        base = other.path.start_with?("/") ? other.path : "#{path[%r{\A.*/}m] || "/"}#{other.path}"
        made.path = flatten_dots(base)
        made.query = other.query
      end
      made.fragment = other.fragment
      made
    end
    alias + merge

    private

    def flatten_dots(path)
      out = []
      parts = path.split("/", -1)
      parts.each_with_index do |part, index|
        last = index == parts.size - 1
        case part
        when "." then out << "" if last
        when ".."
          out.pop if out.size > 1
          out << "" if last
        else out << part
        end
      end
      out.join("/")
    end
  end

  class HTTP < Generic
    DEFAULT_PORT = 80
  end

  class HTTPS < HTTP
    DEFAULT_PORT = 443
  end

  class FTP < Generic
    DEFAULT_PORT = 21
  end

  class File < Generic; end

  class LDAP < Generic
    DEFAULT_PORT = 389
  end

  class MailTo < Generic
    def to = opaque
  end

  @schemes = { "HTTP" => HTTP, "HTTPS" => HTTPS, "FTP" => FTP, "FILE" => File, "LDAP" => LDAP, "MAILTO" => MailTo }

  class Parser
    def parse(text) = URI.parse(text)
    def escape(text, unsafe = %r{[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]}) = text.to_s.b.gsub(unsafe) { |char| char.bytes.map { |byte| format("%%%02X", byte) }.join }.force_encoding("US-ASCII")
    def unescape(text) = text.b.gsub(/%\h\h/) { |code| code[1..].hex.chr }.force_encoding(text.encoding)
    def extract(text, schemes = nil) = URI.extract(text, schemes)
    def make_regexp(schemes = nil) = URI.regexp(schemes)
  end
  RFC2396_Parser = Parser
  DEFAULT_PARSER = Parser.new

  class << self
    def scheme_list = @schemes
    def register_scheme(name, klass) = @schemes[name.to_s.upcase] = klass

    def split(text)
      uri = parse(text)
      [uri.scheme, uri.userinfo, uri.host, uri.port&.to_s, nil, uri.path, uri.opaque, uri.query, uri.fragment]
    end

    def parse(text)
      return text if text.is_a?(Generic)
      text = text.respond_to?(:to_str) ? text.to_str : raise(InvalidURIError, "bad URI(is not URI?): #{text.inspect}")
      raise InvalidURIError, "URI must be ascii only #{text.inspect}" unless text.ascii_only?
      if text.match?(/[\s<>"{}|\\^`]/) || !(match = PATTERN.match(text)) || text.match?(/%(?!\h\h)/)
        raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}"
      end
      scheme, userinfo, host, port, path, query, fragment = match.captures
      klass = @schemes[scheme.to_s.upcase] || Generic
      if scheme && host.nil? && !path.empty? && !path.start_with?("/")
        return klass.new(scheme, nil, nil, nil, nil, nil, query ? "#{path}?#{query}" : path, nil, fragment)
      end
      klass.new(scheme, userinfo, host, port, nil, path, nil, query, fragment)
    end

    def join(first, *rest) = rest.reduce(parse(first)) { |uri, part| uri.merge(part) }
    def encode_www_form_component(text, _encoding = nil) = text.to_s.b.gsub(/[^*\-.0-9A-Z_a-z]/) { |char| char == " " ? "+" : format("%%%02X", char.ord) }.force_encoding("US-ASCII")
    def decode_www_form_component(text, encoding = Encoding::UTF_8) = text.b.tr("+", " ").gsub(/%\h\h/) { |code| code[1..].hex.chr }.force_encoding(encoding)
    def encode_uri_component(text, encoding = nil) = encode_www_form_component(text, encoding).gsub("+", "%20")
    def decode_uri_component(text, encoding = Encoding::UTF_8) = text.b.gsub(/%\h\h/) { |code| code[1..].hex.chr }.force_encoding(encoding)

    def encode_www_form(pairs, _encoding = nil)
      pairs.flat_map do |key, value|
        values = value.respond_to?(:to_ary) ? value.to_ary : [value]
        values.map { |each| each.nil? ? encode_www_form_component(key) : "#{encode_www_form_component(key)}=#{encode_www_form_component(each)}" }
      end.join("&")
    end

    def decode_www_form(text, encoding = Encoding::UTF_8)
      text.split(/[&;]/).map { |pair| pair.split("=", 2).then { |key, value| [decode_www_form_component(key, encoding), decode_www_form_component(value || "", encoding)] } }
    end

    def regexp(schemes = nil) = schemes ? /(?:#{Regexp.union(*schemes)}):[^\s<>"]+/ : /[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>"]+/
    def extract(text, schemes = nil) = text.scan(regexp(schemes))
    def escape(text, *unsafe) = DEFAULT_PARSER.escape(text, *unsafe)
    alias encode escape
    def unescape(text) = DEFAULT_PARSER.unescape(text)
    alias decode unescape
  end
end

module Kernel
  def URI(text) = URI.parse(text)
  module_function :URI
end
