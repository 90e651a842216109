# Templates in the manner of Erubis 2.7: tags alone on a line leave no trace; values are not escaped unless written `<%==`.
module Erubis
  VERSION = "2.7.0"

  class Error < StandardError
  end

  # Variables of a template that runs with its own `self`.
  class Context
    include Enumerable

    def initialize(hash = nil) = hash&.each { |name, value| self[name] = value }
    def [](key) = instance_variable_get("@#{key}")
    def []=(key, value)
      instance_variable_set("@#{key}", value)
    end

    def keys = instance_variables.map { |name| name.to_s.delete_prefix("@") }

    def each
      instance_variables.each { |name| yield name.to_s.delete_prefix("@"), instance_variable_get(name) }
    end

    def to_hash = keys.to_h { |key| [key, self[key]] }
    def update(other) = (other.is_a?(Context) ? other.to_hash : other).each { |name, value| self[name] = value }
  end

  module XmlHelper
    TABLE = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;", "'" => "&#039;" }.freeze

    def escape_xml(value) = value.to_s.gsub(/[&<>"]/, TABLE)
    alias escape_html escape_xml
    alias html_escape escape_xml
    alias h escape_xml
    module_function :escape_xml, :escape_html, :html_escape, :h
  end

  class Eruby
    attr_accessor :filename, :src, :trim, :escape, :pattern, :bufvar

    def self.load_file(path, properties = {})
      new(File.read(path), properties.merge(filename: path))
    end

    def initialize(input = nil, properties = {})
      @trim = properties[:trim] != false
      @escape = properties.fetch(:escape, escapes?)
      @pattern = properties[:pattern] || "<% %>"
      @bufvar = properties[:bufvar] || "_buf"
      @preamble = properties[:preamble]
      @postamble = properties[:postamble]
      @filename = properties[:filename]
      @src = convert(input) if input
    end

    def convert!(input) = @src = convert(input)

    def convert(input)
      src = String.new(@preamble || "#{@bufvar} = '';", encoding: input.encoding)
      opening, closing = @pattern.split.map { |part| Regexp.escape(part) }
      at = 0
      input.scan(/#{opening}(=+|-|\#|%)?(.*?)([-=])?#{closing}([ \t]*\r?\n)?/m) do |sign, code, tail, space|
        match = $~
        text = input[at...match.begin(0)]
        at = match.end(0)
        lead = whole_line_lead(text, at_line_start?(input, match.begin(0), text))
        case sign
        when /\A=/
          add_text(src, text)
          space = nil if tail == "-" && space
          add_value(src, code, sign == "=" ? @escape : !@escape)
          add_text(src, space) if space
        when "%"
          add_text(src, "#{text}#{@pattern.split.first}#{code}#{tail}#{@pattern.split.last}#{space}")
        else
          if @trim && lead && space
            add_text(src, text[0...text.size - lead.size])
            src << (sign == "#" ? "\n" * (code.count("\n") + 1) : "#{lead}#{code}#{space}")
          else
            add_text(src, text)
            src << (sign == "#" ? "\n" * code.count("\n") : "#{code};")
            add_text(src, space) if space
          end
        end
      end
      add_text(src, input[at..])
      src << (@postamble || "\n#{@bufvar}.to_s\n")
      src
    end

    def result(scope = TOPLEVEL_BINDING)
      return eval(@src, scope, @filename || "(erubis)", 1) unless scope.is_a?(Hash)
      binding_with = Object.new.instance_eval { binding }
      scope.each { |name, value| binding_with.local_variable_set(name, value) }
      eval(@src, binding_with, @filename || "(erubis)", 1)
    end

    def evaluate(context = nil)
      context = Context.new(context) if context.nil? || context.is_a?(Hash)
      context.instance_eval(@src, @filename || "(erubis)", 1)
    end
    alias process evaluate

    def def_method(object, signature, filename = nil)
      code = "def #{signature}\n#{@src}\nend"
      object.is_a?(Module) ? object.module_eval(code, filename || "(erubis)") : object.singleton_class.class_eval(code, filename || "(erubis)")
    end

    private

    def escapes? = false

    # The blanks before a tag that begins its line.
    def whole_line_lead(text, starts)
      lead = text[/[ \t]*\z/]
      before = text.size == lead.size ? starts : text[-lead.size - 1] == "\n"
      before ? lead : nil
    end

    def at_line_start?(input, at, text) = at == text.size || input[at - text.size - 1] == "\n"
    def add_text(src, text) = text.empty? ? src : src << " #{@bufvar} << '#{text.gsub(/['\\]/) { |char| "\\#{char}" }}';"
    def add_value(src, code, escaped) = src << " #{@bufvar} << #{escaped ? "Erubis::XmlHelper.escape_xml(#{code})" : "( #{code} ).to_s"};"
  end

  class FastEruby < Eruby
  end

  class EscapedEruby < Eruby
    private

    def escapes? = true
  end
  EscapedFastEruby = EscapedEruby
end
