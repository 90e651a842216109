require "racc/info"

# What parsers that Racc generated run on: an LALR automaton over the tables of their class. Errors are recovered from as in Racc's runtime in C.
module Racc
  class ParseError < StandardError
  end

  class Parser
    Racc_Runtime_Version = VERSION
    Racc_Runtime_Core_Version = VERSION
    Racc_Runtime_Core_Version_R = VERSION
    Racc_YY_Parse_Method = :_racc_yyparse_rb
    begin
      require "racc/cparse"
      Racc_Runtime_Type = "c"
      Racc_Main_Parsing_Routine = :_racc_do_parse_c
    rescue LoadError
      Racc_Runtime_Type = "ruby"
      Racc_Main_Parsing_Routine = :_racc_do_parse_rb
    end
    # Numbers of the tokens that every grammar has.
    LAST, ERROR = 0, 1
    private_constant :LAST, :ERROR

    def self.racc_runtime_type = Racc_Runtime_Type

    if Racc_Runtime_Type == "c"
      def do_parse = _racc_do_parse_c(_racc_setup, false)
    else
      def do_parse = _racc_do_parse_rb(_racc_setup, false)
    end
    def yyparse(source, name) = _racc_yyparse_rb(source, name, _racc_setup, false)
    def next_token = raise(NotImplementedError, "#{self.class}\#next_token is not defined")

    def on_error(token, value, _values)
      raise ParseError, format("\nparse error on value %s (%s)", value.inspect, token_to_str(token) || "?")
    end

    # For actions of a grammar: an error found, the end reached, recovered.
    def yyerror = throw(:racc_jump, :error)
    def yyaccept = throw(:racc_jump, :accept)
    def yyerrok
      @racc_error_status = 0
    end

    def token_to_str(token) = self.class::Racc_token_to_s_table[token]

    private

    def _racc_setup
      tables = self.class::Racc_arg
      tables[13] = true if tables.size < 14
      tables
    end

    def _racc_init_sysvars
      @racc_state = [0]
      @racc_vstack = []
      @racc_t = @racc_val = nil
      @racc_read_next = true
      @racc_user_yyerror = false
      @racc_error_status = 0
    end

    def _racc_do_parse_rb(tables, _debug) = _racc_run(tables) { next_token }

    # The source is not waited for: its block takes the parse on by a token.
    def _racc_yyparse_rb(source, name, tables, _debug)
      _racc_init_sysvars
      done = _racc_advance(tables) and return done.first
      catch(:racc_end_parse) do
        source.__send__(name) do |token, value|
          _racc_take(tables[10], token, value)
          done = _racc_advance(tables) and throw(:racc_end_parse, done.first)
        end
        _racc_take(tables[10], false, "$")
        _racc_advance(tables)&.first
      end
    end

    def _racc_run(tables)
      _racc_init_sysvars
      until (done = _racc_advance(tables))
        _racc_take(tables[10], *yield)
      end
      done.first
    end

    # Goes on until a token is wanted (nil) or the result is there (in an Array).
    def _racc_advance(tables)
      table, check, default, pointer, = tables
      while true
        state = @racc_state.last
        action = nil
        if (at = pointer[state])
          return if @racc_read_next && @racc_t != LAST
          at += @racc_t
          action = table[at] if at >= 0 && check[at] == state
        end
        action ||= default[state]
        while true
          case (action = _racc_step(tables, action))
          when nil then break
          when Array then return action
          end
        end
      end
    end

    def _racc_take(numbers, token = nil, value = nil)
      @racc_val = value
      @racc_t = token ? numbers[token] || ERROR : LAST
      @racc_read_next = false
    end

    # One action: nil when the next is to be looked up, the action that follows at once, or the result in an Array.
    def _racc_step(tables, action)
      shift_n, reduce_n = tables[11], tables[12]
      if action.positive? && action < shift_n
        @racc_error_status -= 1 if @racc_error_status.positive? && @racc_t > ERROR
        @racc_vstack << @racc_val
        @racc_state << action
        @racc_read_next = true
        nil
      elsif action.negative? && action > -reduce_n
        case catch(:racc_jump) { _racc_do_reduce(tables, action) }
        when :error
          @racc_user_yyerror = true
          -reduce_n
        when :accept then shift_n
        end
      elsif action == shift_n
        [@racc_vstack.first]
      else
        _racc_recover(tables)
      end
    end

    def _racc_do_reduce(tables, action)
      length, target, method = tables[9][action * -3, 3]
      values = length.zero? ? [] : @racc_vstack.pop(length)
      @racc_state.pop(length)
      extra = tables[13] ? [values.first] : []
      # an action may look at the values below its own, and at what it would get without code
      @racc_vstack << __send__(method, values, @racc_vstack, *extra)
      row = target - tables[8]
      at = tables[7][row]
      if at
        at += @racc_state.last
        state = tables[4][at] if at >= 0 && tables[5][at] == row
      end
      @racc_state << (state || tables[6][row])
      nil
    end

    def _racc_recover(tables)
      if @racc_error_status.zero?
        on_error(@racc_t, @racc_val, @racc_vstack) unless @racc_user_yyerror
      elsif @racc_error_status == 3
        return [nil] if @racc_t == LAST
        @racc_read_next = true
      end
      @racc_user_yyerror = false
      @racc_error_status = 3
      table, check, _, pointer, = tables
      while true
        state = @racc_state.last
        at = pointer[state]&.+(ERROR)
        return _racc_take_error(tables, table[at]) if at && at >= 0 && table[at] && check[at] == state
        return [nil] if @racc_state.size <= 1
        @racc_state.pop
        @racc_vstack.pop
      end
    end

    # The action for the token `error`, which has the value of the token that was not expected; that one is looked at again.
    def _racc_take_error(tables, action)
      return action unless action.positive? && action < tables[11]
      @racc_vstack << @racc_val
      @racc_state << action
      nil
    end
  end
end
ParseError = Racc::ParseError unless defined?(ParseError)
