# ErrorHighlight: which part of a line an exception is about. What the engine appends to messages is its own; a formatter that is set replaces it.
module ErrorHighlight
  # The form of MRI's messages.
  module DefaultFormatter
    def self.message_for(spot)
      # only what lies on one line is marked
      return "" unless spot[:first_lineno] == spot[:last_lineno]
      before = spot[:snippet][0...spot[:first_column]].gsub(/[^\t]/, " ")
      "\n\n#{spot[:snippet].chomp}\n#{before}#{"^" * (spot[:last_column] - spot[:first_column])}"
    end
  end

  @formatter = DefaultFormatter
  RubyVM::AbstractSyntaxTree.__send__(:__highlighter=, nil)

  class << self
    attr_reader :formatter

    def formatter=(formatter)
      RubyVM::AbstractSyntaxTree.__send__(:__highlighter=, formatter.equal?(DefaultFormatter) ? nil : formatter)
      @formatter = formatter
    end

    # The place that a node or an exception is about: a Hash, or nil where nothing is known or it is not on one line.
    def spot(object, point_type: :name, name: nil, backtrace_location: nil)
      if object.is_a?(Exception)
        place = backtrace_location || object.backtrace_locations&.first or return
        name ||= object.name if object.is_a?(NameError) && !backtrace_location
        object = RubyVM::AbstractSyntaxTree.of(place, keep_script_lines: true) or return
      end
      return if object.nil?
      unless object.is_a?(RubyVM::AbstractSyntaxTree::Node)
        raise TypeError, "Exception is expected"
      end
      Spotter.new(object, name&.to_s).public_send(point_type == :args ? :args : :name)
    rescue SyntaxError, SystemCallError, ArgumentError
      nil
    end
  end

  # Looks for the name or the arguments in the text of a node.
  class Spotter
    def initialize(node, name)
      @node, @name = node, name
      @lines = node.script_lines
    end

    def name
      receiver, method, args = @node.children
      case @node.type
      when :CALL, :QCALL, :OPCALL then called(receiver, method.to_s, args)
      when :ATTRASGN then called(receiver, method.to_s.chomp("="), args, assigned: true)
      when :FCALL, :VCALL, :CONST, :LVAR then at(@node.first_lineno, @node.first_column, @node.children.first.to_s.bytesize)
      when :COLON2 then after(receiver, /\A\s*::\s*#{method}/m)
      when :COLON3 then at(@node.first_lineno, @node.first_column, @node.last_column - @node.first_column)
      when :OP_ASGN1 then operated(receiver, /\A\s*\[.*?\]/m, method, args)
      when :OP_ASGN2 then operated(receiver, /\A\s*&?\.\s*#{args}/m, @node.children[3], nil)
      when :OP_CDECL then operated(receiver.children.first, /\A\s*::\s*#{receiver.children.last}/m, method, nil)
      when :MATCH3 then after(args || method, /\A\s*\K=~/m)
      end
    end

    def args
      receiver, _, args = @node.children
      case @node.type
      when :CALL, :QCALL, :OPCALL, :ATTRASGN then around(args)
      when :FCALL then around(@node.children[1])
      when :OP_ASGN1 then around(@node.children[2])
      when :OP_ASGN2 then around(@node.children[4])
      end
    end

    private

    def called(receiver, name, args, assigned: false)
      if name == "[]" || name == "[]="  || (assigned && name == "[]")
        return after(receiver, assigned && args ? /\A\s*\K\[.*?\]\s*=/m : /\A\s*\K\[.*\]/m, args)
      end
      if name.match?(/\A[-+!~]@?\z/) && args.nil? && !dotted?(receiver)
        return at(@node.first_lineno, @node.first_column, name.delete_suffix("@").bytesize)
      end
      name = Regexp.escape(name)
      sign = assigned ? "\\s*=" : ""
      after(receiver, /\A\s*\)*\s*\K(?:&?\.|::)\s*(?:#{name}|(?=\())#{sign}/m) || after(receiver, /\A\s*\)*\s*\K#{name}#{sign}/m)
    end

    def dotted?(receiver) = text_after(receiver).match?(/\A\s*\)*\s*(?:&?\.|::)/)

    # Of an operator assignment: the name is the reader's, the writer's or the operator.
    def operated(receiver, reader, operator, _)
      text = text_after(receiver)
      found = text.match(/\A\s*\)*/m)
      rest = text.byteslice(found.end(0)..)
      whole = rest.match(reader) or return
      start = rest[/\A\s*/].bytesize
      case
      when @name && @name == operator.to_s
        sign = rest.match(/#{Regexp.escape(operator.to_s)}=/, whole.end(0)) or return
        between(receiver, found.end(0) + sign.begin(0), found.end(0) + sign.end(0) - 1)
      when @name&.end_with?("=")
        sign = rest.match(/=/, whole.end(0)) or return
        between(receiver, found.end(0) + start, found.end(0) + sign.end(0))
      else
        between(receiver, found.end(0) + start, found.end(0) + whole.end(0))
      end
    end

    def text_after(node)
      rest = @lines[(node.last_lineno - 1)..].join
      rest.byteslice(node.last_column..)
    end

    def after(receiver, pattern, args = nil)
      text = text_after(receiver)
      text = text.byteslice(0, [length_to(receiver, @node), 0].max + 2) || text
      found = text.match(pattern) or return
      between(receiver, found.byteoffset(0)[0], found.byteoffset(0)[1])
    rescue NoMethodError
      between(receiver, found.pre_match.bytesize, found.pre_match.bytesize + found[0].bytesize)
    end

    # The number of bytes from the end of one node to that of another.
    def length_to(from, to)
      return to.last_column - from.last_column if from.last_lineno == to.last_lineno
      @lines[(from.last_lineno - 1)...(to.last_lineno - 1)].sum(&:bytesize) - from.last_column + to.last_column
    end

    # What begins and ends so many bytes after a node.
    def between(node, first, last)
      line, column = node.last_lineno, node.last_column + first
      while column >= @lines[line - 1].bytesize
        column -= @lines[line - 1].bytesize
        line += 1
      end
      at(line, column, last - first)
    end

    def around(node)
      return unless node && node.first_lineno == node.last_lineno
      at(node.first_lineno, node.first_column, node.last_column - node.first_column)
    end

    def at(line, column, length)
      snippet = @lines[line - 1]
      snippet += "\n" unless snippet.end_with?("\n")
      # columns are bytes
      return if !snippet.ascii_only? || length <= 0 || column + length >= snippet.bytesize + 1 || snippet.byteslice(column, length).include?("\n")
      {
        first_lineno: line, first_column: column, last_lineno: line, last_column: column + length, snippet: snippet, script_lines: @lines
      }
    end
  end
end
