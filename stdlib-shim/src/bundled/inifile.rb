# INI files as Hashes by section, in the manner of the gem inifile 3.
class IniFile
  include Enumerable
  VERSION = "3.0.0"

  class Error < StandardError
  end

  # nil when there is no such file.
  def self.load(filename, opts = {}) = File.file?(filename) ? new(opts.merge(filename: filename)) : nil

  attr_accessor :filename, :encoding

  # `content` is a text or a Hash of sections; without it, the file's.
  def initialize(content = nil, opts = {})
    opts, content = content, nil if content.is_a?(Hash)
    @comment = opts.fetch(:comment, ";#")
    @param = opts.fetch(:parameter, "=")
    @encoding = opts.fetch(:encoding, nil)
    @default = opts.fetch(:default, "global")
    @filename = opts.fetch(:filename, nil)
    @ini = Hash.new { |hash, name| hash[name] = {} }
    content = opts.fetch(:content, nil) if content.nil?
    if content.is_a?(Hash) then merge!(content)
    elsif content then parse(content)
    elsif @filename then read
    end
  end

  def read(opts = {})
    path = opts.fetch(:filename, @filename)
    encoding = opts.fetch(:encoding, @encoding)
    return unless File.file?(path)
    File.open(path, encoding ? "r:#{encoding}" : "r") { |file| parse(file) }
    self
  end
  alias restore read

  def write(opts = {})
    encoding = opts.fetch(:encoding, @encoding)
    File.open(opts.fetch(:filename, @filename), encoding ? "w:#{encoding}" : "w") { |file| file.puts(lines) }
    self
  end
  alias save write

  def to_s = lines.join("\n")
  def to_h = @ini.dup
  def merge(other) = dup.merge!(other)

  def merge!(other)
    return self if other.nil?
    raise Error, "cannot merge contents from '#{other.class.name}'" unless other.is_a?(IniFile) || other.is_a?(Hash)
    names = other.is_a?(IniFile) ? other.sections : other.keys
    names.each do |name|
      section = other[name]
      raise Error, "cannot merge section #{name.inspect} - unsupported type: #{section.class.name}" unless section.nil? || section.is_a?(Hash)
      @ini[name].merge!(section || {})
    end
    self
  end

  def each
    return unless block_given?
    @ini.each { |name, section| section.each { |key, value| yield name, key, value } }
    self
  end

  def each_section
    return unless block_given?
    @ini.each_key { |name| yield name }
    self
  end

  def delete_section(name) = @ini.delete(name.to_s)
  def [](name) = name.nil? ? nil : @ini[name.to_s]
  def []=(name, section)
    @ini[name.to_s] = section
  end

  def match(pattern) = @ini.dup.delete_if { |name, _| name !~ pattern }
  def has_section?(name) = @ini.key?(name.to_s)
  def sections = @ini.keys

  def freeze
    super
    @ini.each_value(&:freeze)
    @ini.freeze
    self
  end

  def eql?(other) = equal?(other) || other.instance_of?(self.class) && @ini == other.to_h
  alias == eql?

  def initialize_copy(other)
    super
    @ini = Hash.new { |hash, name| hash[name] = {} }
    other.to_h.each { |name, section| @ini[name].merge!(section) }
  end

  def escape_value(value)
    value.to_s.gsub(/\\([0nrt])/, '\\\\\\\\\1').gsub(/[\n\r\t\0]/, "\n" => '\n', "\r" => '\r', "\t" => '\t', "\0" => '\0')
  end

  def parse(content)
    Parser.new(@ini, @param, @comment, @default).parse(content)
    self
  end

  # Fills sections from lines. A value goes on in the next line after a backslash, and until its closing quote.
  class Parser
    UNESCAPED = { '\0' => "\0", '\n' => "\n", '\r' => "\r", '\t' => "\t", "\\\\" => "\\" }.freeze
    private_constant :UNESCAPED

    def initialize(sections, param, comment, default)
      @sections, @default = sections, default
      rest = comment.to_s.empty? ? "\\z" : "\\s*(?:[#{comment}].*)?\\z"
      @header = /\A\s*\[([^\]]+)\]#{rest}/
      @nothing = /\A#{rest}/
      @property = /\A(.*?)(?<!\\)#{param}(.*)\z/
      @whole_quote = /\A\s*(".*(?<!\\)")#{rest}/
      @end_of_quote = /\A(.*(?<!\\)")#{rest}/
      @continued = /\A(.*)(?<!\\)\\#{rest}/
      @plain = /\A(.*?)#{rest}/
    end

    def parse(content)
      @sections.clear
      @section = @key = @value = nil
      open = false
      content.each_line do |line|
        @line = line.chomp
        if open then open = take(@line)
        elsif @nothing.match?(@line) then next
        elsif (found = @header.match(@line)) then @section = @sections[found[1]]
        elsif (found = @property.match(@line))
          @key = found[1].strip
          refuse if @key.empty?
          open = take(found[2])
        else refuse
        end
      end
      refuse("Unmatched open quote") if quoted?
      store if @key && @value
      nil
    end

    private

    def quoted? = @value&.start_with?('"')

    # Whether the value goes on in the next line.
    def take(text)
      if quoted?
        return @value << text << "\n" && true unless (found = @end_of_quote.match(text))
        @value << found[1]
      elsif (found = @whole_quote.match(text)) then @value = +found[1]
      elsif text.match?(/\A\s*"/) then return (@value = "#{text.lstrip}\n") && true
      elsif (found = @continued.match(text)) then return (@value = "#{@value}#{found[1]}") && true
      else @value = "#{@value}#{@plain.match(text)[1]}"
      end
      store
      false
    end

    def store
      @value.strip!
      @value = @value[1..-2] if @value.match?(/\A".*(?<!\\)"\z/m)
      (@section ||= @sections[@default])[@key] = typecast(@value)
      @key = @value = nil
    end

    def typecast(text)
      case text
      when /\Atrue\z/i then true
      when /\Afalse\z/i then false
      when /\A\s*\z/ then nil
      else Integer(text, exception: false) || Float(text, exception: false) || text.gsub(/\\[0nrt\\]/, UNESCAPED)
      end
    end

    def refuse(text = "Could not parse line") = raise(Error, "#{text}: #{@line.inspect}")
  end

  private

  def lines = @ini.flat_map { |name, section| ["[#{name}]", *section.map { |key, value| "#{key} #{@param} #{escape_value(value)}" }, ""] }
end
