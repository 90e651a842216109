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

    # Takes a template apart into texts, tags and `:cr`, a line break that is not the template's. There is a kind for each trim mode.
    class Scanner
      DEFAULT_STAGS = %w(<%% <%= <%# <%).freeze
      DEFAULT_ETAGS = %w(%%> %>).freeze
      @kinds = {}

      class << self
        attr_writer :default_scanner

        def register_scanner(kind, trim_mode, percent)
          @kinds[[trim_mode, percent]] = kind
        end
        alias regist_scanner register_scanner

        def make_scanner(src, trim_mode, percent) = @kinds.fetch([trim_mode, percent], @default_scanner).new(src, trim_mode, percent)
      end

      # The tag that is open.
      attr_accessor :stag
      attr_reader :stags, :etags

      def initialize(src, _trim_mode, _percent)
        @src = src
        @stag = nil
        @stags = DEFAULT_STAGS
        @etags = DEFAULT_ETAGS
      end

      def scan = nil
    end

    # Goes by lines.
    class TrimScanner < Scanner
      ERB_STAG = %w(<%= <%# <%).freeze

      def initialize(src, trim_mode, percent)
        super
        @trim_mode = trim_mode
        @percent = percent
        tags = (stags + etags).join("|")
        @scan_reg =
          case trim_mode
          when ">", "<>" then /(.*?)(%>\r?\n|#{tags}|\n|\z)/m
          when "-" then /(.*?)(^[ \t]*<%-|<%-|-%>\r?\n|-%>|#{tags}|\z)/m
          else /(.*?)(#{tags}|\n|\z)/m
          end
        @scan_line = method({ ">" => :trim_line1, "<>" => :trim_line2, "-" => :explicit_trim_line }.fetch(trim_mode, :scan_line))
      end

      def scan(&block)
        @stag = nil
        if @percent
          @src.each_line { |line| percent_line(line, &block) }
        else
          @scan_line.call(@src, &block)
        end
        nil
      end

      # `%%` stands for a `%` that begins text.
      def percent_line(line, &block)
        return @scan_line.call(line, &block) if @stag || !line.start_with?("%")

        line = line[1..]
        line.start_with?("%") ? @scan_line.call(line, &block) : yield(PercentLine.new(line.chomp))
      end

      def scan_line(line, &block) = each_token(line, &block)

      def trim_line1(line)
        each_token(line) do |token|
          next yield(token) unless ends_line?(token)

          yield("%>")
          yield(:cr)
        end
      end

      # The line break goes where a tag began the line, too.
      def trim_line2(line)
        head = nil
        each_token(line) do |token|
          head ||= token
          if ends_line?(token)
            yield("%>")
            yield(is_erb_stag?(head) ? :cr : "\n")
            head = nil
          else
            yield(token)
            head = nil if token == "\n"
          end
        end
      end

      def explicit_trim_line(line)
        each_token(line) do |token|
          if @stag.nil? && token.match?(/[ \t]*<%-/) then yield("<%")
          elsif @stag && token.match?(/\A-%>\r?\n\z/)
            yield("%>")
            yield(:cr)
          elsif @stag && token == "-%>" then yield("%>")
          else yield(token)
          end
        end
      end

      def is_erb_stag?(token) = ERB_STAG.include?(token)

      private

      def ends_line?(token) = token == "%>\n" || token == "%>\r\n"
      def each_token(line)
        line.scan(@scan_reg) { |tokens| tokens.each { |token| yield(token) unless token.empty? } }
      end
    end
    Scanner.default_scanner = TrimScanner

    # Without a trim mode: a text is what lies between tags.
    class SimpleScanner < Scanner
      OPENING = /<%[%=#]?/n
      CLOSING = /%?%>/n

      def scan
        @stag = nil
        at = 0
        while (found = @src.match(@stag ? self.class::CLOSING : self.class::OPENING, at))
          yield(@src[at...found.begin(0)])
          at = found.end(0)
          told(found[0], at == @src.size) { |token| yield(token) }
        end
        yield(@src[at..])
      end

      private

      def told(token, _last) = yield(token)
    end
    Scanner.register_scanner(SimpleScanner, nil, false)

    # `<%-` takes the blanks before it along, `-%>` the line break behind it.
    class ExplicitScanner < SimpleScanner
      OPENING = /(?:^|\G)[ \t]*<%-|<%[%=#-]?/n
      CLOSING = /%%>|-%>(?:\r?\n)?|%>/n

      private

      def told(token, last)
        if @stag.nil?
          yield(token.end_with?("<%-") ? "<%" : token)
        elsif token.start_with?("-")
          yield("%>")
          yield(:cr) if last || token.end_with?("\n")
        else
          yield(token)
        end
      end
    end
    Scanner.register_scanner(ExplicitScanner, "-", false)

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
      scanner = make_scanner(template)
      scanner.scan do |token|
        next if token.nil? || token == ""

        scanner.stag ? inside_tag(token, scanner) : outside_tag(token, scanner)
      end
      flush
      @out.close
      [@out.script.force_encoding(encoding), encoding, frozen]
    end

    def make_scanner(template) = Scanner.make_scanner(template, @trim_mode, @percent)

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

    def outside_tag(token, scanner)
      case token
      when PercentLine
        flush
        @out.push(token.to_s)
        newline
      when :cr then newline
      when "<%", "<%=", "<%#"
        scanner.stag = token
        flush
      when "\n"
        @text << token
        flush
      else
        @text << (token == "<%%" ? "<%" : token)
      end
    end

    def inside_tag(token, scanner)
      if token == "%>"
        code, @text = @text, String.new(encoding: Encoding::BINARY)
        emit(scanner.stag, code)
        scanner.stag = nil
      else
        @text << (token == "%%>" ? "%>" : token)
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

    # A literal of the template's bytes.
    def literal(text) = "#{text.dump}.freeze"

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
