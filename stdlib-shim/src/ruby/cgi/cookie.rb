require "cgi/util"

class CGI
  # A cookie: its values, and what a browser is told of it.
  class Cookie < Array
    # What RFC 6265 lets a name, a path and a domain be made of.
    TOKEN_RE = /\A[!#$%&'*+\-.^_`|~0-9A-Za-z]*\z/
    PATH_VALUE_RE = /\A[\x20-\x3a\x3c-\x7e]*\z/
    DOMAIN_VALUE_RE = /\A\.?[[:alnum:]](?:[[:alnum:]-]*[[:alnum:]])?(?:\.[[:alnum:]](?:[[:alnum:]-]*[[:alnum:]])?)*\z/

    attr_reader :name, :path, :domain, :secure, :httponly
    attr_accessor :expires

    # `new(name, *values)`, or a Hash with "name", "value", "path", "domain", "expires", "secure", "httponly".
    def initialize(name = "", *values)
      @domain = @expires = nil
      if name.is_a?(String)
        self.name = name
        self.path = default_path
        @secure = @httponly = false
        return super(values)
      end
      options = name
      raise ArgumentError, "`name' required" unless options.key?("name")
      self.name = options["name"]
      self.path = options["path"] || default_path
      self.domain = options["domain"]
      @expires = options["expires"]
      @secure = options["secure"] == true
      @httponly = options["httponly"] == true
      super(Array(options["value"]))
    end

    def name=(name)
      raise ArgumentError, "invalid name: #{name}" unless name.nil? || TOKEN_RE.match?(name)
      @name = name
    end

    def path=(path)
      raise ArgumentError, "invalid path: #{path}" unless path.nil? || PATH_VALUE_RE.match?(path)
      @path = path
    end

    def domain=(domain)
      raise ArgumentError, "invalid domain: #{domain}" unless domain.nil? || (domain.length <= 255 && DOMAIN_VALUE_RE.match?(domain))
      @domain = domain
    end

    def secure=(value)
      @secure = value if [true, false].include?(value)
    end

    def httponly=(value)
      @httponly = value == true
    end

    def value = self
    def value=(value)
      replace(Array(value))
    end

    def to_s
      parts = ["#{@name}=#{map { |value| CGI.escape(value.to_s) }.join("&")}"]
      parts << "domain=#{@domain}" if @domain
      parts << "path=#{@path}" if @path
      parts << "expires=#{CGI.rfc1123_date(@expires)}" if @expires
      parts << "secure" if @secure
      parts << "HttpOnly" if @httponly
      parts.join("; ")
    end

    def inspect = "#<CGI::Cookie: #{to_s.inspect}>"

    # The cookies of a request's header, by name; several of a name are one with all values.
    def self.parse(raw)
      found = Hash.new([])
      raw.to_s.split(/;\s?/) do |pair|
        name, values = pair.split("=", 2)
        next unless values
        values = values.split("&").map { |value| CGI.unescape(value) }
        values = found[name].to_a + values if found.key?(name)
        found[name] = new(name, *values)
      end
      found
    end

    private

    # The folder of the script that a server runs.
    def default_path = ENV["SCRIPT_NAME"].to_s[%r{\A(.*/)}, 1] || ""
  end
end
