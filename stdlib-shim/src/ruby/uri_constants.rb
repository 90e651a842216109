# Constants of URI that few programs ask for: the pieces of the grammars, tables of the web's forms.
module URI
  plain = %i[ALPHA ALNUM HEX ESCAPED UNRESERVED RESERVED DOMLABEL TOPLABEL HOSTNAME]
  DEFAULT_PARSER.pattern.except(*plain).each { |name, text| RFC2396_REGEXP::PATTERN.const_set(name, text) }
  DEFAULT_PARSER.regexp.each { |name, regexp| const_set(name, regexp) }

  VERSION_CODE = VERSION.split(".").map { |part| part.rjust(2, "0") }.join.freeze

  # What a form's escapes stand for, in either case of the digits.
  TBLDECWWWCOMP_ = (0..255).each_with_object({}) do |byte, table|
    high, low = byte.divmod(16).map { |digit| digit.to_s(16) }
    [high, high.upcase].product([low, low.upcase]) { |digits| table["%#{digits.join}"] = byte.chr }
  end.merge("+" => " ").freeze

  WEB_ENCODINGS_ = WEB_ENCODINGS.flat_map { |name, labels| labels.map { |label| [label, name] } }.to_h.freeze

  class RFC3986_Parser
    named = lambda do |slash|
      octet = '25[0-5]|2[0-4]\d|1\d{2}|[1-9]\d|\d'
      group = '\h{1,4}'
      plain = '%\h\h|[!$&-.0-9;=A-Z_a-z~]'
      segment = '%\h\h|[!$&-.0-9:;=@A-Z_a-z~]'
      forms = [
        "(?:#{group}:){6}\\g<ls32>", "::(?:#{group}:){5}\\g<ls32>",
        *(0..4).map { |before| "(?:#{"(?:#{group}:){0,#{before}}" if before > 0}#{group})?::#{"(?:#{group}:){#{4 - before}}" if before < 4}\\g<ls32>" },
        "(?:(?:#{group}:){0,5}#{group})?::#{group}", "(?:(?:#{group}:){0,6}#{group})?::"
      ]
      last = "(?<ls32>(?:#{group}:#{group})|(?<IPv4address>(?<dec-octet>#{octet})(?:\\.\\g<dec-octet>){3}))"
      forms[0] = forms[0].sub("\\g<ls32>") { last }
      literal = "(?<IP-literal>\\[(?:(?<IPv6address>#{forms.join("|")})|(?<IPvFuture>v\\h++\\.[!$&-.0-9:;=A-Z_a-z~]++))\\])"
      authority = "(?<authority>(?:(?<userinfo>(?:#{plain}|:)*+)@)?(?<host>#{literal}|\\g<IPv4address>|(?<reg-name>(?:#{plain})*+))(?::(?<port>\\d*+))?)"
      tail = "(?:\\?(?<query>[^#]*+))?(?:\\#(?<fragment>(?:#{segment}|[/?])*+))?"
      paths = "(?<path-abempty>(?:/(?<segment>(?:#{segment})*+))*+)"
      absolute = "(?<path-absolute>/(?:(?<segment-nz>(?:#{segment})++)(?:/\\g<segment>)*+)?)"
      slash.call(authority, paths, absolute, tail)
    end
    RFC3986_URI = Regexp.new(named.call(lambda { |authority, paths, absolute, tail|
      "\\A(?<URI>(?<scheme>[A-Za-z][+\\-.0-9A-Za-z]*+):(?<hier-part>//#{authority}#{paths}|#{absolute}|(?<path-rootless>\\g<segment-nz>(?:/\\g<segment>)*+)|(?<path-empty>))#{tail})\\z"
    }))
    RFC3986_relative_ref = Regexp.new(named.call(lambda { |authority, paths, absolute, tail|
      "\\A(?<relative-ref>(?<relative-part>//#{authority}#{paths}|#{absolute}|(?<path-noscheme>(?<segment-nz-nc>(?:%\\h\\h|[!$&-.0-9;=@A-Z_a-z~])++)(?:/\\g<segment>)*+)|(?<path-empty>))#{tail})\\z"
    }))
  end
end
