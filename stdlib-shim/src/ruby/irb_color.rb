# Colours of Ruby code and of texts for a terminal, as IRB and power_assert show them.
require "ripper"

module IRB
  module Color
    CLEAR = 0
    BOLD = 1
    UNDERLINE = 4
    REVERSE = 7
    RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN = *31..36

    # Kinds of tokens (Ripper's events without `on_`) by how they are shown.
    KINDS = {
      [RED] => %w(embexpr_beg embexpr_end embvar heredoc_beg heredoc_end tstring_content),
      [RED, BOLD] => %w(backtick label_end qsymbols_beg qwords_beg regexp_beg regexp_end symbols_beg tstring_beg tstring_end words_beg),
      [GREEN] => %w(kw __end__),
      [GREEN, BOLD] => %w(gvar),
      [YELLOW] => %w(symbeg),
      [BLUE, BOLD] => %w(CHAR comment ident imaginary int rational),
      [BLUE, BOLD, UNDERLINE] => %w(const),
      [MAGENTA] => %w(label),
      [MAGENTA, BOLD] => %w(float)
    }.flat_map { |sequence, names| names.map { |name| [:"on_#{name}", sequence] } }.to_h.freeze
    ERRORS = %i(on_parse_error compile_error on_assign_error on_alias_error on_class_name_error on_param_error).freeze
    # Words that stand for a value.
    VALUES = { on_kw: %w(nil self true false __FILE__ __LINE__ __ENCODING__), on_const: %w(ENV) }.freeze
    # Tokens that end the Symbol that has begun.
    NAMES = %i(on_ident on_op on_const on_ivar on_cvar on_gvar on_kw).freeze
    UNFINISHED = /meets end of file|unexpected end-of-input/
    private_constant :KINDS, :ERRORS, :VALUES, :NAMES, :UNFINISHED

    class << self
      def colorable? = $stdout.tty? && ENV.key?("TERM") && ENV["TERM"] != "dumb"

      # Whether the code that `inspect` gives for the object can be taken apart for colours.
      def inspect_colorable?(obj, seen: {}.compare_by_identity)
        case obj
        when String, Symbol, Regexp, Integer, Float, false, true, nil then true
        when Hash then once(obj, seen) { obj.all? { |pair| pair.all? { |part| inspect_colorable?(part, seen: seen) } } }
        when Array then once(obj, seen) { obj.all? { |item| inspect_colorable?(item, seen: seen) } }
        when Range then [obj.begin, obj.end].all? { |limit| inspect_colorable?(limit, seen: seen) }
        when Module then !obj.name.nil?
        else false
        end
      end

      def clear(colorable: colorable?) = colorable ? "\e[#{CLEAR}m" : ""

      # The text in a colour and a style, given by the names of the constants.
      def colorize(text, seq, colorable: colorable?)
        return text unless colorable
        codes = seq.map { |name| "\e[#{const_get(name)}m" }
        "#{codes.join}#{text}#{clear(colorable: true)}"
      end

      # The code with colours. Errors are marked, but not that the code is unfinished if it need not be `complete`; with `ignore_error`, code with
      # errors has no colours.
      def colorize_code(code, complete: true, ignore_error: false, colorable: colorable?)
        return code unless colorable
        out = +""
        bytes = 0
        ended = false
        open = []
        tokens(code, complete) do |event, text, state|
          return printable(code) if ignore_error && ERRORS.include?(event)
          symbol = part_of_symbol?(event, open)
          text.each_line { |line| out << painted(line, sequence(event, state, line, symbol)) }
          bytes += text.bytesize
          ended ||= event == :on___end__
        end
        ended || bytes == code.bytesize ? out : printable(code)
      end

      private

      def once(object, seen)
        return false if seen.key?(object)
        seen[object] = true
        yield
      ensure
        seen.delete(object)
      end

      # Each token with its event and state; what a token of an error has covered already is left out.
      def tokens(code, complete)
        verbose, $VERBOSE = $VERBOSE, nil
        reached = [1, 0]
        Ripper::Lexer.new(code, "(ripper)", 1).scan.each do |token|
          next if !complete && token.message&.match?(UNFINISHED)
          text = token.tok
          line, column = token.pos
          next if ([line, column + text.bytesize] <=> reached) <= 0
          text.each_line { |part| reached = part.end_with?("\n") ? [reached[0] + 1, 0] : [reached[0], reached[1] + part.bytesize] }
          yield token.event, text, token.state
        end
      ensure
        $VERBOSE = verbose
      end

      # `open` has for each open literal whether it is a Symbol.
      def part_of_symbol?(event, open)
        inside = open.last
        case event
        when :on_symbeg, :on_symbols_beg, :on_qsymbols_beg then open << true
        when *NAMES
          open.pop if inside
          return inside
        when :on_tstring_beg then open << false
        when :on_embexpr_beg
          open << false
          return inside
        when :on_tstring_end
          open.pop
          return inside
        when :on_embexpr_end then open.pop
        end
        open.last
      end

      def sequence(event, state, text, symbol)
        if ERRORS.include?(event) then [RED, REVERSE]
        elsif symbol then [YELLOW]
        elsif VALUES[event]&.include?(text) then [CYAN, BOLD]
        elsif event != :on_ident || state.allbits?(Ripper::EXPR_ENDFN) then KINDS[event]
        end
      end

      def painted(line, sequence)
        line = printable(line)
        return line unless sequence
        "#{sequence.map { |code| "\e[#{code}m" }.join}#{line.chomp("\n")}#{clear(colorable: true)}#{"\n" if line.end_with?("\n")}"
      end

      # Control characters as terminals name them.
      def printable(text) = text.gsub(/[\x00-\x08\x0B-\x1F\x7F]/) { |char| "^#{(char.ord ^ 0x40).chr}" }
    end
  end
end
