# INI files, read and written with their comments and order, in the manner of the gem iniparse.
module IniParse
  VERSION = "1.5.0"

  class IniParseError < StandardError
  end

  class ParseError < IniParseError
  end

  class NoSectionError < ParseError
  end

  class LineNotAllowed < IniParseError
  end

  module_function

  def parse(source)
    document = Document.new
    section = nil
    source.each_line do |raw|
      line = raw.chomp
      case line
      when /\A\s*\z/ then (section || document).add_line(Blank.new)
      when /\A(\s*)([;#])(.*)\z/ then (section || document).add_line(Comment.new($1, $2, $3))
      when /\A(\s*)\[([^\]]+)\]\s*(?:([;#])(.*))?\z/
        section = document.section_for($2, $1)
        section.note($3, $4)
      when /\A(\s*)([^=\[\]#;][^=]*?)\s*=\s*(.*)\z/
        indent, key, value = $1, $2, $3
        section ||= document.anonymous_section
        section.add_line(Option.new(key, *value_of(value), indent: indent))
      else
        raise ParseError, "A line of your INI document could not be parsed to a LineType: '#{line}'."
      end
    end
    document
  end

  def gen(&block) = Generator.gen(&block)
  def open(path) = Document.new(path).tap { |document| document.replace(parse(File.read(path))) }

  def value_of(text)
    comment = text.match(/\A(.*?)(\s+)([;#])(.*)\z/)
    text, *rest = comment.captures if comment
    [convert(text.strip), rest]
  end

  def convert(text)
    case text
    when "" then nil
    when /\A-?(?:\d|[1-9]\d+)\z/ then Integer(text, 10)
    when /\A-?(?:\d|[1-9]\d+)(?:\.\d+)?(?:e[+-]?\d+)?\z/i then Float(text)
    when /\A(["'])(.*)\1\z/ then $2
    when /\Atrue\z/i then true
    when /\Afalse\z/i then false
    else text
    end
  end

  class Blank
    def to_ini = ""
  end

  class Comment
    attr_reader :comment

    def initialize(indent, sign, text)
      @indent, @sign, @comment = indent, sign, text
    end

    def to_ini = "#{@indent}#{@sign}#{@comment}"
  end

  class Option
    attr_accessor :key, :value

    def initialize(key, value, comment = nil, indent: "")
      @key = key.to_s
      @value = value
      @comment = comment
      @indent = indent
    end

    def to_ini
      values = @value.is_a?(Array) ? @value : [@value]
      values.map { |value| "#{@indent}#{@key} = #{value}#{@comment&.join}" }.join("\n")
    end
  end

  class Section
    include Enumerable
    attr_accessor :key

    def initialize(key, indent = "")
      @key = key.to_s
      @indent = indent
      @lines = []
    end

    def note(sign, text) = @comment = sign ? " #{sign}#{text}" : nil
    def options = @lines.grep(Option)
    def each(&block) = options.each(&block)
    def [](name) = option(name)&.value
    def option(name) = options.find { |line| line.key == name.to_s }
    def has_option?(name) = !option(name).nil?
    def delete(name) = @lines.reject! { |line| line.is_a?(Option) && line.key == name.to_s } && self

    def []=(name, value)
      found = option(name)
      found ? found.value = value : @lines << Option.new(name, value)
    end

    # A key that comes again holds all its values.
    def add_line(line)
      found = line.is_a?(Option) && option(line.key)
      found ? found.value = [*found.value, line.value] : @lines << line
    end
    alias << add_line

    def merge!(other)
      other.each { |line| self[line.key] = line.value }
      self
    end

    def to_hash = options.to_h { |line| [line.key, line.value] }
    alias to_h to_hash
    def header = @key == "__anonymous__" ? [] : ["#{@indent}[#{@key}]#{@comment}"]
    def to_ini = (header + @lines.map(&:to_ini)).join("\n")
  end

  class Document
    include Enumerable
    attr_reader :path

    def initialize(path = nil)
      @path = path
      @lines = []
    end

    def replace(other) = @lines = other.lines_and_sections
    def lines_and_sections = @lines
    def add_line(line) = @lines << line
    def sections = @lines.grep(Section)
    def each(&block) = sections.each(&block)
    def [](key) = sections.find { |section| section.key == key.to_s }
    def has_section?(key) = !self[key].nil?
    def delete(key) = @lines.reject! { |line| line.is_a?(Section) && line.key == (key.respond_to?(:key) ? key.key : key.to_s) } && self

    def section(key)
      return self[key] if self[key]
      @lines << Blank.new if @lines.any? && !@lines.last.is_a?(Blank)
      (@lines << Section.new(key)).last
    end
    def section_for(key, indent = "") = self[key] || (@lines << Section.new(key, indent)).last
    def anonymous_section = section_for("__anonymous__")
    def lines = self
    def to_hash = sections.to_h { |section| [section.key, section.to_hash] }
    alias to_h to_hash
    def to_ini = @lines.map(&:to_ini).join("\n").then { |text| text.end_with?("\n") ? text : "#{text}\n" }
    alias to_s to_ini

    def save(path = nil)
      @path = path if path
      raise IniParseError, "No path given to Document#save" unless @path.to_s.match?(/\S/)
      File.write(@path, to_ini)
    end
  end

  class Generator
    attr_reader :document

    def self.gen
      made = new
      yield made.document_proxy
      made.document
    end

    def initialize = @document = Document.new
    def document_proxy = self

    def section(name)
      @current = @document.section(name)
      yield self if block_given?
      @current
    end

    def option(key, value)
      raise NoSectionError, "Your INI document contains an option before the first section is declared which is not allowed." unless @current
      @current[key] = value
    end

    def comment(text, **) = (@current || @document).add_line(Comment.new("", ";", " #{text}"))
    def blank = (@current || @document).add_line(Blank.new)

    def method_missing(name, *args, &block)
      return section(name, &block) if block
      args.empty? ? super : option(name, args.first)
    end

    def respond_to_missing?(*) = true
  end
end
