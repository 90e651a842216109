# The emitter of Psych's native half.
module Psych
  # Writes what it is told as text, a document at a time.
  class Emitter < Handler
    attr_reader :canonical, :indentation, :line_width

    def initialize(io, options = nil)
      @io = io
      @canonical = false
      @indentation = 2
      @line_width = 0
      @expected = "STREAM-START"
      return unless options
      @line_width = __integer(options.line_width)
      @indentation = __integer(options.indentation)
      @canonical = options.canonical == true
    end

    def canonical=(value)
      @canonical = value ? true : false
    end
    def indentation=(value)
      @indentation = __integer(value)
    end
    def line_width=(value)
      @line_width = __integer(value)
    end

    def start_stream(encoding)
      __type(encoding, ::Integer)
      __expect("STREAM-START")
      # what libyaml takes for a width that leaves no room
      @line_width = 80 if @line_width.between?(0, @indentation * 2)
      @expected = "DOCUMENT-START or STREAM-END"
      self
    end

    def end_stream
      __expect("DOCUMENT-START or STREAM-END")
      self
    end

    def start_document(version, tag_directives, implicit)
      __type(version, ::Array)
      version = version.first(2).map { |part| __integer(part) }
      tags = tag_directives ? __directives(tag_directives) : []
      __expect("DOCUMENT-START or STREAM-END")
      @document = [nil, implicit ? true : false, version, true, tags]
      @stack = []
      @expected = "SCALAR, SEQUENCE-START, MAPPING-START, or ALIAS"
      self
    end

    # The text of a document depends on the one before it: both are laid out, and what is new is written.
    def end_document(implicit_end)
      __expect("DOCUMENT-END")
      @document[3] = implicit_end ? true : false
      options = { canonical: @canonical, indentation: @indentation, line_width: @line_width }
      before = @last ? Psych.__emit([@last], options) : ""
      @io.write(Psych.__emit([@last, @document].compact, options).delete_prefix(before))
      @last = @document
      @expected = "DOCUMENT-START or STREAM-END"
      self
    end

    def scalar(value, anchor, tag, plain, quoted, style)
      __type(value, ::String)
      node = [:scalar, __text(value), __name(anchor, "anchor"), __tag(tag), plain ? true : false, quoted ? true : false, __integer(style)]
      __add(node)
    end
    def start_sequence(anchor, tag, implicit, style) = __open(:seq, anchor, tag, implicit, style)
    def start_mapping(anchor, tag, implicit, style) = __open(:map, anchor, tag, implicit, style)
    def end_sequence = __close(:seq)
    def end_mapping = __close(:map)
    def alias(anchor) = __add([:alias, __name(anchor, "alias")])

    private

    def __open(kind, anchor, tag, implicit, style)
      node = [kind, [], __name(anchor, "anchor"), __tag(tag), implicit ? true : false, __integer(style)]
      __add(node)
      @stack.push(node)
      @expected = "SCALAR, SEQUENCE-START, MAPPING-START, or ALIAS"
      self
    end
    def __close(kind)
      raise ::RuntimeError, "expected #{@expected}" unless @stack&.last&.first == kind
      @stack.pop
      @expected = "DOCUMENT-END" if @stack.empty?
      self
    end
    def __add(node)
      __expect("SCALAR, SEQUENCE-START, MAPPING-START, or ALIAS")
      if @stack.empty?
        @document[0] = node
        @expected = "DOCUMENT-END"
      else
        @stack.last[1] << node
      end
      self
    end

    def __expect(state)
      raise ::RuntimeError, "expected #{@expected}" unless @expected == state
    end
    def __type(value, type)
      raise ::TypeError, "wrong argument type #{value.nil? ? "nil" : value.class} (expected #{type})" unless type === value
    end
    def __integer(value)
      return value if ::Integer === value
      raise ::TypeError, "no implicit conversion from nil to integer" if value.nil?
      value.respond_to?(:to_int) ? value.to_int : raise(::TypeError, "no implicit conversion of #{value.class} into Integer")
    end
    def __text(value)
      return value if value.encoding == ::Encoding::UTF_8 || value.encoding == ::Encoding::BINARY
      value.encode(::Encoding::UTF_8, invalid: :replace, undef: :replace)
    end
    def __tag(tag)
      return if tag.nil?
      __type(tag, ::String)
      __text(tag)
    end
    def __name(name, kind)
      return if name.nil?
      __type(name, ::String)
      name = __text(name)
      raise ::RuntimeError, "#{kind} value must not be empty" if name.empty?
      raise ::RuntimeError, "#{kind} value must contain alphanumerical characters only" unless name.match?(/\A[\w-]+\z/)
      name
    end
    def __directives(list)
      __type(list, ::Array)
      list.map do |pair|
        __type(pair, ::Array)
        raise ::RuntimeError, "tag tuple must be of length 2" if pair.size < 2
        pair.first(2).map { |part| __text(::String.try_convert(part) || "" + part) }
      end
    end
  end
end
