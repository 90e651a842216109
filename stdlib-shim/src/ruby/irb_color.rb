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
    # Tokens that open something inside of which other tokens stand, and whether that is a Symbol.
    OPENING = { on_symbeg: true, on_symbols_beg: true, on_qsymbols_beg: true, on_tstring_beg: false, on_embexpr_beg: false }.freeze
    CLOSING = %i(on_tstring_end on_embexpr_end).freeze
    # Tokens that end the Symbol that has begun.
    NAMES = %i(on_ident on_op on_const on_ivar on_cvar on_gvar on_kw).freeze
    UNFINISHED = /meets end of file|unexpected end-of-input/
    private_constant :KINDS, :ERRORS, :VALUES, :OPENING, :CLOSING, :NAMES, :UNFINISHED

    class << self
      def colorable? = $stdout.tty? && ENV.key?("TERM") && ENV["TERM"] != "dumb"

      # Whether the code that `inspect` gives for the object can be taken apart for colours.
      def inspect_colorable?(obj, seen: {}.compare_by_identity)
        return false if seen.key?(obj)
        parts =
          case obj
          when String, Symbol, Regexp, Integer, Float, true, false, nil then return true
          when Module then return !obj.name.nil?
          when Hash then obj.to_a.flatten(1)
          when Range then [obj.begin, obj.end]
          when Array then obj
          else return false
          end
        seen[obj] = true
        colorable = parts.all? { |part| inspect_colorable?(part, seen: seen) }
        seen.delete(obj)
        colorable
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
        found = tokens(code, complete)
        return printable(code) if ignore_error && found.any? { |token| ERRORS.include?(token.event) }
        # Ripper gives nothing of what follows __END__, and not all of some code that is unfinished
        whole = found.sum { |token| token.tok.bytesize } == code.bytesize || found.any? { |token| token.event == :on___end__ }
        return printable(code) unless whole
        open = []
        lines = found.flat_map do |token|
          symbol = part_of_symbol?(token.event, open)
          token.tok.each_line.map { |line| painted(line, sequence(token.event, token.state, line, symbol)) }
        end
        lines.join
      end

      private

      # The tokens in their order; what a token of an error has covered already is left out.
      def tokens(code, complete)
        starts = code.each_line.inject([0]) { |known, line| known << known.last + line.bytesize }
        done = 0
        without_warnings { Ripper::Lexer.new(code, "(ripper)", 1).scan }.select do |token|
          line, column = token.pos
          next if starts[line - 1] + column + token.tok.bytesize <= done || (!complete && token.message&.match?(UNFINISHED))
          done += token.tok.bytesize
        end
      end

      def without_warnings
        verbose, $VERBOSE = $VERBOSE, nil
        yield
      ensure
        $VERBOSE = verbose
      end

      # `open` has for each open literal whether it is a Symbol. What ends one, and what opens code in it, belongs to it.
      def part_of_symbol?(event, open)
        before = open.last
        ends = CLOSING.include?(event) || (before && NAMES.include?(event))
        open.pop if ends
        open << OPENING[event] if OPENING.key?(event)
        (ends && event != :on_embexpr_end) || event == :on_embexpr_beg ? before : open.last
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
