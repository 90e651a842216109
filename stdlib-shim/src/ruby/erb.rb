require "cgi/util"
autoload :StringScanner, "strscan"

# Text with Ruby in it: `<% code %>`, `<%= value %>`, `<%# comment %>`, `<%%`, and with trim modes `%` lines, `<%-`, `-%>`.
class ERB
  VERSION = "2.2.3"

  Revision = "$Date::                           $"

  def self.version = VERSION

  module Util
    def html_escape(value) = CGI.escapeHTML(value.to_s)
    alias h html_escape
    module_function :h, :html_escape

    def url_encode(value)
      value.to_s.b.gsub(/[^a-zA-Z0-9_\-.~]/n) { |char| format("%%%02X", char.unpack1("C")) }
    end
    alias u url_encode
    module_function :u, :url_encode
  end

  # Makes Ruby source of a template.
  class Compiler
    attr_accessor :put_cmd, :insert_cmd, :pre_cmd, :post_cmd
    attr_reader :percent, :trim_mode

    # A line of code by itself.
    class PercentLine
      attr_reader :value
      alias to_s value

      def initialize(text)
        @value = text
      end
    end

    # The source that is being made: statements of a line, and the lines.
    class Buffer
      attr_reader :script

      def initialize(compiler, enc = nil, frozen = nil)
        @compiler = compiler
        @line = []
        @script = +""
        @script << "#coding:#{enc}\n" if enc
        @script << "#frozen-string-literal:#{frozen}\n" unless frozen.nil?
        compiler.pre_cmd.each { |command| push(command) }
      end

      def push(command)
        @line << command
      end

      def cr
        @script << @line.join("; ") << "\n"
        @line = []
      end

      def close
        return unless @line
        @compiler.post_cmd.each { |command| push(command) }
        @script << @line.join("; ")
        @line = nil
      end
    end

    def initialize(trim_mode)
      @percent, @trim_mode = prepare_trim_mode(trim_mode)
      @put_cmd = @insert_cmd = "print"
      @pre_cmd = []
      @post_cmd = []
    end

    # The source and the encoding of the template, and what it says of its literals.
    def compile(template)
      encoding = template.encoding
      template = template.b
      encoding, frozen = magic_comment(template, encoding)
      @out = Buffer.new(self, encoding, frozen)
      @text = String.new(encoding: Encoding::BINARY)
      scan(template)
      flush
      @out.close
      [@out.script.force_encoding(encoding), encoding, frozen]
    end

    # What puts a text, and the value of an expression; subclasses have their own.
    def add_put_cmd(out, content)
      out.push("#{@put_cmd} #{literal(content)}#{"\n" * content.count("\n")}")
    end
    def add_insert_cmd(out, content)
      out.push("#{@insert_cmd}((#{content}).to_s)")
    end

    # Whether lines that begin with `%` are code, and which line ends go.
    def prepare_trim_mode(mode)
      case mode
      when 1 then [false, ">"]
      when 2 then [false, "<>"]
      when 0, nil then [false, nil]
      when String
        warn_mode(mode) unless mode.match?(/\A(?:%|-|>|<>){1,2}\z/)
        [mode.include?("%"), mode.include?("-") ? "-" : mode[/<?>/]]
      else
        warn_mode(mode)
        [false, nil]
      end
    end

    private

    def warn_mode(mode)
      warn("Invalid ERB trim mode: #{mode.inspect} (trim_mode: nil, 0, 1, 2, or String composed of '%' and/or '-', '>', '<>')", uplevel: 6)
    end

    # What comments at the beginning say.
    def magic_comment(template, encoding)
      frozen = nil
      rest = template
      while (comment = rest[/\A\s*<%#(.*?)%>/m, 1])
        rest = $'
        if comment =~ /coding\s*[=:]\s*([\w.-]+)/
          encoding = Encoding.find($1.sub(/-(?:mac|dos|unix)\z/i, ""))
        elsif comment =~ /frozen[-_]string[-_]literal\s*:\s*(true|false)/
          frozen = $1
        end
      end
      [encoding, frozen]
    end

    def scan(template)
      at = 0
      fresh = true
      while at < template.size
        if @percent && fresh && template.getbyte(at) == 37
          # `%%` stands for a `%` that begins text
          if template.getbyte(at + 1) == 37
            @text << "%"
            at += 2
            fresh = false
          else
            at = percent_line(template, at)
          end
          next
        end
        match = template.match(token_pattern, at)
        unless match
          @text << template[at..]
          return
        end
        start = match.begin(0)
        @text << template[at...start]
        at = match.end(0)
        fresh = false
        case token = match[0]
        when "<%%" then @text << "<%"
        when "%%>" then @text << "%%>"
        when "\n"
          # what ends like a tag loses its line break as one
          @text << token unless @trim_mode == ">" && @text.end_with?("%>") && !@text.end_with?("%%>")
          flush unless @trim_mode == "-" && @text != "\n"
          fresh = true
        else
          if token == "<%-"
            if @trim_mode == "-"
              @text.sub!(/(?<=\n|\A)[ \t]*\z/n, "") if indented?(template, start)
              token = "<%"
            else
              token = "<%"
              at -= 1
            end
          end
          at, ended = tag(template, at, token)
          fresh = ended
        end
      end
    end

    # Where lines count, text is put line by line.
    def token_pattern
      if @percent then /<%%|%%>|<%(?:=|#|-(?![-%]))?|\n/n
      elsif @trim_mode == ">" || @trim_mode == "<>" then /<%%|%%>|<%(?:=|#|-)?|\n/n
      else /<%%|%%>|<%(?:=|#|-)?/n
      end
    end

    def indented?(template, start)
      line = template.rindex("\n", start - 1) if start > 0
      template[(line ? line + 1 : 0)...start].match?(/\A[ \t]*\z/n)
    end

    def percent_line(template, at)
      finish = template.index("\n", at) || template.size - 1
      line = template[at..finish]
      flush
      @out.push(line[1..].chomp)
      newline if line.end_with?("\n")
      finish + 1
    end

    # The code up to the end of a tag; gives where the text goes on and whether a line begins there.
    def tag(template, at, token)
      code = String.new(encoding: Encoding::BINARY)
      closed = nil
      from = at
      loop do
        match = template.match(/%%>|-%>|%>/n, from)
        # a tag that does not end is text
        unless match
          @text << code << template[from..]
          return [template.size, false]
        end
        code << template[from...match.begin(0)]
        from = match.end(0)
        if match[0] == "%%>"
          code << "%>"
        elsif match[0] == "-%>" && @trim_mode != "-"
          code << "-"
          closed = "%>"
        else
          closed = match[0]
        end
        next unless closed
        at = from
        break
      end
      flush
      emit(token, code)
      line_break = template.byteslice(at, 2)[/\A\r?\n/n]
      if line_break && trims?(closed, template, at)
        newline
        return [at + line_break.size, true]
      end
      [at, false]
    end

    def trims?(closed, template, at)
      case @trim_mode
      when ">" then true
      when "<>"
        line = template.rindex("\n", at - 1)
        template[(line ? line + 1 : 0)...at].match?(/\A<%(?!%)/n)
      when "-" then closed == "-%>"
      end
    end

    def emit(token, code)
      case token
      when "<%="
        add_insert_cmd(@out, code)
      when "<%#"
        code.count("\n").times { newline }
      else
        if code.end_with?("\n")
          @out.push(code.chomp)
          newline
        else
          @out.push(code)
        end
      end
    end

    def flush
      return if @text.empty?
      add_put_cmd(@out, @text)
      @text = String.new(encoding: Encoding::BINARY)
    end

    # A literal of bytes in the template's encoding; its line breaks are escapes.
    def literal(text)
      text = text.gsub(/["\\#]/n) { |char| "\\#{char}" }.gsub("\n", '\n').gsub("\r", '\r').gsub("\0", '\0')
      "\"#{text}\".freeze"
    end

    def newline = @out.cr
  end

  attr_reader :src, :encoding
  attr_accessor :filename, :lineno

  NOT_GIVEN = Object.new
  private_constant :NOT_GIVEN

  def initialize(str, safe_level = NOT_GIVEN, legacy_trim_mode = NOT_GIVEN, legacy_eoutvar = NOT_GIVEN, trim_mode: nil, eoutvar: "_erbout")
    unless safe_level.equal?(NOT_GIVEN)
      warn("Passing safe_level with the 2nd argument of ERB.new is deprecated. Do not use it, and specify other arguments as keyword arguments.", uplevel: 1)
    end
    unless legacy_trim_mode.equal?(NOT_GIVEN)
      warn("Passing trim_mode with the 3rd argument of ERB.new is deprecated. Use keyword argument like ERB.new(str, trim_mode: ...) instead.", uplevel: 1)
      trim_mode = legacy_trim_mode
    end
    unless legacy_eoutvar.equal?(NOT_GIVEN)
      warn("Passing eoutvar with the 4th argument of ERB.new is deprecated. Use keyword argument like ERB.new(str, eoutvar: ...) instead.", uplevel: 1)
      eoutvar = legacy_eoutvar
    end
    compiler = make_compiler(trim_mode)
    set_eoutvar(compiler, eoutvar)
    @src, @encoding, @frozen_string = compiler.compile(str)
    @filename = nil
    @lineno = 0
    # a template that was not made here has not been initialized
    @_init = self.class.singleton_class
  end

  def make_compiler(trim_mode) = Compiler.new(trim_mode)

  def location=((filename, lineno))
    @filename = filename
    @lineno = lineno if lineno
  end

  def set_eoutvar(compiler, eoutvar = "_erbout")
    compiler.put_cmd = "#{eoutvar}.<<"
    compiler.insert_cmd = "#{eoutvar}.<<"
    compiler.pre_cmd = ["#{eoutvar} = +''"]
    compiler.post_cmd = [eoutvar]
  end

  def run(scope = new_toplevel) = print(result(scope))
  def result(scope = new_toplevel)
    raise ArgumentError, "not initialized" unless @_init.equal?(self.class.singleton_class)
    raise ArgumentError, "#{@encoding} is not ASCII compatible" unless @encoding.ascii_compatible?
    eval(@src, scope, @filename || "(erb)", @lineno)
  end

  def result_with_hash(hash)
    scope = new_toplevel(hash.keys)
    hash.each_pair { |name, value| scope.local_variable_set(name, value) }
    result(scope)
  end

  def def_method(mod, signature, filename = "(ERB)")
    src = self.src.sub(/^(?!#|$)/) { "def #{signature}\n" } << "\nend\n"
    mod.module_eval(src, filename, -1)
  end

  def def_module(signature = "erb")
    mod = Module.new
    def_method(mod, signature, @filename || "(ERB)")
    mod
  end

  def def_class(superclass = Object, signature = "result")
    made = Class.new(superclass)
    def_method(made, signature, @filename || "(ERB)")
    made
  end

  module DefMethod
    def def_erb_method(signature, template)
      if template.is_a?(String)
        path = template
        template = ERB.new(File.read(path))
        template.filename = path
      end
      template.def_method(self, signature, template.filename || "(ERB)")
    end
    module_function :def_erb_method
    public :def_erb_method
  end

  private

  def new_toplevel(names = nil)
    # variables of these names that the program has are not the template's
    known = names.to_a.select { |name| TOPLEVEL_BINDING.local_variable_defined?(name) }
    known.empty? ? TOPLEVEL_BINDING.dup : TOPLEVEL_BINDING.eval("proc { |;#{known.join(",")}| binding }.call")
  end
end
