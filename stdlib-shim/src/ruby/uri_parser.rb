module URI
  # RFC 2396's grammar, that `URI.extract`, `URI.regexp` and addresses that are built keep to.
  module RFC2396_REGEXP
    module PATTERN
      ALPHA = "a-zA-Z"
      ALNUM = "#{ALPHA}\\d"
      HEX = "a-fA-F\\d"
      ESCAPED = "%[#{HEX}]{2}"
      UNRESERVED = "\\-_.!~*'()#{ALNUM}"
      RESERVED = ";/?:@&=+$,\\[\\]"
      DOMLABEL = "(?:[#{ALNUM}](?:[-#{ALNUM}]*[#{ALNUM}])?)"
      TOPLABEL = "(?:[#{ALPHA}](?:[-#{ALNUM}]*[#{ALNUM}])?)"
      HOSTNAME = "(?:#{DOMLABEL}\\.)*#{TOPLABEL}\\.?"
    end
  end
  REGEXP = RFC2396_REGEXP

  class RFC2396_Parser
    include RFC2396_REGEXP

    # `options` replace pieces of the grammar: ESCAPED, UNRESERVED, RESERVED, HOSTNAME.
    def initialize(options = {})
      @options = options
    end

    # Both are made when they are first asked for: most programs never do.
    def pattern = @pattern ||= patterns(@options.dup).each_value(&:freeze).freeze
    def regexp = @regexp ||= regexps(pattern).each_value(&:freeze).freeze

    def split(text)
      scheme = userinfo = host = port = registry = path = opaque = query = fragment = nil
      if text.empty? then path = ""
      elsif (found = regexp[:ABS_URI].match(text))
        scheme, opaque, userinfo, host, port, registry, path, query, fragment = found.captures
        raise InvalidURIError, "bad URI(absolute but no path): #{text}" if !opaque && !path && !host && !registry
      elsif (found = regexp[:REL_URI].match(text))
        userinfo, host, port, registry, relative, path, query, fragment = found.captures
        path = "#{relative}#{path}" if relative
      else
        raise InvalidURIError, "bad URI(is not URI?): #{text}"
      end
      path = "" if !path && !opaque
      [scheme, userinfo, host, port, registry, path, opaque, query, fragment]
    end

    def parse(text) = URI.for(*split(text), self)
    def join(*parts)
      parts[0] = convert_to_uri(parts[0])
      parts.inject(:merge)
    end

    def escape(text, unsafe = regexp[:UNSAFE])
      unsafe = Regexp.new("[#{Regexp.quote(unsafe)}]") unless unsafe.is_a?(Regexp)
      text.gsub(unsafe) { |char| char.each_byte.map { |byte| format("%%%02X", byte) }.join }.force_encoding("US-ASCII")
    end
    def unescape(text, escaped = regexp[:ESCAPED])
      encoding = text.encoding == Encoding::US_ASCII ? Encoding::UTF_8 : text.encoding
      text.gsub(escaped) { |code| [code[1, 2]].pack("H2").force_encoding(encoding) }
    end
    def extract(text, schemes = nil)
      found = []
      text.scan(make_regexp(schemes)) { block_given? ? yield($&) : found << $& }
      block_given? ? nil : found
    end
    def make_regexp(schemes = nil)
      return regexp[:ABS_URI_REF] unless schemes
      /(?=#{Regexp.union(*schemes)}:)#{pattern[:X_ABS_URI]}/x
    end
    def inspect = Kernel.instance_method(:to_s).bind_call(self)

    private

    def convert_to_uri(value)
      return value if value.is_a?(Generic)
      text = String.try_convert(value) or raise ArgumentError, "bad argument (expected URI object or URI string)"
      parse(text)
    end

    def patterns(options)
      made = %i(ESCAPED UNRESERVED RESERVED DOMLABEL TOPLABEL).to_h { |name| [name, options.delete(name) || PATTERN.const_get(name)] }
      escaped, plain, reserved = made.values_at(:ESCAPED, :UNRESERVED, :RESERVED)
      made[:HOSTNAME] = options.delete(:HOSTNAME) || "(?:[a-zA-Z0-9\\-.]|%\\h\\h)+"
      made[:URIC] = uric = "(?:[#{plain}#{reserved}]|#{escaped})"
      made[:URIC_NO_SLASH] = "(?:[#{plain};?:@&=+$,]|#{escaped})"
      made[:QUERY] = made[:FRAGMENT] = "#{uric}*"
      made[:PORT] = '\d*'
      made[:USERINFO] = "(?:[#{plain};:&=+$,]|#{escaped})*"
      made[:REG_NAME] = "(?:[#{plain}$,;:@&=+]|#{escaped})+"
      made[:SCHEME] = "[a-zA-Z][\\-+.a-zA-Z\\d]*"
      made[:OPAQUE_PART] = "#{made[:URIC_NO_SLASH]}#{uric}*"
      host_patterns(made)
      path_patterns(made, plain, escaped)
      whole_patterns(made)
    end

    def host_patterns(made)
      made[:IPV4ADDR] = "\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}"
      group = "[a-fA-F\\d]{1,4}"
      last = "(?:#{group}:)*(?:#{group}|#{made[:IPV4ADDR]})"
      made[:IPV6ADDR] = "(?:#{last}|(?:(?:#{group}:)*#{group})?::(?:#{last})?)"
      made[:IPV6REF] = "\\[#{made[:IPV6ADDR]}\\]"
      made[:HOST] = "(?:#{made.values_at(:HOSTNAME, :IPV4ADDR, :IPV6REF).join("|")})"
      made[:HOSTPORT] = "#{made[:HOST]}(?::#{made[:PORT]})?"
    end

    def path_patterns(made, plain, escaped)
      char = "(?:[#{plain}:@&=+$,]|#{escaped})"
      segment = "#{char}*(?:;#{char}*)*"
      made[:PATH_SEGMENTS] = "#{segment}(?:/#{segment})*"
      made[:REL_SEGMENT] = "(?:[#{plain};@&=+$,]|#{escaped})+"
      made[:ABS_PATH] = "/#{made[:PATH_SEGMENTS]}"
      made[:REL_PATH] = "#{made[:REL_SEGMENT]}(?:#{made[:ABS_PATH]})?"
      made[:NET_PATH] = "//(?:(?:#{made[:USERINFO]}@)?#{made[:HOSTPORT]}|#{made[:REG_NAME]})(?:#{made[:ABS_PATH]})?"
      made[:HIER_PART] = "(?:#{made[:NET_PATH]}|#{made[:ABS_PATH]})(?:\\?(?:#{made[:QUERY]}))?"
    end

    # Of the X_ patterns the groups are the parts of an address.
    def whole_patterns(made)
      made[:ABS_URI] = "#{made[:SCHEME]}:(?:#{made[:HIER_PART]}|#{made[:OPAQUE_PART]})"
      made[:REL_URI] = "(?:#{made[:NET_PATH]}|#{made[:ABS_PATH]}|#{made[:REL_PATH]})(?:\\?#{made[:QUERY]})?"
      made[:URI_REF] = "(?:#{made[:ABS_URI]}|#{made[:REL_URI]})?(?:##{made[:FRAGMENT]})?"
      tail = "(?:\\?(#{made[:QUERY]}))?"
      fragment = "(?:\\#(#{made[:FRAGMENT]}))?"
      made[:X_ABS_URI] = "(#{made[:SCHEME]}):(?:(#{made[:OPAQUE_PART]})|(?:(?://(?:(?:(?:(#{made[:USERINFO]})@)?(?:(#{made[:HOST]})(?::(\\d*))?))?|(#{made[:REG_NAME]}))|(?!//))(#{made[:ABS_PATH]})?)#{tail})#{fragment}"
      made[:X_REL_URI] = "(?:(?://(?:(?:(#{made[:USERINFO]})@)?(#{made[:HOST]})?(?::(\\d*))?|(#{made[:REG_NAME]})))|(#{made[:REL_SEGMENT]}))?(#{made[:ABS_PATH]})?#{tail}#{fragment}"
      made
    end

    def regexps(pattern)
      made = { ABS_URI: Regexp.new("\\A\\s*#{pattern[:X_ABS_URI]}\\s*\\z", Regexp::EXTENDED), REL_URI: Regexp.new("\\A\\s*#{pattern[:X_REL_URI]}\\s*\\z", Regexp::EXTENDED), URI_REF: Regexp.new(pattern[:URI_REF]) }
      made[:ABS_URI_REF] = Regexp.new(pattern[:X_ABS_URI], Regexp::EXTENDED)
      made[:REL_URI_REF] = Regexp.new(pattern[:X_REL_URI], Regexp::EXTENDED)
      made[:ESCAPED] = Regexp.new(pattern[:ESCAPED])
      made[:UNSAFE] = Regexp.new("[^#{pattern[:UNRESERVED]}#{pattern[:RESERVED]}]")
      { SCHEME: :SCHEME, USERINFO: :USERINFO, HOST: :HOST, PORT: :PORT, OPAQUE: :OPAQUE_PART, REGISTRY: :REG_NAME, ABS_PATH: :ABS_PATH, REL_PATH: :REL_PATH, QUERY: :QUERY, FRAGMENT: :FRAGMENT }.each do |name, of|
        made[name] = Regexp.new("\\A#{pattern[of]}\\z")
      end
      made
    end
  end
  Parser = RFC2396_Parser

  # The parser that `URI.parse` uses: RFC 3986's grammar.
  class RFC3986_Parser
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
    PARTS = {
      SCHEME: /\A[A-Za-z][A-Za-z0-9+\-.]*\z/,
      USERINFO: /\A#{USERINFO}\z/,
      HOST: /\A(?:#{LITERAL}|#{NAME}*)\z/,
      ABS_PATH: %r{\A/#{SEGMENT}*(?:/#{SEGMENT}*)*\z},
      REL_PATH: %r{\A#{SEGMENT}+(?:/#{SEGMENT}*)*\z},
      QUERY: %r{\A(?:%\h\h|[!$&-.0-;=@-Z_a-z~/?])*\z},
      FRAGMENT: %r{\A(?:%\h\h|[!$&-.0-;=@-Z_a-z~/?])*\z},
      OPAQUE: %r{\A(?:[^/].*)?\z},
      PORT: /\A[\t\n\f\r ]*\d*[\t\n\f\r ]*\z/
    }.freeze
    private_constant(*constants(false))

    def regexp = PARTS

    def split(text)
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" unless text.respond_to?(:to_str)
      text = text.to_str
      raise InvalidURIError, "URI must be ascii only #{text.dump}" unless text.ascii_only?
      if (match = ABSOLUTE.match(text))
        scheme, userinfo, host, port, path, absolute, opaque, query, fragment = match.captures
        return [scheme, nil, nil, nil, nil, nil, query ? "#{opaque}?#{query}" : opaque, nil, fragment] if opaque
      elsif (match = RELATIVE.match(text))
        userinfo, host, port, path, absolute, relative, query, fragment = match.captures
      else
        raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}"
      end
      [scheme, userinfo, host, port, nil, path || absolute || relative || "", nil, query, fragment]
    end

    def parse(text)
      scheme, userinfo, host, port, registry, path, opaque, query, fragment = split(text)
      (URI.scheme_class(scheme) || Generic).new(scheme, userinfo, host, port, registry, path, opaque, query, fragment, self)
    end
    def join(*parts)
      parts[0] = convert_to_uri(parts[0])
      parts.inject(:merge)
    end
    def inspect = Kernel.instance_method(:to_s).bind_call(self)

    private

    def convert_to_uri(value)
      return value if value.is_a?(Generic)
      text = String.try_convert(value) or raise ArgumentError, "bad argument (expected URI object or URI string)"
      parse(text)
    end
  end
  RFC3986_PARSER = RFC3986_Parser.new
  DEFAULT_PARSER = RFC2396_Parser.new

  # Made when they are asked for.
  %i[ABS_PATH ABS_URI FRAGMENT HIER_PART HOST HOSTPORT IPV4ADDR IPV6ADDR IPV6REF NET_PATH OPAQUE_PART PATH_SEGMENTS PORT QUERY REG_NAME REL_PATH
     REL_SEGMENT REL_URI SCHEME URIC URIC_NO_SLASH URI_REF USERINFO X_ABS_URI X_REL_URI].each { |name| REGEXP::PATTERN.autoload(name, "uri/constants_core") }
  %i[ABS_PATH ABS_URI ABS_URI_REF ESCAPED FRAGMENT HOST OPAQUE PORT QUERY REGISTRY REL_PATH REL_URI REL_URI_REF SCHEME UNSAFE URI_REF USERINFO
     VERSION_CODE TBLDECWWWCOMP_ WEB_ENCODINGS_].each { |name| autoload(name, "uri/constants_core") }
  RFC3986_Parser.autoload(:RFC3986_URI, "uri/constants_core")
  RFC3986_Parser.autoload(:RFC3986_relative_ref, "uri/constants_core")
  include REGEXP

  # What the `build` of a kind of address is given, by component.
  module Util
    def make_components_hash(kind, parts)
      names = kind.component.drop(1)
      case parts
      when Hash then made = parts.transform_values { |value| value.clone }
      when Array
        made = names.zip(parts.map { |value| value.clone }).to_h if parts.size == names.size
      end
      raise ArgumentError, "expected Array of or Hash of components of #{kind} (#{names.join(", ")})" unless made
      made[:scheme] = kind.to_s[/[^:]*\z/].downcase
      made
    end
    module_function :make_components_hash
  end
end
