require "strscan"

# TOML 1.0 to Ruby values and back, behind the interfaces of the gems tomlrb, toml and toml-rb.
module Tomlrb
  class ParseError < StandardError
  end

  def self.parse(text, symbolize_keys: false, **) = Parser.new(text, symbolize_keys).parse
  def self.load_file(path, **options) = parse(File.read(path), **options)

  class Parser
    ESCAPES = { "b" => "\b", "t" => "\t", "n" => "\n", "f" => "\f", "r" => "\r", "e" => "\e", '"' => '"', "\\" => "\\" }.freeze
    DATE = /\d{4}-\d\d-\d\d/
    TIME = /\d\d:\d\d:\d\d(?:\.\d+)?/

    def initialize(text, symbolize)
      @scan = StringScanner.new(text.dup.force_encoding("UTF-8"))
      @symbolize = symbolize
      @root = {}
      @table = @root
      @defined = {}.compare_by_identity
    end

    def parse
      until blanks && @scan.eos?
        if @scan.skip(/\[\[/) then array_table
        elsif @scan.skip(/\[/) then table
        else
          pair(@table)
        end
        @scan.skip(/[ \t]*(?:#[^\n]*)?/)
        fail_here unless @scan.eos? || @scan.skip(/\r?\n/)
      end
      @root
    end

    private

    def fail_here = raise(ParseError, "parse error on value #{@scan.rest[0, 20].inspect} at line #{@scan.string.byteslice(0, @scan.pos).count("\n") + 1}")
    def blanks = @scan.skip(/(?:[ \t\r\n]|#[^\n]*)+/) || true
    def spaces = @scan.skip(/[ \t]+/)
    def name(text) = @symbolize ? text.to_sym : text
    def expect(pattern) = @scan.skip(pattern) || fail_here

    def key
      keys = []
      loop do
        spaces
        keys << name(@scan.scan(/[A-Za-z0-9_-]+/) || quoted_key)
        spaces
        break unless @scan.skip(/\./)
      end
      keys
    end

    def quoted_key
      if @scan.skip(/"/) then basic
      elsif @scan.skip(/'/) then @scan.scan_until(/'/)&.chop || fail_here
      else fail_here
      end
    end

    def table
      keys = key
      expect(/\]/)
      @table = descend(@root, keys)
      raise ParseError, "Key #{keys.join(".")} is defined more than once" if @defined[@table]
      @defined[@table] = true
    end

    def array_table
      *path, last = key
      expect(/\]\]/)
      list = descend(@root, path)[last] ||= []
      raise ParseError, "Cannot define table array #{last}" unless list.is_a?(Array)
      list << (@table = {})
    end

    def descend(hash, keys)
      keys.each do |key|
        found = hash[key] = hash.key?(key) ? hash[key] : {}
        hash = found.is_a?(Array) ? found.last : found
        raise ParseError, "Cannot use key #{key} for both table and value" unless hash.is_a?(Hash)
      end
      hash
    end

    def pair(hash)
      *path, last = key
      expect(/=/)
      spaces
      target = descend(hash, path)
      raise ParseError, "Key #{last} is defined more than once" if target.key?(last)
      target[last] = value
    end

    def value
      if @scan.skip(/"""\r?\n?/) then multiline_basic
      elsif @scan.skip(/'''\r?\n?/) then multiline_literal
      elsif @scan.skip(/"/) then basic
      elsif @scan.skip(/'/) then @scan.scan(/[^'\n]*(?=')/).tap { expect(/'/) }
      elsif @scan.skip(/\[/) then array
      elsif @scan.skip(/\{/) then inline_table
      elsif @scan.skip(/true\b/) then true
      elsif @scan.skip(/false\b/) then false
      elsif (text = @scan.scan(/#{DATE}[Tt ]#{TIME}(?:[Zz]|[-+]\d\d:\d\d)?/)) then time(text)
      elsif (text = @scan.scan(DATE)) then require("date") && nil || Date.iso8601(text)
      elsif (text = @scan.scan(TIME)) then text
      else number
      end
    end

    def time(text)
      parts = text.match(/(\d+)-(\d+)-(\d+)[Tt ](\d+):(\d+):(\d+(?:\.\d+)?)(.*)/).captures
      numbers = parts[0, 5].map(&:to_i) << Rational(parts[5])
      case parts[6]
      when "" then Time.new(*numbers)
      when "Z", "z" then Time.new(*numbers, "+00:00")
      else Time.new(*numbers, parts[6])
      end
    end

    def number
      if (text = @scan.scan(/0x[\h_]+|0o[0-7_]+|0b[01_]+/)) then Integer(text.delete("_"))
      elsif (text = @scan.scan(/[-+]?\d[\d_]*(?:\.\d[\d_]*)?[eE][-+]?\d[\d_]*|[-+]?\d[\d_]*\.\d[\d_]*/)) then Float(text.delete("_"))
      elsif (text = @scan.scan(/[-+]?\d[\d_]*/)) then Integer(text.delete("_"), 10)
      elsif (text = @scan.scan(/[-+]?inf/)) then text.start_with?("-") ? -Float::INFINITY : Float::INFINITY
      elsif @scan.skip(/[-+]?nan/) then Float::NAN
      else fail_here
      end
    end

    def array
      items = []
      loop do
        blanks
        return items if @scan.skip(/\]/)
        items << value
        blanks
        @scan.skip(/,/) || (@scan.check(/\]/) || fail_here)
      end
    end

    def inline_table
      hash = {}
      spaces
      return hash if @scan.skip(/\}/)
      loop do
        pair(hash)
        spaces
        return hash if @scan.skip(/\}/)
        expect(/,/)
      end
    end

    def basic
      text = @scan.scan(/(?:[^"\\\n]|\\.)*(?=")/) || fail_here
      expect(/"/)
      unescape(text)
    end

    def multiline_basic
      text = @scan.scan(/(?:[^"\\]|\\.|"(?!""))*(?=""")/m) || fail_here
      expect(/"""/)
      text << '"' while @scan.skip(/"/)
      unescape(text.gsub(/\\[ \t]*\r?\n\s*/, ""))
    end

    def multiline_literal
      text = @scan.scan(/(?:[^']|'(?!''))*(?=''')/m) || fail_here
      expect(/'''/)
      text
    end

    def unescape(text)
      text.gsub(/\\(?:u(\h{4})|U(\h{8})|(.))/m) do
        next [($1 || $2).hex].pack("U") if $1 || $2
        ESCAPES.fetch($3) { raise ParseError, "Escape sequence #{$&} is reserved" }
      end
    end
  end

  # A Hash as TOML: plain values first, then tables in order of their keys.
  class Dumper
    attr_reader :toml_str

    def initialize(hash)
      @toml_str = +""
      table([], hash)
    end

    private

    def table(path, hash)
      plain, nested = hash.sort_by { |key, _| key.to_s }.partition { |_, value| !table?(value) }
      @toml_str << "[#{path.map { |key| name(key) }.join(".")}]\n" if path.any? && (plain.any? || nested.empty?)
      plain.each { |key, value| @toml_str << "#{name(key)} = #{inline(value)}\n" unless value.nil? }
      nested.each { |key, value| nested(path + [key], value) }
    end

    def nested(path, value)
      return table(path, value) if value.is_a?(Hash)
      value.each do |item|
        @toml_str << "[[#{path.map { |key| name(key) }.join(".")}]]\n"
        plain, inner = item.sort_by { |key, _| key.to_s }.partition { |_, held| !table?(held) }
        plain.each { |key, held| @toml_str << "#{name(key)} = #{inline(held)}\n" }
        inner.each { |key, held| nested(path + [key], held) }
      end
    end

    def table?(value) = value.is_a?(Hash) || (value.is_a?(Array) && value.any? && value.all?(Hash))
    def name(key) = key.to_s.match?(/\A[A-Za-z0-9_-]+\z/) ? key.to_s : quote(key.to_s)

    def inline(value)
      case value
      when String, Symbol then quote(value.to_s)
      when Array then "[#{value.map { |item| inline(item) }.join(", ")}]"
      when Hash then "{#{value.map { |key, item| "#{name(key)} = #{inline(item)}" }.join(", ")}}"
      when Time then value.getutc.strftime("%Y-%m-%dT%H:%M:%SZ")
      else value.to_s
      end
    end

    def quote(text)
      signs = { "\\" => "\\\\", '"' => '\"', "\n" => '\n', "\t" => '\t', "\r" => '\r', "\b" => '\b', "\f" => '\f' }
      "\"#{text.gsub(/[\\"\n\t\r\x08\f]/, signs)}\""
    end
  end
end
