class CGI
  # The parameters of a query string: each name with all of its values, `[]` for a name that is not there.
  def self.parse(query)
    query.split(/[&;]/).map { |pair| pair.split("=", 2).map { |part| unescape(part) } }.reject(&:empty?).each_with_object(Hash.new([].freeze)) do |(name, *value), found|
      found[name] = (found.key?(name) ? found[name] : []) + value
    end
  end

  module Util
    # The encoding of what a browser sends.
    @@accept_charset = "UTF-8"

    TABLE_FOR_ESCAPE_HTML__ = { "'" => "&#39;", "&" => "&amp;", '"' => "&quot;", "<" => "&lt;", ">" => "&gt;" }.freeze
    RFC822_DAYS = %w[Sun Mon Tue Wed Thu Fri Sat].freeze
    RFC822_MONTHS = %w[Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec].freeze

    def escape(string)
      string = "" + string
      string.b.gsub(/[^a-zA-Z0-9_.\-~ ]/n) { |char| format("%%%02X", char.ord) }.tr(" ", "+").force_encoding(string.encoding)
    end

    def unescape(string, encoding = @@accept_charset)
      text = string.b.tr("+", " ").gsub(/((?:%[0-9a-fA-F]{2})+)/n) { [$1.delete("%")].pack("H*") }.force_encoding(encoding)
      text.valid_encoding? ? text : text.force_encoding(string.encoding)
    end

    def escapeURIComponent(string)
      string = "" + string
      string.b.gsub(/[^a-zA-Z0-9_.\-~]/n) { |char| format("%%%02X", char.ord) }.force_encoding(string.encoding)
    end
    alias escape_uri_component escapeURIComponent

    def unescapeURIComponent(string, encoding = @@accept_charset)
      string = string.to_str
      text = string.b.gsub(/((?:%[0-9a-fA-F]{2})+)/n) { [$1.delete("%")].pack("H*") }.force_encoding(encoding)
      text.valid_encoding? ? text : text.force_encoding(string.encoding)
    end
    alias unescape_uri_component unescapeURIComponent

    def escapeHTML(string)
      string = String.try_convert(string) || raise(TypeError, "no implicit conversion of #{string.nil? ? "nil" : string.class} into String")
      return escapeHTML(string.encode(Encoding::UTF_8)).encode(string.encoding) unless string.encoding.ascii_compatible?
      return string.gsub(/['&"<>]/, TABLE_FOR_ESCAPE_HTML__) if string.valid_encoding?
      string.b.gsub(/['&"<>]/n, TABLE_FOR_ESCAPE_HTML__).force_encoding(string.encoding)
    end

    def unescapeHTML(string)
      return unescapeHTML(string.encode(Encoding::UTF_8)).encode(string.encoding) unless string.encoding.ascii_compatible?
      return unescapeHTML(string.b).force_encoding(string.encoding) unless string.valid_encoding?
      named = { "apos" => "'", "amp" => "&", "gt" => ">", "lt" => "<", "quot" => '"' }
      string.gsub(/&(apos|amp|gt|lt|quot|#[0-9]+|#[xX][0-9A-Fa-f]+);/) do |whole|
        name = $1
        next named[name] if named.key?(name)
        code = name.match?(/\A#[xX]/) ? name[2..].hex : name[1..].to_i
        code <= 0x10ffff ? [code].pack("U").encode(string.encoding) : whole
      rescue StandardError
        whole
      end
    end

    def escapeElement(string, *elements)
      names = elements.flatten
      names.empty? ? string : string.gsub(%r{</?(?:#{names.join("|")})(?!\w)(?:.|\n)*?>}i) { CGI.escapeHTML($&) }
    end

    def unescapeElement(string, *elements)
      names = elements.flatten
      names.empty? ? string : string.gsub(%r{&lt;/?(?:#{names.join("|")})(?!\w)(?:.|\n)*?&gt;}i) { CGI.unescapeHTML($&) }
    end

    def rfc1123_date(time)
      utc = time.clone.gmtime
      format("%s, %.2d %s %.4d %.2d:%.2d:%.2d GMT", RFC822_DAYS[utc.wday], utc.day, RFC822_MONTHS[utc.month - 1], utc.year, utc.hour, utc.min, utc.sec)
    end

    def pretty(string, shift = "  ")
      lines = string.gsub(/(?!\A)<.*?>/m, "\n\\0").gsub(/<.*?>(?!\n)/m, "\\0\n")
      depth = 0
      lines.lines.map do |line|
        depth -= 1 if line.start_with?("</")
        shown = shift * [depth, 0].max + line
        depth += 1 if line.match?(/\A<[^!\/]/) && string.include?("</#{line[/\A<(\w+)/, 1]}")
        shown
      end.join
    end

    alias escape_html escapeHTML
    alias unescape_html unescapeHTML
    alias escape_element escapeElement
    alias unescape_element unescapeElement
    alias h escapeHTML
  end
  # What MRI has natively; programs extend themselves by it.
  module Escape
    def escape(string) = super
    def unescape(*) = super
    def escapeURIComponent(string) = super
    def unescapeURIComponent(*) = super
    def escapeHTML(string) = super
    def unescapeHTML(string) = super
  end
  Util.prepend(Escape)
  include Util
  extend Util
end
