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

  # Lexer's methods are at the end: they are those of a subclass.
  class Lexer < Ripper
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

  # The states by their bits.
  STATES = Hash.new { |states, bits| states[bits] = Lexer::State.new(bits) }
  private_constant :STATES

  # Goes through the tokens of a source: `parse` hands each to the method of its kind, or to `on_default`, with what the one before answered.
  class Filter
    def initialize(source, filename = "-", lineno = 1)
      # filters tell their lexer what it shall do with errors
      @__lexer = Lexer.new(source, filename, lineno)
    end

    def filename = @__lexer.filename
    def lineno = @__line
    def column = @__col
    def state = @__state

    def parse(init = nil)
      @__lexer.lex.inject(init) do |data, ((line, column), kind, text, state)|
        @__line = line
        @__col = column
        @__state = state
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
  Parsing = Struct.new(:source, :filename, :first, :place, :state, :failed, :ended)
  private_constant :Parsing

  def initialize(source, filename = "(ripper)", lineno = 1)
    @ripper = Parsing.new(Ripper.__send__(:source_text, source), filename || "(ripper)", lineno || 1, [nil, nil], nil, false, false)
  end

  # Calls the methods of the tokens and of the grammar; gives what the last one answers. A source with an error has none but those of errors:
  # `on_parse_error` is told what the grammar does not have, `compile_error` what it has but Ruby refuses.
  def parse
    source, filename, first = @ripper.to_a
    what, line, _caret, column = Native.error(source, filename, first)
    unless what
      tree = Native.tree(source) or raise NotImplementedError, "Ripper has no events for a construct of this source"
      tokens, ends = Native.tokens(source, first)
      found = Events.new(source, tokens, ends, first) { |name, place, args, state| event(name, place, args, state) }.run(tree)
      @ripper.place = [nil, nil]
      @ripper.state = nil
      @ripper.ended = tokens.last&.at(1) == :on___end__
      return found
    end
    @ripper.failed = true
    tell_error(what, line, column)
    nil
  end

  def error? = @ripper.failed
  def end_seen? = @ripper.ended
  # The bits of the state after the last token, while `parse` runs.
  def state = @ripper.state
  def filename = @ripper.filename
  # Where the last token began, while `parse` runs.
  def lineno = @ripper.place[0]
  def column = @ripper.place[1]
  def encoding = @ripper.source.encoding

  private

  # An error that is no token's is at the end of its line.
  def tell_error(what, line, column)
    @ripper.place = [line, column || @ripper.source.lines[line - @ripper.first].to_s.bytesize]
    what.start_with?("syntax error") ? on_parse_error(what) : compile_error(what)
  end

  def event(name, place, args, state)
    if place
      @ripper.place = place
      @ripper.state = state
    end
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
    def lex(source, filename = "-", line = 1, **options) = Lexer.new(source, filename, line).lex(**options)

    # The texts of all tokens: together they are the source.
    def tokenize(source, filename = "-", line = 1, **options) = Lexer.new(source, filename, line).tokenize(**options)

    # The text of the tokens, or of those in a group, that match a pattern of their names ([`TokenPattern`]).
    def slice(source, pattern, group = 0) = token_match(source, pattern)&.string(group)

    def token_match(source, pattern) = TokenPattern.compile(pattern).match(source)

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

class Ripper
  # The tokens of a source, and the errors in it.
  class Lexer < Ripper
    def self.lex(source, filename = "-", line = 1, **options) = new(source, filename, line).lex(**options)
    def self.tokenize(source, filename = "-", line = 1, **options) = new(source, filename, line).tokenize(**options)

    def initialize(source, filename = "-", line = 1)
      super
      @found = nil
    end

    # Those of the source, once it has been read. Only who asks for them pays for parsing it.
    def errors = @found ? (@errors ||= _all_errors) : []
    def error? = errors.any?

    def tokenize(**options) = _tokens(**options).map { |token| token[2] }
    def lex(**options) = _tokens(**options).map { |place, kind, text, state| [place, kind, text, STATES[state]] }
    def parse(**options) = _tokens(**options).map { |place, kind, text, state| Elem.new(place, kind, text, STATES[state]) }
    # The tokens with the error, which comes before the token at its place.
    def scan(**options)
      found = parse(**options)
      errors.each { |error| found.insert(found.index { |token| token.pos == error.pos } || -1, error) }
      found
    end

    private

    # These names leave those that a subclass is likely to have.
    def _tokens(raise_errors: false)
      @found, = Native.tokens(@ripper.source, @ripper.first)
      _tell_listeners
      raise SyntaxError, errors[0].message if raise_errors && error?
      Dedent.new(_listens? ? _heard : @found).tokens
    end

    # Whether a class of lexers has methods of its own for tokens or for the grammar.
    def _listens? = !instance_of?(Lexer) && EVENTS.any? { |name| ![Ripper, Lexer].include?(method(:"on_#{name}").owner) }

    # The tokens that these methods hand on. They are called as those of any parser; without a tree, as with an error, those of the tokens are.
    def _heard
      @buf = []
      begin
        raise NotImplementedError if error?
        Ripper.instance_method(:parse).bind_call(self)
      rescue NotImplementedError
        @buf.clear
        @found.each { |place, kind, text, state| event(kind, place, [text], state) }
      end
      @buf.sort_by(&:pos).map { |token| [token.pos, token.event, token.tok, token.state.to_i] }
    end

    SCANNER_EVENTS.each do |name|
      kind = :"on_#{name}"
      define_method(kind) do |text|
        token = Elem.new([lineno, column], kind, text, STATES[state])
        @buf << token
        token
      end
    end

    # Lexers with methods of their own for errors are told of them; the others are not made to parse.
    def _tell_listeners
      return if %i[on_parse_error compile_error].all? { |name| method(name).owner.equal?(Ripper) }
      what, line, _caret, column = Native.error(@ripper.source, @ripper.filename, @ripper.first)
      tell_error(what, line, column) if what
    end

    def _all_errors
      what, line, column = Native.error(@ripper.source, @ripper.filename, @ripper.first)
      return [] unless what
      place = [line, column || Float::INFINITY]
      token = @found.find { |each| each[0] == place }
      # behind the last token, which is also where an error without a column is, MRI's lexer is at that one
      last = @found.reverse_each.find { |each| !%i[on_sp on_nl on_ignored_nl on_comment].include?(each[1]) }
      token ||= last if last && (last[0] <=> place).negative?
      token ||= [[line, column || 0], nil, "", EXPR_NONE]
      [Elem.new(token[0], what.start_with?("syntax error") ? :on_parse_error : :compile_error, token[2], STATES[token[3]], what)]
    end
  end

  # A pattern of the names of tokens, as a Regexp has of characters: `ident sp? op`. `$(` begins a group.
  class TokenPattern
    class Error < ::StandardError; end
    class CompileError < Error; end
    class MatchError < Error; end

    # Each name is a character of a text that the Regexp is for.
    MAP = SCANNER_EVENTS.each_with_index.to_h { |name, index| [name.to_s, (0xE000 + index).chr(Encoding::UTF_8)] }.freeze

    class << self
      alias compile new
    end

    def initialize(pattern)
      @source = pattern
      @re = compile(pattern)
    end

    def match(source) = match_list(Ripper.lex(source))

    def match_list(tokens)
      found = @re.match(map_tokens(tokens)) and MatchData.new(tokens, found)
    end

    private

    def map_tokens(tokens) = tokens.map { |token| map_token(token[1].to_s.delete_prefix("on_")) }.join
    def map_token(name) = MAP.fetch(name) { raise CompileError, "unknown token: #{name}" }

    def compile(pattern)
      invalid = pattern[/[^\w\s$()\[\]{}?*+.]/] and raise CompileError, "invalid char in pattern: #{invalid.inspect}"
      parts = pattern.scan(/\w+|\$\(|[()\[\]{}?*+.]/).map do |part|
        case part
        when /\w/ then map_token(part)
        when "$(" then "("
        when "(" then "(?:"
        else part
        end
      end
      Regexp.new(parts.join)
    rescue RegexpError => error
      raise CompileError, error.message
    end

    # The tokens that a pattern matches.
    class MatchData
      def initialize(tokens, found)
        @tokens = tokens
        @found = found
      end

      def string(group = 0)
        @found.begin(group) and @tokens[@found.begin(group)...@found.end(group)].map { |token| token[2] }.join
      end
    end
  end
end

require "ripper/events"
