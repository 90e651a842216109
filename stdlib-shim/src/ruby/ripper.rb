# Ripper: Ruby source as tokens (`lex`, `tokenize`), as nested lists (`sexp`), and as the events of a subclass.
require "ripper/native"

class Ripper
  Version = "0.1.0"

  # What may follow a token, by bits, and sets of them.
  EXPR_NONE = 0
  LEX_STATES = %w[BEG END ENDARG ENDFN ARG CMDARG MID FNAME DOT CLASS LABEL LABELED FITEM].freeze
  LEX_STATES.each_with_index { |name, bit| const_set("EXPR_#{name}", 1 << bit) }
  private_constant :LEX_STATES
  EXPR_VALUE = EXPR_BEG
  EXPR_BEG_ANY = EXPR_BEG | EXPR_MID | EXPR_CLASS
  EXPR_ARG_ANY = EXPR_ARG | EXPR_CMDARG
  EXPR_END_ANY = EXPR_END | EXPR_ENDARG | EXPR_ENDFN

  def self.lex_state_name(state)
    names = LEX_STATES.each_with_index.filter_map { |name, bit| name if state.anybits?(1 << bit) }
    names.empty? ? "NONE" : names.join("|")
  end

  class Lexer
    # What may follow a token.
    class State
      attr_reader :to_int, :to_s
      alias to_i to_int
      alias inspect to_s

      def initialize(bits)
        @to_int = bits
        @to_s = Ripper.lex_state_name(bits)
        freeze
      end

      def [](index)
        case index
        when 0, :to_int then @to_int
        when 1, :to_s then @to_s
        end
      end

      def pretty_print(printer) = printer.text(to_s)
      def ==(other) = super || to_int == other
      def &(other) = self.class.new(to_int & other.to_int)
      def |(other) = self.class.new(to_int | other.to_int)
      def allbits?(bits) = to_int.allbits?(bits)
      def anybits?(bits) = to_int.anybits?(bits)
      def nobits?(bits) = to_int.nobits?(bits)
    end

    # A token.
    class Elem
      attr_accessor :pos, :event, :tok, :state, :message

      def initialize(pos, event, tok, state, message = nil)
        @pos = pos
        @event = event
        @tok = tok
        @state = state.is_a?(State) ? state : State.new(state)
        @message = message
      end

      def [](index)
        case index
        when 0, :pos then @pos
        when 1, :event then @event
        when 2, :tok then @tok
        when 3, :state then @state
        when 4, :message then @message
        end
      end

      def inspect = "#<#{self.class}: #{event}@#{pos.join(":")}:#{state}: #{tok.inspect}#{": #{message}" if message}>"
      alias to_s inspect
      def pretty_print(printer)
        printer.group(2, "#<#{self.class}:", ">") do
          printer.breakable
          printer.text("#{event}@#{pos.join(":")}")
          printer.breakable
          state.pretty_print(printer)
          printer.breakable
          printer.text("token: ")
          tok.pretty_print(printer)
          next unless message
          printer.breakable
          printer.text("message: ")
          message.pretty_print(printer)
        end
      end
      def to_a = message ? [pos, event, tok, state, message] : [pos, event, tok, state]
    end

    def self.lex(source, filename = "-", lineno = 1, **) = new(source, filename, lineno).lex
    def self.tokenize(source, filename = "-", lineno = 1, **) = new(source, filename, lineno).tokenize

    attr_reader :errors

    def initialize(source, filename = "-", lineno = 1)
      @source = source
      @filename = filename
      @first = lineno
      @errors = []
    end

    def tokenize(**) = lex.map { |token| token[2] }
    def lex(**) = Ripper.lex(@source, @filename, @first)
    def parse(**) = lex.map { |token| Elem.new(*token) }
    alias scan parse
  end

  # Texts of `<<~` line by line, with what is taken from the beginning of lines as tokens of its own.
  class Dedent
    attr_reader :tokens

    def initialize(scanned)
      @tokens = []
      waiting = []
      body = nil
      scanned.each do |token|
        if body
          body << token
          next unless token[1] == :on_heredoc_end

          told(body, waiting.shift)
          body = nil
        else
          @tokens << token
          waiting << token[2].start_with?("<<~") if token[1] == :on_heredoc_beg
        end
        body = [] if waiting.any? && token[2].end_with?("\n")
      end
      @tokens.concat(body) if body
    end

    private

    def told(body, squiggly)
      return @tokens.concat(body) unless squiggly

      depth = 0
      pieces = body.flat_map do |token|
        depth += 1 if token[1] == :on_embexpr_beg
        depth -= 1 if token[1] == :on_embexpr_end
        depth.zero? && token[1] == :on_tstring_content ? by_line(token) : [[token, depth == 1 && token[1] == :on_embexpr_beg]]
      end
      width = pieces.filter_map { |token, own| indentation(token) if own && token[0][1].zero? }.min || 0
      return @tokens.concat(body) if width.zero?

      pieces.each { |token, own| own && token[1] == :on_tstring_content && token[0][1].zero? ? cut(token, width) : @tokens << token }
    end

    def by_line(token)
      place, event, text, state = token
      text.each_line.with_index.map { |line, number| [[number.zero? ? place : [place[0] + number, 0], event, line, state], true] }
    end

    # Columns of blanks; nil for a line of nothing else.
    def indentation(token)
      return 0 if token[1] == :on_embexpr_beg
      return if token[2].match?(/\A[ \t]*\r?\n\z/)

      token[2][/\A[ \t]*/].each_char.inject(0) { |column, char| char == "\t" ? (column / 8 + 1) * 8 : column + 1 }
    end

    def cut(token, width)
      place, event, text, state = token
      rest = text.dup
      count = Ripper.dedent_string(rest, width)
      @tokens << [place, :on_ignored_sp, text[0, count], state] if count > 0
      @tokens << [[place[0], count], event, rest, state] unless rest.empty?
    end
  end
  private_constant :Dedent

  # The tokens of a source, one after the other, each with where it begins: [[line, column], kind, text, state].
  class Scan
    KEYWORDS = %w(alias and begin BEGIN break case class def defined? do else elsif end END ensure false for if in module next nil not or redo rescue retry return self super then true undef unless
      until when while yield __FILE__ __LINE__ __ENCODING__).to_h { |word| [word, true] }.freeze
    # After these a value is complete.
    ENDING = %w(end self true false nil redo retry __FILE__ __LINE__ __ENCODING__).freeze
    OPERATOR = /\G(?:\*\*=|\*\*|<=>|===|=~|!~|==|!=|<<=|>>=|<<|>>|&&=|\|\|=|&&|\|\||&\.|::|\.\.\.|\.\.|->|=>|<=|>=|[-+*\/%&|^]=|[-+*\/%&|^!~<>=?:])/
    CLOSING = { "(" => ")", "[" => "]", "{" => "}", "<" => ">" }.freeze
    IDENT = /\G[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/
    STATES = { beg: EXPR_BEG, end: EXPR_END, arg: EXPR_ARG, fname: EXPR_FNAME, dot: EXPR_DOT }.transform_values { |bits| Lexer::State.new(bits) }.freeze

    # Where characters have several bytes, a place far into a text is found by walking there: no more than this is kept before the token.
    BEHIND = 1024

    attr_reader :tokens

    # Bytes that are no characters stand in the text as characters from here on, so that patterns can be looked for.
    BYTES = 0x10FE00

    def initialize(source, line = 1)
      @broken = !source.valid_encoding? && source.encoding == Encoding::UTF_8
      source = source.scrub { |bytes| bytes.each_byte.map { |byte| BYTES + byte }.pack("U*") } if @broken
      @source = source
      @length = source.length
      @walked = !source.ascii_only?
      @at = 0
      @line = line
      @column = 0
      @tokens = []
      @state = :beg
      @heredocs = []
      @locals = []
      @parens = 0
      @defining = false
      @receiver = false
      @after_jump = false
      @parameters = nil
    end

    def run
      code(nil)
      self
    end

    private

    def emit(kind, text)
      return if text.empty?
      @after_jump = false unless kind == :on_sp || kind == :on_comment
      @at += text.length
      text = given(text) if @broken
      @tokens << [[@line, @column], kind, text, STATES[@state]]
      forget if @walked && @at > BEHIND
      counted = @broken ? text.b : text
      lines = counted.count("\n")
      if lines.zero?
        @column += text.bytesize
      else
        @line += lines
        @column = counted.rpartition("\n").last.bytesize
      end
    end

    # The text of a token with the bytes that are no characters.
    def given(text)
      return text unless text.match?(/[\u{10FE00}-\u{10FEFF}]/)
      text.b.gsub(/\xF4\x8F[\xB8-\xBB][\x80-\xBF]/n) { |char| (char.force_encoding("UTF-8").ord - BYTES).chr }.force_encoding(text.encoding)
    end

    def forget
      @source = @source[@at..]
      @length -= @at
      @at = 0
    end

    def look(pattern) = (found = @source.match(pattern, @at)) && found.begin(0) == @at ? found[0] : nil
    def next_char = @source[@at]
    def last_kind = @tokens.last&.at(1)
    def before = @tokens.reverse_each.find { |token| !%i(on_sp on_comment on_ignored_nl).include?(token[1]) }

    # Code up to the brace that ends an embedded expression, or to the end of the source.
    def code(ending)
      depth = 0
      lambdas = []
      until @at >= @length
        char = next_char
        if char == "}" && ending
          return emit(:on_embexpr_end, "}") if depth.zero?
        end
        if @column.zero? && (text = look(/\G__END__(?:\n|\r\n|\z)/))
          emit(:on___end__, text)
          return
        end
        if @column.zero? && look(/\G=begin(?:\s|\z)/)
          embedded_document
        elsif (text = look(/\G(?:[ \t\r\f\v]+|\\\n)/))
          text = text.chomp("\r") if @source[@at + text.length] == "\n" && text.length > 1
          emit(:on_sp, text)
        elsif char == "\n"
          newline
        elsif char == "#"
          comment
        elsif char == "{"
          lambda_body = lambdas.last == [depth, @parens]
          lambdas.pop if lambda_body
          @state = :beg
          depth += 1
          emit(lambda_body ? :on_tlambeg : :on_lbrace, "{")
        elsif char == "}"
          depth -= 1
          @state = :end
          emit(:on_rbrace, "}")
        elsif (text = look(/\G->/))
          lambdas << [depth, @parens]
          @state = :end
          emit(:on_tlambda, text)
        else
          lambdas.pop if look(/\Gdo\b/) && lambdas.last == [depth, @parens]
          token(char)
        end
      end
      bodies if @heredocs.any?
    end

    def embedded_document
      emit(:on_embdoc_beg, look(/\G=begin.*\n?/))
      emit(:on_embdoc, look(/\G.*\n?/)) until @at >= @length || look(/\G=end(?:\s|\z)/)
      emit(:on_embdoc_end, look(/\G=end.*\n?/)) if @at < @length
    end

    def comment
      text = look(/\G#[^\n]*/)
      if @heredocs.empty? && @source[@at + text.length] == "\n"
        ended = ends_statement?
        emit(:on_comment, text + "\n")
        @state = :beg if ended
        # a comment after code swallows the end of the line, which is told all the same where it ends a statement
        return
      end
      emit(:on_comment, text)
    end

    def ends_statement? = @state == :end || @state == :arg || @after_jump

    def newline
      ended = ends_statement? && !continued?
      @state = :beg if ended
      emit(ended ? :on_nl : :on_ignored_nl, "\n")
      bodies if @heredocs.any?
    end

    # The next line goes on with a call.
    def continued? = @source.match?(/\G\n(?:\s*(?:#[^\n]*)?\n)*\s*(?:&\.|\.(?!\.))/, @at)

    def token(char)
      case char
      when '"', "`"
        if char == "`" && %i(fname dot).include?(@state)
          @state = :arg
          return emit(:on_backtick, "`")
        end
        emit(char == "`" ? :on_backtick : :on_tstring_beg, char)
        string(char, nil, true, label: char == '"')
      when "'"
        emit(:on_tstring_beg, char)
        string("'", nil, false, label: true)
      when ":" then colon
      when "@" then variable(/\G@@?[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/)
      when "$" then global
      when "0".."9" then number
      when "(", "["
        @parens += 1
        @parameters = @parens if char == "(" && @defining
        @defining = false
        if char == "[" && %i(fname dot).include?(@state) && (text = look(/\G\[\]=?/))
          @parens -= 1
          @defining = @state == :fname && @source[@at + text.length] == "("
          @state = :arg
          return emit(:on_op, text)
        end
        @state = :beg
        emit(char == "(" ? :on_lparen : :on_lbracket, char)
      when ")", "]"
        # the parameters of a definition are followed by its body
        @state = @parameters == @parens ? :beg : :end
        @parameters = nil if @parameters == @parens
        @parens -= 1
        emit(char == ")" ? :on_rparen : :on_rbracket, char)
      when ","
        @state = :beg
        emit(:on_comma, char)
      when ";"
        @state = :beg
        emit(:on_semicolon, char)
      else
        word_or_operator(char)
      end
    end

    def word_or_operator(char)
      return word if look(IDENT)
      return if value_begins? && literal(char)
      return heredoc if look(/\G<<[~-]?(?:["'`]|[a-zA-Z_\u0080-\u{10ffff}])/) && heredoc_here?
      if char == "." && !look(/\G\.\./)
        @state = @receiver ? :fname : :dot
        @receiver = false
        return emit(:on_period, ".")
      end
      if %i(fname dot).include?(@state) && (text = look(/\G(?:\*\*|<=>|===?|=~|!~|!=|<<|>>|<=|>=|[-+!~]@|[-+*\/%&|^!~<>])/))
        @defining = @state == :fname && @source[@at + text.length] == "("
        @state = :arg
        return emit(:on_op, text)
      end
      text = look(OPERATOR) or return emit(:on_CHAR, char)
      if value_begins? && %w(+ -).include?(text) && look(/\G[-+]\d/)
        @state = :beg
        emit(:on_op, text)
        return number
      end
      dotted = text == "&." || (text == "::" && !value_begins?)
      @state = dotted ? :dot : :beg
      emit(:on_op, text)
    end

    # A value begins here: at the start of an expression, or after a word that takes arguments, with a blank before and none behind.
    def value_begins?
      return true if @state == :beg
      @state == :arg && last_kind == :on_sp && !@source.match?(/\G.[\s=]/, @at)
    end

    def heredoc_here? = @state == :beg || (@state == :arg && last_kind == :on_sp)

    def literal(char)
      case char
      when "/"
        emit(:on_regexp_beg, "/")
        string("/", nil, true, regexp: true)
      when "%"
        opening = look(/\G%[QqWwIirsx]?[^\w\s]/) or return false
        percent(opening)
      when "?"
        text = look(/\G\?(?:\\(?:u\{[^}]*\}|u\h{4}|x\h{1,2}|[CM]-.|[0-7]{1,3}|.)|[^\s\\])(?![\w])/m) or return false
        @state = :end
        emit(:on_CHAR, text)
      else return false
      end
      true
    end

    def percent(opening)
      open = opening[-1]
      close = CLOSING[open] || open
      nest = CLOSING.key?(open) ? open : nil
      kind = opening[1]
      case kind
      when "w", "i", "W", "I"
        beg = { "w" => :on_qwords_beg, "i" => :on_qsymbols_beg, "W" => :on_words_beg, "I" => :on_symbols_beg }[kind]
        emit(beg, opening)
        string(close, nest, %w(W I).include?(kind), words: true)
      when "r"
        emit(:on_regexp_beg, opening)
        string(close, nest, true, regexp: true)
      when "s"
        emit(:on_symbeg, opening)
        string(close, nest, false)
      when "x"
        emit(:on_backtick, opening)
        string(close, nest, true)
      else
        emit(:on_tstring_beg, opening)
        string(close, nest, kind != "q")
      end
    end

    # The rest of a literal after what opens it.
    def string(close, nest, interpolated, label: false, regexp: false, words: false)
      depth = 0
      text = +""
      flush = lambda do
        emit(:on_tstring_content, text)
        text = +""
      end
      until (at = @at + text.length) >= @length
        char = @source[at]
        if char == "\\"
          text << @source[at, 2]
        elsif char == close && depth.zero?
          flush.call
          return closing(close, label, regexp)
        elsif words && char.match?(/\s/)
          flush.call
          emit(:on_words_sep, look(/\G\s+/))
        elsif interpolated && char == "#" && @source[at + 1] == "{"
          flush.call
          emit(:on_embexpr_beg, "\#{")
          outer, @state = @state, :beg
          code(true)
          @state = outer
        elsif interpolated && char == "#" && @source.match?(/\G#(?:@@?[a-zA-Z_]|\$[a-zA-Z_~&`'+!@\/\\;,.<>0-9*$?:"])/, at)
          flush.call
          emit(:on_embvar, "#")
          next_char == "@" ? variable(/\G@@?\w+/) : global
        else
          depth += 1 if char == nest
          depth -= 1 if char == close
          text << char
          bodies_inside(text, flush) if char == "\n" && @heredocs.any?
        end
      end
      flush.call
    end

    def bodies_inside(_text, flush)
      flush.call
      bodies
    end

    def closing(close, label, regexp)
      if regexp
        @state = :end
        return emit(:on_regexp_end, look(/\G#{Regexp.escape(close)}[a-z]*/))
      end
      if label && look(/\G["']:(?!:)/) && %i(beg arg).include?(@state)
        @state = :beg
        return emit(:on_label_end, "#{close}:")
      end
      @state = :end
      emit(:on_tstring_end, close)
    end

    def heredoc
      opening = look(/\G<<[~-]?(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*)/) or return emit(:on_op, "<<")
      name = opening.sub(/\A<<[~-]?/, "")
      @state = :end
      emit(:on_heredoc_beg, opening)
      @heredocs << [name.delete(%q("'`)), opening[2] == "~", %w(~ -).include?(opening[2]), !name.start_with?("'")]
    end

    # The texts of the here-documents that began on the line.
    def bodies
      pending, @heredocs = @heredocs, []
      pending.each do |name, squiggly, indented, interpolated|
        text = +""
        until @at >= @length
          at = @at + text.length
          line = @source.match(/\G[^\n]*\n?/, at)[0]
          break if line.empty?
          if text.empty? || text.end_with?("\n")
            if (indented ? line.strip : line.chomp) == name
              emit(:on_tstring_content, text)
              text = +""
              emit(:on_heredoc_end, line)
              break
            end
          end
          found = interpolated && line.match(/(?<!\\)(?:\\\\)*\K#(?:\{|@@?[a-zA-Z_]|\$[a-zA-Z_])/)
          unless found
            text << line
            next
          end
          text << line[0, found.begin(0)]
          emit(:on_tstring_content, text)
          text = +""
          if found[0] == "\#{"
            emit(:on_embexpr_beg, "\#{")
            outer, @state = @state, :beg
            code(true)
            @state = outer
          else
            emit(:on_embvar, "#")
            next_char == "@" ? variable(/\G@@?\w+/) : global
          end
        end
        emit(:on_tstring_content, text)
      end
    end

    def colon
      if look(/\G::/)
        begins = @state == :beg || (@state == :arg && last_kind == :on_sp)
        @state = begins ? :beg : :dot
        return emit(:on_op, "::")
      end
      if (text = look(/\G:["']/))
        emit(:on_symbeg, text)
        return string(text[1], nil, text[1] == '"')
      end
      name = @source.match(/\G:((?:@@?|\$)?[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*[?!=]?(?![>~])|\$.|\[\]=?|\*\*|<=>|===?|=~|!~|!=|<<|>>|<=|>=|[-+!~]@|[-+*\/%&|^!~<>`])/, @at)
      if name
        word = name[1]
        word = word.chomp("=") if word.match?(/\w=\z/) && (@source[@at + 1 + word.length] == ">" || @source[@at + 1 + word.length] == "~")
        emit(:on_symbeg, ":")
        @state = :end
        kind = case word
               when /\A@@/ then :on_cvar
               when /\A@/ then :on_ivar
               when /\A\$/ then :on_gvar
               when /\A[A-Z]/ then KEYWORDS[word] ? :on_kw : :on_const
               when "`" then :on_backtick
               when /\A[a-z_\u0080-\u{10ffff}]/ then KEYWORDS[word] ? :on_kw : :on_ident
               else :on_op
               end
        return emit(kind, word)
      end
      @state = :beg
      emit(:on_op, ":")
    end

    def variable(pattern)
      text = look(pattern) or return emit(:on_CHAR, next_char)
      @state = :end
      emit(text.start_with?("@@") ? :on_cvar : :on_ivar, text)
    end

    def global
      text = look(/\G\$(?:-\w|[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*|[1-9]\d*|.)/) || "$"
      @state = :end
      emit(text.match?(/\A\$[1-9&`'+]/) ? :on_backref : :on_gvar, text)
    end

    def number
      text = look(/\G(?:0[xX][\h_]+|0[bB][01_]+|0[oO][0-7_]+|0[dD][\d_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d[\d_]*)?)/)
      float = text.match?(/\A\d[\d_]*(?:\.|[eE])/)
      suffix = @source.match(/\G(?:ri?|i)(?!\w)/, @at + text.length).to_s
      @state = :end
      emit(suffix.end_with?("i") ? :on_imaginary : suffix == "r" ? :on_rational : float ? :on_float : :on_int, text + suffix)
    end

    def word
      text = look(/\G[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*(?:[?!](?![=])|[?!](?===|=~|=>))?/) || look(IDENT)
      after = @at + text.length
      if @state != :dot && @source[after] == ":" && @source[after + 1] != ":" && (@state != :fname) && label_here?
        @state = :beg
        return emit(:on_label, "#{text}:")
      end
      text += "=" if @state == :fname && @source.match?(/\G=(?:\(|\s+(?!\()\w*\)?$)/, after)
      kind = text.match?(/\A[A-Z]/) ? (text.match?(/[?!]\z/) ? :on_ident : :on_const) : :on_ident
      if KEYWORDS[text] && @state != :dot
        was_name = @state == :fname
        # `def self.x`
        @receiver = was_name && @source[after] == "."
        @state = was_name && !@receiver ? :end : keyword_state(text)
        @defining = was_name && @source[after] == "("
        emit(:on_kw, text)
        # what may have a value behind it, but need not
        @after_jump = %w(return break next rescue).include?(text)
        return
      end
      assigned = @source.match?(/\G\s*(?:(?:[-+*\/%&|^]|&&|\|\||<<|>>|\*\*)?=(?![=~>])|,[^\n]*[^=!<>]=[^=~>])/, after)
      if @state == :fname
        @state = :end
        @receiver = @source[after] == "."
        @defining = @source[after + (text.end_with?("=") ? 1 : 0)] == "("
      else
        @locals << text if assigned && @state == :beg
        @state = @locals.include?(text) && @state != :dot ? :end : :arg
      end
      emit(kind, text)
    end

    # A word and a colon are a label, unless the colon belongs to `a ? b :c`.
    def label_here?
      return true if %i(beg arg).include?(@state)
      %i(on_comma on_lparen on_lbrace on_op on_sp on_tlambeg on_ignored_nl on_nl on_comment).include?(last_kind) || @tokens.empty?
    end

    def keyword_state(text)
      case text
      when *ENDING then :end
      when "def", "alias", "undef" then :fname
      when "super", "yield", "defined?", "not" then :arg
      else :beg
      end
    end
  end
  private_constant :Scan

  # Goes through the tokens of a source: `parse` hands each to the method of its kind, or to `on_default`, with what the one before answered.
  class Filter
    attr_reader :filename, :lineno, :column, :state

    def initialize(source, filename = "-", lineno = 1)
      @source = source
      @filename = filename
      @first = lineno
    end

    def parse(init = nil)
      Ripper.lex(@source, @filename, @first).inject(init) do |data, ((line, column), kind, text, state)|
        @lineno = line
        @column = column
        @state = state
        respond_to?(kind, true) ? __send__(kind, text, data) : on_default(kind, text, data)
      end
    end

    private

    def on_default(_kind, _text, data) = data
  end

  # The events of the grammar, by the number of their arguments.
  PARSER_EVENT_TABLE = {
    0 => %i(args_forward args_new excessed_comma mlhs_new mrhs_new qsymbols_new qwords_new redo regexp_new retry return0 stmts_new string_content symbols_new void_stmt word_new words_new xstring_new yield0 zsuper),
    1 => %i(BEGIN END arg_ambiguous arg_paren array assoc_splat assoclist_from_args bare_assoc_hash begin blockarg break const_ref defined dyna_symbol else ensure fcall hash kwrest_param mlhs_paren mrhs_new_from_args next nokw_param paren parse_error program rest_param return string_dvar string_embexpr string_literal super symbol symbol_literal top_const_field top_const_ref undef var_field var_ref vcall xstring_literal yield),
    2 => %i(alias alias_error aref aref_field args_add args_add_block args_add_star assign assign_error assoc_new block_var brace_block case class_name_error command const_path_field const_path_ref do_block dot2 dot3 heredoc_dedent if_mod lambda magic_comment massign method_add_arg method_add_block mlhs_add mlhs_add_post mlhs_add_star module mrhs_add mrhs_add_star operator_ambiguous param_error qsymbols_add qwords_add regexp_add regexp_literal rescue_mod sclass stmts_add string_add string_concat symbols_add unary unless_mod until until_mod var_alias while while_mod word_add words_add xstring_add),
    3 => %i(binary call class def elsif field for hshptn if ifop in opassign unless when),
    4 => %i(aryptn bodystmt command_call fndptn rescue),
    5 => %i(defs),
    7 => %i(params),
  }.flat_map { |count, names| names.map { |name| [name, count] } }.sort.to_h
  SCANNER_EVENT_TABLE = %i(CHAR __end__ backref backtick comma comment const cvar embdoc embdoc_beg embdoc_end embexpr_beg embexpr_end embvar float gvar heredoc_beg heredoc_end ident ignored_nl imaginary int ivar kw label label_end lbrace lbracket lparen nl op period qsymbols_beg qwords_beg rational rbrace rbracket regexp_beg regexp_end rparen semicolon sp symbeg symbols_beg tlambda tlambeg tstring_beg tstring_content tstring_end words_beg words_sep ignored_sp).to_h { |name| [name, 1] }
  PARSER_EVENTS = PARSER_EVENT_TABLE.keys
  SCANNER_EVENTS = SCANNER_EVENT_TABLE.keys
  EVENTS = PARSER_EVENTS + SCANNER_EVENTS

  # What a parser knows; a subclass has instance variables of its own.
  Parsing = Struct.new(:source, :filename, :first, :place, :failed)
  private_constant :Parsing

  def initialize(source, filename = "(ripper)", lineno = 1)
    @ripper = Parsing.new(Ripper.__send__(:source_text, source), filename || "(ripper)", lineno || 1, [nil, nil], false)
  end

  # Calls the methods of the tokens and of the grammar; gives what the last one answers. A source with an error has none but those of errors:
  # `on_parse_error` is told what the grammar does not have, `compile_error` what it has but Ruby refuses.
  def parse
    source, filename, first = @ripper.to_a
    what, line = Native.error(source, filename, first)
    unless what
      tree = Native.tree(source) or raise NotImplementedError, "Ripper has no events for a construct of this source"
      found = Events.new(source, Scan.new(source, first).run.tokens, first) { |name, place, args| event(name, place, args) }.run(tree)
      @ripper.place = [nil, nil]
      return found
    end
    @ripper.failed = true
    @ripper.place = [line, nil]
    what.start_with?("syntax error") ? on_parse_error(what) : compile_error(what)
    nil
  end

  def error? = @ripper.failed
  def filename = @ripper.filename
  # Where the last token began, while `parse` runs.
  def lineno = @ripper.place[0]
  def column = @ripper.place[1]
  def encoding = @ripper.source.encoding

  private

  def event(name, place, args)
    @ripper.place = place if place
    __send__(name, *args)
  end

  # Takes up to `width` columns of blanks from the beginning; gives how many characters that are.
  def dedent_string(text, width) = Ripper.dedent_string(text, width)

  EVENTS.each { |name| define_method(:"on_#{name}") { |first = nil, *| first } }
  def compile_error(_message) = nil
  def warn(*) = nil
  def warning(*) = nil

  public

  class << self
    def parse(source, filename = "(ripper)", lineno = 1) = new(source, filename, lineno).parse

    # Tokens: [[line, column], kind, text, state].
    def lex(source, _filename = "-", line = 1, **) = Dedent.new(Scan.new(source_text(source), line).run.tokens).tokens

    # The texts of all tokens: together they are the source.
    def tokenize(source, _filename = "-", line = 1, **) = lex(source, "-", line).map { |token| token[2] }

    # Nested lists: a node is the name of its event and its parts. nil for what does not parse.
    def sexp(source, filename = "-", line = 1, raise_errors: false) = built(SexpBuilderPP.new(source, filename, line), raise_errors)

    # The same, with the lists as the grammar builds them.
    def sexp_raw(source, filename = "-", line = 1, raise_errors: false) = built(SexpBuilder.new(source, filename, line), raise_errors)

    def dedent_string(text, width)
      column = 0
      count = text.each_char.take_while do |char|
        break_at = char == "\t" ? (column / 8 + 1) * 8 : column + 1
        next false unless [" ", "\t"].include?(char) && break_at <= width

        column = break_at
      end.size
      text.slice!(0, count)
      count
    end

    private

    def built(builder, raise_errors)
      found = builder.parse
      return found unless builder.error?
      raise SyntaxError, builder.error if raise_errors
    end

    def lines(source)
      text = source.gets.to_s.dup
      while (line = source.gets)
        text << line
      end
      text
    end

    def source_text(source)
      text = source.is_a?(String) || !source.respond_to?(:gets) ? String.new(source) : lines(source)
      # bytes without an encoding are read as text
      text.encoding == Encoding::BINARY ? text.dup.force_encoding(Encoding::UTF_8) : text
    end
  end
end
require "ripper/events"
