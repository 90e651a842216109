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

  def parse(source) = Parser.new(source).parse
  def gen(options = {}, &block) = Generator.gen(options, &block)
  def open(path) = parse(File.read(path)).tap { |document| document.path = path }

  module Lines
    # What all lines have: an indent, and a comment at their end with its sign and place.
    module Line
      DEFAULTS = { comment: nil, comment_sep: ";", comment_prefix: " ", comment_offset: 0, indent: "" }.freeze
      private_constant :DEFAULTS

      def initialize(options = {})
        DEFAULTS.each { |name, value| instance_variable_set("@#{name}", options.fetch(name, value)) }
      end

      def options = DEFAULTS.to_h { |name, _| [name, instance_variable_get("@#{name}")] }
      def has_comment? = !@comment.nil?
      def comment = "#{@comment_sep}#{@comment_prefix}#{@comment}"
      def blank? = false

      def to_ini
        [*line_contents].map do |text|
          text = "#{text} " if has_comment? && text.match?(/\S/)
          has_comment? ? "#{@indent}#{text.ljust(@comment_offset)}#{comment}" : "#{@indent}#{text}"
        end.join("\n")
      end

      def line_contents = ""
    end

    class Blank
      include Line
      def blank? = true
    end

    class Comment < Blank
      def has_comment? = true
      def comment = @comment.to_s.match?(/\S/) ? super : @comment_sep
    end

    class Option
      include Line
      attr_accessor :key, :value

      def initialize(key, value, options = {})
        super(options)
        @key, @value = key.to_s, value
      end

      # What a value's text means.
      def self.typecast(text)
        case text
        when /\A\s*\z/ then nil
        when /\A-?(?:\d|[1-9]\d+)\z/ then Integer(text)
        when /\A-?(?:\d|[1-9]\d+)(?:\.\d+)?(?:e[+-]?\d+)?\z/i then Float(text)
        when /\Atrue\z/i then true
        when /\Afalse\z/i then false
        else text
        end
      end

      private

      def line_contents = value.is_a?(Array) ? value.map { |each| "#{key} = #{each}" } : "#{key} = #{value}"
    end

    class Section
      include Line
      include Enumerable
      attr_accessor :key
      attr_reader :lines

      def initialize(key, options = {})
        super(options)
        @key = key.to_s
        @lines = OptionCollection.new
      end

      def each(...) = @lines.each(...)
      def option(key) = @lines[key.to_s]
      def has_option?(key) = @lines.has_key?(key.to_s)

      # An Array for a key that comes more than once.
      def [](key)
        found = option(key)
        found.is_a?(Array) ? found.map(&:value) : found&.value
      end

      def []=(key, value)
        known = [*option(key)].first
        @lines[key.to_s] = Option.new(key, value, known ? known.options : {})
      end

      def delete(*keys)
        @lines.delete(*keys)
        self
      end

      def merge!(other)
        other.lines.each(true) { |line| @lines << line }
      end

      def to_ini = [super, *@lines.to_a.flatten.map(&:to_ini)].join("\n")

      private

      def line_contents = "[#{key}]"
    end

    # The options before the first section.
    class AnonymousSection < Section
      def initialize = super("__anonymous__")
      def to_ini = super.delete_prefix("\n")

      private

      def line_contents = ""
    end
  end

  # Lines in their order; those with a key are found by it.
  module LineCollection
    include Enumerable

    def initialize
      @lines = []
    end

    def [](key) = @lines[place(key) || @lines.size]
    def has_key?(key) = !place(key).nil?
    def to_a = @lines.dup
    def keys = map(&:key).uniq
    def to_hash = keys.to_h { |key| [key, self[key]] }
    alias to_h to_hash

    def []=(key, line)
      @lines[place(key.to_s) || @lines.size] = line
    end

    def each(include_blank = false)
      @lines.flatten.each { |line| yield line if include_blank || !line.blank? }
    end

    def delete(key)
      at = place(key.respond_to?(:key) ? key.key : key)
      @lines.delete_at(at) if at
    end

    def <<(line)
      if line.blank? || !has_key?(line.key) then @lines << line
      else again(line)
      end
      self
    end
    alias push <<

    private

    def place(key) = @lines.index { |line| line = line.first if line.is_a?(Array); !line.blank? && line.key == key }
  end

  class SectionCollection
    include LineCollection

    def <<(line)
      return super unless line.is_a?(Lines::Option)
      section = Lines::AnonymousSection.new
      section.lines << line
      super(section)
    end

    private

    def again(section) = self[section.key].merge!(section)
  end

  class OptionCollection
    include LineCollection

    def <<(line)
      raise LineNotAllowed, "You can't add a Section to an OptionCollection." if line.is_a?(Lines::Section)
      super
    end

    private

    def again(option) = self[option.key] = [*self[option.key], option]
  end

  class Document
    include Enumerable
    attr_reader :lines
    attr_accessor :path

    def initialize(path = nil)
      @path = path
      @lines = SectionCollection.new
    end

    def each(...) = @lines.each(...)
    def [](key) = @lines[key.to_s]
    def section(key) = self[key] || (@lines[key.to_s] = Lines::Section.new(key))
    def has_section?(key) = @lines.has_key?(key.to_s)

    def delete(*keys)
      @lines.delete(*keys)
      self
    end

    def to_ini
      text = @lines.to_a.map(&:to_ini).join("\n")
      text.end_with?("\n") ? text : "#{text}\n"
    end
    alias to_s to_ini

    def to_hash = to_h_of(@lines) { |section| to_h_of(section.lines, &:value) }
    alias to_h to_hash
    def inspect = "#<IniParse::Document {#{@lines.grep(Lines::Section).map(&:key).join(", ")}}>"

    def save(path = nil)
      @path = path if path
      raise IniParseError, "No path given to Document#save" unless @path.to_s.match?(/\S/)
      File.write(@path, to_ini)
    end

    private

    def to_h_of(lines)
      lines.keys.to_h do |key|
        found = lines[key]
        values = (found.is_a?(Array) ? found : [found]).map { |line| yield line }
        [key, values.size > 1 ? values : values.first]
      end
    end
  end

  # Makes a document by calls: `section`, `option`, `comment`, `blank`; `name { ... }` is a section, `name = value` an option.
  class Generator
    attr_reader :context, :document

    def self.gen(options = {}, &block) = new(options).gen(&block)

    def initialize(options = {})
      @context = @document = Document.new
      @in_section = false
      @options = [options]
    end

    def gen
      yield self
      @document
    end

    def section(name, options = {})
      raise LineNotAllowed, "You can't nest sections in INI files." if @in_section
      @context = @document[name]
      @document.lines << @context = Lines::Section.new(name, line_options(options)) unless @context
      return unless block_given?
      begin
        @in_section = true
        with_options(options) { yield self }
        @context = @document
        blank
      ensure
        @in_section = false
      end
    end

    def option(key, value, options = {})
      @context.lines << Lines::Option.new(key, value, line_options(options))
    end

    def comment(text, options = {}) = @context.lines << Lines::Comment.new(line_options(options.merge(comment: text)))
    def blank = @context.lines << Lines::Blank.new

    def with_options(options = {})
      @options.push(@options.last.merge(options.reject { |name, _| name == :comment }))
      yield self
      @options.pop
    end

    def method_missing(name, *args, &block)
      name.end_with?("=") ? option(name.to_s.chomp("="), *args) : section(name.to_s, *args, &block)
    end
    def respond_to_missing?(*) = true

    private

    def line_options(given) = @options.last.merge(given)
  end

  class Parser
    def initialize(source)
      @source = source.dup
    end

    def parse
      Generator.gen { |generator| @source.split("\n", -1).each { |line| generator.public_send(*Parser.parse_line(line)) } }
    end

    # The call of a Generator that a line stands for.
    def self.parse_line(line)
      text, options = line.rstrip, {}
      if (found = /\A()([;#])(\s*)(.*)\z/.match(line) || /\A(.*?)\s+([;#])(\s*)(.*)\z/.match(line))
        text = found[1]
        options = { comment: found[4].rstrip, comment_prefix: found[3], comment_sep: found[2], comment_offset: found.begin(2) }
      end
      indent = text[/\A\s+/]
      options[:indent] = indent if indent
      case text.lstrip
      when /\A\[([^\]]+)\]\z/ then [:section, $1, options]
      when /\A([^=]+)=(.*)\z/ then [:option, $1.strip, Lines::Option.typecast($2.strip), options]
      when "" then options.key?(:comment) ? [:comment, options[:comment], options] : [:blank]
      else raise ParseError, "A line of your INI document could not be parsed to a LineType: '#{line}'."
      end
    end
  end
end
