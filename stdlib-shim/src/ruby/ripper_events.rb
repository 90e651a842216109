class Ripper
  # Sends the events of a source: those of its tokens in order, and those of the grammar when all their tokens have been. `tree` is that of
  # Native.tree.
  class Events
    # The contents of literals, which grow part by part: the events of the empty list, which follows what opens the literal, and of a part.
    LISTS = {
      string_content: %i(on_string_content on_string_add), xstring: %i(on_xstring_new on_xstring_add), regexp: %i(on_regexp_new on_regexp_add), words: %i(on_words_new on_words_add), qwords: %i(on_qwords_new on_qwords_add), symbols: %i(on_symbols_new on_symbols_add),
      qsymbols: %i(on_qsymbols_new on_qsymbols_add)
    }.freeze
    # Lists that begin with their first item, and so after its events.
    LATE_LISTS = { stmts: %i(on_stmts_new on_stmts_add), args: %i(on_args_new on_args_add), word: %i(on_word_new on_word_add) }.freeze
    OPENING = %i(on_tstring_beg on_backtick on_regexp_beg on_words_beg on_qwords_beg on_symbols_beg on_qsymbols_beg on_symbeg on_heredoc_beg).to_h { |event| [event, true] }.freeze
    # Events that follow the last token of their node at once; before any other the parser has seen the next token.
    PROMPT = %i(
      alias arg_paren array assoclist_from_args begin brace_block case class def defs do_block dyna_symbol fcall for hash heredoc_dedent if lambda method_add_arg method_add_block module paren
      regexp_literal sclass string_concat string_dvar string_embexpr string_literal symbol symbol_literal unless until while xstring_literal block_var void_stmt
      BEGIN END blockarg mlhs_paren redo rest_param retry kwrest_param
    ).to_h { |kind| [kind, true] }.freeze
    SKIPPED = %i(on_sp on_comment on_ignored_nl on_embdoc_beg on_embdoc on_embdoc_end).to_h { |event| [event, true] }.freeze
    # They end with the keyword behind them.
    ENDED = %i(bodystmt else ensure rescue when in elsif).to_h { |kind| [kind, true] }.freeze
    # Their condition stands behind what it is for.
    MODIFIERS = %i(if_mod unless_mod while_mod until_mod).to_h { |kind| [kind, true] }.freeze
    # Behind these a statement may begin, or none: the token behind tells.
    OPENED = [";", "\n", "{", "do", "then", "begin", "else", "ensure"].to_h { |text| [text, true] }.freeze
    # Parameters that may have no name, which the token behind tells.
    NAMELESS = %i(blockarg rest_param kwrest_param).to_h { |kind| [kind, true] }.freeze
    # Of these, what a pattern has is complete by itself.
    PATTERNS = %i(var_ref var_field const_path_ref).to_h { |kind| [kind, true] }.freeze
    # Any comment of the form `name: value`.
    MAGIC = /\A#[\s'":;]*([^\s'":;]+)\s*:\s*(?:"((?:\\.|[^"])*)"|([^\s";]+))\s*\z/
    NAMES = Hash.new { |names, kind| names[kind] = :"on_#{kind}" }
    # A token: its event, where it begins, as place and as offset, its number in the order of events, and what its event answered. The tokens of a
    # here-document have the offset of what opens it. The parser does not see those that are skipped; a comment may end a statement.
    Token = Struct.new(:event, :text, :place, :offset, :state, :is_skipped, :at, :value)
    private_constant :LISTS, :LATE_LISTS, :OPENING, :PROMPT, :ENDED, :MODIFIERS, :SKIPPED, :OPENED, :NAMELESS, :PATTERNS, :MAGIC, :NAMES, :Token

    # `ends` has the indices of the comments whose line ends a statement. The block is given an event, the place of a token, the arguments, and the state
    # after a token.
    def initialize(source, tokens, ends, first, &send)
      @send = send
      @first = first
      @lines = [0]
      source.each_line { |line| @lines << @lines.last + line.bytesize }
      # a byte order mark is not part of the first line
      @lines[0] = 3 if source.byteslice(0, 3).b == "\xEF\xBB\xBF".b
      @lexed = tokens
      @ends = ends.to_h { |index| [index, true] }
      # tokens of here-documents: where they are, and the offsets that put them behind what opens them
      @within = []
      @next = 0
      @end = source.bytesize
      # where what was visited last ends
      @seen = 0
    end

    def run(tree)
      contents = {}
      collect_contents(tree, contents)
      @tokens = tokens_of(contents).each_with_index { |token, at| token.at = at }
      @by_place = @tokens.to_h { |token| [token.place, token] }
      @by_offset = @tokens.select { |token| token.event == :on_heredoc_beg }.to_h { |token| [token.offset, token] }
      parts = tree.drop(1).map { |part| visit(part) }
      tell_until(@end + 1)
      event(tree[0], parts)
    end

    private

    # The pieces of text in literals, by place.
    def collect_contents(node, found)
      return found[node[2]] = node[1] if node[0] == :@tstring_content

      node.each { |part| collect_contents(part, found) if part.is_a?(Array) }
    end

    # The tokens in the order of their events: the text of a here-document follows what opens it, in the pieces that the grammar sees.
    def tokens_of(contents)
      all = @lexed.each_with_index.flat_map do |(place, kind, text, state), index|
        skipped = SKIPPED[kind] && !@ends[index]
        pieces = kind == :on_tstring_content ? pieces_of(place, text, contents) : [[place, text]]
        pieces.map { |at, piece| Token.new(kind, piece, at, @lines[at[0] - @first] + at[1], state, skipped) }
      end
      all = ends_behind_comments(all)
      heredocs = all.select { |token| token.event == :on_heredoc_beg }
      return all if heredocs.empty?

      bodies, rest = bodies_of(all, heredocs)
      rest.flat_map { |token| [token, *bodies[token]] }
    end

    # The end of a statement is told after the comments of the lines below: the parser looks whether a call goes on there.
    def ends_behind_comments(all)
      found = []
      at = 0
      while (token = all[at])
        count = token.event == :on_nl ? comments_from(all, at + 1) : 0
        found.concat(all[at + 1, count], [token])
        at += count + 1
      end
      found
    end

    # How many tokens from one on are comments with the blanks before them.
    def comments_from(all, first)
      ending = first
      at = first
      while all[at]
        at += 1 if all[at].event == :on_sp
        return ending - first unless all[at]&.event == :on_comment

        at += 1
        ending = at
      end
      ending - first
    end

    def pieces_of(place, text, contents)
      first = contents[[place[0] - @first + 1, place[1]]]
      return [[place, text]] unless first && first.bytesize < text.bytesize && first.end_with?("\n") && text.start_with?(first)

      [[place, first], *pieces_of([place[0] + first.count("\n"), 0], text.byteslice(first.bytesize..), contents)]
    end

    # The tokens of the bodies by what opens them, and all other tokens.
    def bodies_of(all, heredocs)
      bodies = {}.compare_by_identity
      rest = []
      waiting = []
      inside = nil
      all.each_with_index do |token, at|
        if inside
          body = bodies[inside] ||= []
          body << token
          @within << [token.offset, inside.offset + (1 - 1r / (body.size + 1))]
          token.offset = @within.last[1]
          next unless token.event == :on_heredoc_end

          inside = waiting.shift
          next
        end
        rest << token
        waiting << token if token.event == :on_heredoc_beg
        ends_line = %i(on_nl on_ignored_nl on_comment).include?(token.event) && (token.text.end_with?("\n") || all[at + 1]&.place&.first != token.place.first)
        inside = waiting.shift if ends_line && waiting.any?
      end
      [bodies, rest]
    end

    def tell
      token = @tokens[@next]
      @next += 1
      @told, @last = token.offset, token unless token.is_skipped
      if token.event == :on_comment && (found = MAGIC.match(token.text.scrub))
        event(:magic_comment, [found[1].tr("-", "_"), found[2] || found[3]])
      end
      token.value = @send.call(token.event, token.place, [token.text], token.state)
      token
    end

    def tell_until(offset)
      tell while @next < @tokens.size && @tokens[@next].offset < offset
    end

    def tell_through(token)
      tell while @next <= token.at
    end

    def tell_one
      nil while @next < @tokens.size && tell.is_skipped
    end

    # Tells the tokens to the end of what was visited last, and the one behind it.
    def look_ahead
      tell_until(@seen)
      tell_one unless @told && @told >= @seen
    end

    def event(kind, args) = @send.call(NAMES[kind], nil, args, nil)

    def visit(node)
      return node unless node.is_a?(Array)

      head = node.first
      return node.map { |part| visit(part) } unless head.is_a?(Symbol) || head.is_a?(Integer)

      ending, kind, *parts = head.is_a?(Integer) ? node : [nil, *node]
      ending = ended(ending) if ending && @within.any?
      return leaf(kind, *parts) if kind.start_with?("@")
      return grown(*LISTS[kind], parts) if LISTS[kind]
      return grown_late(*LATE_LISTS[kind], parts) if LATE_LISTS[kind]

      case kind
      when :mlhs then targets(parts)
      when :mrhs then values(*parts)
      when :method_add_arg then called(ending, *parts)
      when :method_add_block then with_block(ending, *parts)
      when :heredoc_dedent then dedented(*parts)
      when :opassign then operated(ending, *parts)
      when :assoc_new then labelled(ending, *parts)
      when :next, :break then jump(kind, ending, *parts)
      when :aryptn, :fndptn, :hshptn then pattern(kind, ending, parts)
      when :lambda then lambda_with(ending, *parts)
      when :args_add_block then with_block_argument(ending, *parts)
      else
        visit_parts(kind, ending, parts)
      end
    end

    def leaf(kind, text, place)
      place = placed(place)
      token = @by_place[place]
      # what the tokens do not have is told for itself
      return @send.call(:"on_#{kind[1..]}", place, [text]) unless token && token.text == text

      tell_through(token)
      @seen = token.offset.is_a?(Rational) ? behind(token.offset) : token.offset + text.bytesize
      token.value
    end

    # What is after a token of a here-document, and before the next one.
    def behind(offset) = offset + 1r / 10**12

    # The offset of an end in the source. In a here-document it is that of the token before.
    def ended(ending)
      at = ending && @within.bsearch_index { |place, _| place >= ending } || @within.size
      return ending if ending.nil? || at.zero?

      place, offset = @within[at - 1]
      at < @within.size && @within[at][1].floor == offset.floor || ending <= place ? behind(offset) : ending
    end

    # A place of the tree, counted from the first line's number.
    def placed(place) = place && [place[0] + @first - 1, place[1]]

    def dedented(text, width)
      text = visit(text)
      tell_until(@tokens[@next - 1].offset + 1)
      event(:heredoc_dedent, [text, width])
      text
    end

    # `a.b += 1`: the event of what is assigned to follows the value, unless it is a variable.
    def operated(ending, target, operator, value)
      kind, *inner = target.first.is_a?(Integer) ? target.drop(1) : target
      return visit_parts(:opassign, ending, [target, operator, value]) unless %i(field aref_field).include?(kind)

      inner = inner.map { |part| visit(part) }
      rest = [visit(operator), visit(value)]
      @seen = ending if ending
      look_ahead
      event(:opassign, [event(kind, inner), *rest])
    end

    def jump(kind, ending, arguments)
      return visit_parts(kind, ending, [arguments]) unless arguments == [:args]

      @seen = ending if ending
      look_ahead
      event(kind, [event(:args_new, [])])
    end

    # `&block` alone: its event comes before that of the empty list.
    def with_block_argument(ending, arguments, block)
      return visit_parts(:args_add_block, ending, [arguments, block]) unless arguments == [:args] && block

      block = visit(block)
      @seen = ending if ending
      look_ahead
      event(:args_add_block, [event(:args_new, []), block])
    end

    # `"a": 1`: the event of the key follows the value.
    def labelled(ending, key, value)
      kind, *inner = key.first.is_a?(Integer) ? key.drop(1) : key
      return visit_parts(:assoc_new, ending, [key, value]) unless kind == :dyna_symbol && value

      inner = inner.map { |part| visit(part) }
      tell_until(key.first) if key.first.is_a?(Integer)
      value = visit(value)
      @seen = ending if ending
      look_ahead
      event(:assoc_new, [event(:dyna_symbol, inner), value])
    end

    # A call with arguments: the event of the call follows those of the arguments.
    def called(ending, call, arguments)
      kind, *parts = call.first.is_a?(Integer) ? call.drop(1) : call
      return visit_parts(:method_add_arg, ending, [call, arguments]) unless %i(fcall call).include?(kind)

      parts = parts.map { |part| visit(part) }
      if arguments == [:args]
        look_ahead
        return event(:method_add_arg, [event(kind, parts), visit(arguments)])
      end

      arguments = visit(arguments)
      tell_until(@seen = ending) if ending
      event(:method_add_arg, [event(kind, parts), arguments])
    end

    # `name { }`: the events of the call without arguments follow those of the block.
    def with_block(ending, call, block)
      kind, (inner, name), arguments = call.first.is_a?(Integer) ? call.drop(1) : call
      return visit_parts(:method_add_block, ending, [call, block]) unless kind == :method_add_arg && inner == :fcall && arguments == [:args]

      name = visit(name)
      block = visit(block)
      tell_until(@seen = ending) if ending
      call = event(:method_add_arg, [event(:fcall, [name]), event(:args_new, [])])
      event(:method_add_block, [call, block])
    end

    # The body begins behind its bracket or `do`.
    def lambda_with(ending, parameters, body)
      parameters = visit(parameters)
      tell_one until @next >= @tokens.size || %w({ do).include?(@last&.text)
      body = visit(body)
      tell_until(@seen = ending) if ending
      event(:lambda, [parameters, body])
    end

    # A pattern of an Array or a Hash: complete where a bracket ends it.
    def pattern(kind, ending, parts)
      parts = parts.map { |part| inside_pattern(part) }
      @seen = ending if ending
      tell_until(@seen)
      look_ahead unless ["]", "}", ")"].include?(@last&.text)
      event(kind, parts)
    end

    def inside_pattern(part)
      return part unless part.is_a?(Array)

      head = part.first
      return part.map { |each| inside_pattern(each) } unless head.is_a?(Symbol) || head.is_a?(Integer)

      @complete = PATTERNS[kind_of(part)] && !part.last.nil?
      visit(part)
    end

    def visit_parts(kind, ending, parts)
      # a variable right in a text is complete without a look at what follows
      outer, @complete = @complete, kind == :string_dvar || @complete && kind == :const_path_ref
      lacks = kind == :params && parts.none? { |part| part.is_a?(Array) && part.any? }
      definition = kind == :paren && kind_of(parts[0]) == :params
      @bare = true if kind == :module || kind == :class && parts[1].nil?
      late = kind == :mlhs_paren && @late_paren
      @late_paren = kind == :massign && kind_of(parts[0]) == :mlhs_paren
      forwards = kind == :args_forward && @forwards
      @forwards = kind == :params && kind_of(parts[5]) == :args_forward
      prompt = PROMPT[kind] && !late && !(NAMELESS[kind] && parts[0].nil?) || outer || forwards || @forwards || kind == :params && parts[6].is_a?(Array) || (kind == :super || kind == :yield) && parts[0].is_a?(Array) && (parts[0].first(2) & %i(arg_paren paren)).any?
      parts = MODIFIERS[kind] ? parts.reverse.map { |part| visit(part) }.reverse : parts.map { |part| visit(part) }
      prompt ||= kind == :defined && ending && ending > @seen
      @seen = ending if ending
      no_keywords if kind == :params && parts[5] == :nil
      prompt ? tell_until(@seen) : look_ahead
      # a body follows the parameters, and what ends their line is the body's
      @bare = true if definition && @tokens[@next]&.text == ";"
      tell_one if lacks && @last&.text == "->"
      tell_one if lacks && @last&.text == "("
      tell_one if ENDED[kind] && %i(on_nl on_semicolon on_comment).include?(@tokens[@next - 1]&.event)
      @complete = false
      event(kind, parts)
    end

    # The kind of a node, with or without its end.
    def kind_of(node) = (node[0].is_a?(Integer) ? node[1] : node[0] if node.is_a?(Array))

    # `**nil` is told where it stands.
    def no_keywords
      tell_one while @next < @tokens.size && @last&.text != "nil"
      event(:nokw_param, [nil])
      @seen = @told + 3
    end

    def grown(empty, add, items)
      opening = (@next...@tokens.size).find { |at| OPENING[@tokens[at].event] }
      at = placed(first_place(items))
      tell_through(@tokens[opening]) if opening && (at.nil? || (@tokens[opening].place <=> at) == -1)
      tell while @tokens[@next]&.event == :on_words_sep
      items.inject(@send.call(empty, nil, [])) do |list, item|
        value = visit(item)
        tell while @tokens[@next]&.event == :on_words_sep
        tell if item[0] == :@tstring_content && @tokens[@next]&.event == :on_heredoc_end && !dedents?(@tokens[@next])
        @send.call(add, nil, [list, value])
      end
    end

    # Whether the here-document that ends here loses the indentation of its lines.
    def dedents?(ending) = @by_offset[ending.offset.floor]&.text&.start_with?("<<~")

    # Where the first token of some nodes begins, if they have one.
    def first_place(nodes)
      nodes.each do |node|
        next unless node.is_a?(Array)
        return node[2] if node[0].is_a?(Symbol) && node[0].start_with?("@")

        found = first_place(node) and return found
      end
      nil
    end

    def grown_late(empty, add, items)
      return @send.call(empty, nil, []) if items.empty?

      list = nil
      items.each_with_index do |item, at|
        splat = star(item)
        is_hash = item.include?(:bare_assoc_hash)
        if item == [:void_stmt]
          look_ahead
          tell_one if at.zero? && opens?(items)
          list = @send.call(empty, nil, []) if at.zero?
        end
        value = is_hash ? visit(item.last) : visit(splat ? splat[1] : item)
        look_ahead unless empty == :on_word_new
        list = @send.call(empty, nil, []) if at.zero? && item != [:void_stmt]
        value = event(:bare_assoc_hash, [value]) if is_hash
        list = splat ? event(:args_add_star, [list, value]) : @send.call(add, nil, [list, value])
      end
      list
    end

    # Whether what was told last is behind the place of an empty statement: the parser has seen one more token.
    def opens?(items)
      bare, @bare = @bare, false
      tell_one if @last&.event == :on_kw && @last.text == "rescue"
      ends_line = %i(on_nl on_semicolon).include?(@last&.event) || @last&.event == :on_comment
      return OPENED[@last&.text] unless ends_line

      # the end of the line belongs to the body of a class that has no superclass
      items.size == 1 && !bare
    end

    def star(item)
      return unless item.is_a?(Array)

      item[0] == :star ? item : (item.drop(1) if item[1] == :star)
    end

    # The left side of a multiple assignment: what follows a splat is a list of its own, whose events come before that of the splat.
    def targets(items)
      at = items.index { |item| star(item) } || items.size
      list = nil
      items.first(at).each_with_index do |item, number|
        value = visit(item)
        # a parameter is complete by itself
        look_ahead unless item[0].is_a?(Symbol) && item[0].start_with?("@")
        list = event(:mlhs_new, []) if number.zero?
        list = event(:mlhs_add, [list, value])
      end
      return list if at == items.size

      inner = visit(star(items[at])[1])
      rest = items.drop(at + 1)
      if inner.nil? && items[at][0].is_a?(Integer)
        @seen = items[at][0]
        look_ahead
      end
      rest = rest.empty? ? nil : targets(rest)
      list ||= event(:mlhs_new, [])
      list = event(:mlhs_add_star, [list, inner])
      rest ? event(:mlhs_add_post, [list, rest]) : list
    end

    # The right side: all values but the last one, and the last one.
    def values(first, last)
      starred = star(last)
      lone = first.size == 1
      list = lone ? event(:mrhs_new, []) : visit(first)
      value = visit(starred ? starred[1] : last)
      look_ahead
      list = event(:mrhs_new_from_args, [list]) unless lone
      event(starred ? :mrhs_add_star : :mrhs_add, [list, value])
    end
  end
  private_constant :Events

  # Builds a list for every event: its name and its arguments.
  class SexpBuilder < Ripper
    attr_reader :error

    PARSER_EVENTS.each { |kind| define_method(:"on_#{kind}") { |*parts| [kind, *parts] } unless kind == :heredoc_dedent }
    SCANNER_EVENTS.each { |kind| define_method(:"on_#{kind}") { |text| [:"@#{kind}", text, [lineno, column]] } }

    private

    # As MRI does it: of nested lists only every other one.
    def on_heredoc_dedent(text, width)
      text.each do |part|
        next unless part.is_a?(Array)

        part[0].end_with?("_add") ? on_heredoc_dedent(part[1], width) : dedent_element(part, width)
      end
    end

    def dedent_element(part, width)
      part[2][1] += dedent_string(part[1], width) if part[0] == :@tstring_content
      part
    end

    def on_error(message) = @error = message
    alias on_parse_error on_error
    alias compile_error on_error
  end

  # Builds such lists, with the lists of the grammar as plain ones.
  class SexpBuilderPP < SexpBuilder
    private

    PARSER_EVENT_TABLE.each do |kind, count|
      if kind.end_with?("_new") && count.zero?
        define_method(:"on_#{kind}") { [] }
      elsif kind.end_with?("_add")
        define_method(:"on_#{kind}") { |list, item| list.push(item) }
      end
    end

    def on_heredoc_dedent(text, width) = text.each { |part| dedent_element(part, width) if part.is_a?(Array) }
    def on_mlhs_paren(list) = [:mlhs, *list]
    def on_mlhs_add_star(list, rest) = list.push([:rest_param, rest])
    def on_mlhs_add_post(list, rest) = list.concat(rest)
  end
end
