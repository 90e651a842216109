# INI files as Hashes of Strings by section, in the manner of the gem inifile 3.
class IniFile
  include Enumerable
  VERSION = "3.0.0"

  class Error < StandardError
  end

  def self.load(filename, opts = {}) = File.file?(filename) ? new(opts.merge(filename: filename)) : nil

  attr_accessor :filename, :encoding

  def initialize(opts = {})
    @comment = opts.fetch(:comment, ";#")
    @separator = opts.fetch(:parameter, "=")
    @default = opts.fetch(:default, "global")
    @escape = opts.fetch(:escape, true)
    @force_array = opts.fetch(:force_array, false)
    @encoding = opts[:encoding]
    @filename = opts[:filename]
    @ini = Hash.new { |hash, name| hash[name] = {} }
    return parse(opts[:content]) if opts[:content]
    read if @filename
  end

  def read(opts = {})
    path = opts.fetch(:filename, @filename)
    parse(File.read(path)) if path && File.file?(path)
    self
  end
  alias restore read

  def write(opts = {})
    File.write(opts.fetch(:filename, @filename), to_s)
    self
  end
  alias save write

  def to_s
    lines = []
    @ini.each do |name, section|
      next if section.empty? && name == @default
      lines << "[#{name}]"
      section.each { |key, value| (value.is_a?(Array) ? value : [value]).each { |item| lines << "#{key} #{@separator} #{@escape ? escape(item.to_s) : item}" } }
      lines << ""
    end
    lines.empty? ? "" : lines.join("\n") + "\n"
  end

  def to_h = @ini.dup.tap { |hash| hash.default_proc = nil }

  def merge(other) = dup.merge!(other)

  def merge!(other)
    hash = other.is_a?(IniFile) ? other.to_h : other
    hash.each do |name, section|
      raise Error, "unable to merge sections that are not hashes: #{section.inspect}" unless section.is_a?(Hash)
      @ini[name.to_s].merge!(section)
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
  def ==(other) = other.is_a?(IniFile) && to_h == other.to_h
  alias eql? ==
  def hash = @ini.hash

  def initialize_copy(other)
    super
    @ini = Hash.new { |hash, name| hash[name] = {} }
    other.to_h.each { |name, section| @ini[name] = section.dup }
  end

  private

  def parse(content)
    section = nil
    key = nil
    continued = nil
    content.to_s.each_line do |raw|
      line = raw.chomp
      if continued
        continued << "\n" << line.sub(/\\\z/, "")
        next if line.end_with?("\\")
        store(section, key, continued)
        continued = nil
        next
      end
      case line
      when /\A\s*(?:[#{Regexp.escape(@comment)}].*)?\z/ then next
      when /\A\s*\[([^\]]+)\]/ then section = @ini[$1]
      when /\A\s*(.+?)\s*#{Regexp.escape(@separator)}\s*(.*)\z/
        key = $1
        text = $2
        section ||= @ini[@default]
        if text.end_with?("\\")
          continued = text.chomp("\\")
        else
          store(section, key, text)
        end
      else
        raise Error, "Could not parse line: #{line.inspect}"
      end
    end
    store(section, key, continued) if continued
    self
  end

  def store(section, key, text)
    value = text.start_with?('"') && (quoted = text.match(/\A"((?:[^"\\]|\\.)*)"/)) ? quoted[1] : text.sub(/(?<!\\)\s*[#{Regexp.escape(@comment)}].*\z/, "").strip
    value = typecast(@escape ? unescape(value) : value)
    section[key] = @force_array && section.key?(key) ? [*section[key], value] : value
  end

  def typecast(value)
    case value
    when /\Atrue\z/i then true
    when /\Afalse\z/i then false
    when /\A\s*\z/ then nil
    else Integer(value, exception: false) || Float(value, exception: false) || value
    end
  end

  def escape(text) = text.gsub(/[\\\n\r\t\0]/, "\\" => "\\\\", "\n" => '\n', "\r" => '\r', "\t" => '\t', "\0" => '\0')
  def unescape(text) = text.gsub(/\\([0nrt\\])/) { { "0" => "\0", "n" => "\n", "r" => "\r", "t" => "\t", "\\" => "\\" }[$1] }
end
