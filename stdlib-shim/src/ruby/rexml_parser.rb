require "rexml/doctype_core"

module REXML
  # The names of encodings, and texts in them.
  module Encoding
    attr_reader :encoding

    # Whether the encoding is another one now.
    def encoding=(name)
      name = name.name if name.is_a?(::Encoding)
      known = name && known_encoding(name.to_s)
      raise ArgumentError, "Bad encoding name #{name}" if name && !known
      known = (known || "UTF-8").upcase
      return false if known == @encoding
      @encoding = known
      true
    end
    def encode(text) = text.encode(@encoding)
    def decode(text) = text.encode(::Encoding::UTF_8, @encoding)

    private

    def known_encoding(name)
      return "SHIFT_JIS" if name.match?(/\Ashift-jis\z/i)
      name = "CP#{$1}" if name =~ /\ACP-(\d+)\z/
      return name if name.match?(/\AUTF-8\z/i)
      ::Encoding::Converter.search_convpath(name, "UTF-8")
      name
    rescue ::Encoding::ConverterNotFoundError
      nil
    end
  end

  # A text that a document is read from.
  class Source
    include Encoding
    MARKS = { "\xFE\xFF".b => "UTF-16BE", "\xFF\xFE".b => "UTF-16LE", "\xEF\xBB\xBF".b => "UTF-8" }.freeze
    LONG = 10_000
    private_constant :MARKS, :LONG
    attr_reader :buffer

    def initialize(text, encoding = nil)
      @original = text
      mark = MARKS.keys.find { |bytes| text.b.start_with?(bytes) } unless encoding
      @buffer = mark ? text.byteslice(mark.bytesize..) : text
      self.encoding = encoding || MARKS.fetch(mark, "UTF-8")
      @buffer = @buffer.dup.force_encoding(::Encoding::UTF_8) if @encoding == "UTF-8"
    end

    # Moves to another encoding: what is still to be read is in that one.
    def encoding=(name)
      return unless super
      @buffer = decode(@buffer.b) unless @encoding == "UTF-8"
    end

    # Everything is there already.
    def read = nil

    # A parser takes many small pieces off, and each leaves a copy of all the rest here: of a long text it is a stream.
    def in_pieces
      return self if @buffer.bytesize < LONG
      made = IOSource.new(StringIO.new(@buffer.b))
      made.decoded_from(@encoding) unless @encoding == "UTF-8"
      made
    end

    # The match at the start of what is left, as far as it must be read for one; it is taken off when `take` is set.
    def match(pattern, take = false)
      until (found = pattern.match(@buffer))
        return nil unless read
      end
      @buffer = found.post_match if take
      found
    end
    def consume(pattern)
      @buffer = $' if pattern.match(@buffer)
    end
    def match_to(_char, pattern) = match(pattern)
    def match_to_consume(_char, pattern) = match(pattern, true)
    def scan(pattern, take = false)
      found = match(pattern) ? @buffer.scan(pattern) : []
      @buffer = $' if take && !found.empty?
      found
    end

    def empty? = @buffer.empty?
    # Bytes that were taken off.
    def position = @original.bytesize - @buffer.bytesize
    def line = current_line[2]
    # Bytes read, lines ended by the reader, lines up to there.
    def current_line = [position, 0, @original.byteslice(0, position).lines.size]
  end

  # A stream that a document is read from. It is taken in up to the next `>`, as patterns need it; what begins the text comes with the
  # first such piece, so that a text of no more than three bytes is none.
  class IOSource < Source
    def initialize(stream)
      @stream = stream
      @encoding = "UTF-8"
      @buffer = +""
      @start = stream.read(3).to_s.b
      @position, @line_ends = @start.bytesize, @start.count("\n")
      @in_line = @start.match?(/[^\n]\z/)
      mark = MARKS.keys.find { |bytes| @start.start_with?(bytes) }
      @start.delete_prefix!(mark.to_s)
      start_wide(MARKS[mark]) if mark&.bytesize == 2
    end

    def encoding=(name)
      super unless @decoded
    end

    # The stream gives UTF-8 that was made of a text in this encoding, whatever the document declares.
    def decoded_from(name)
      @encoding, @decoded = name, true
    end

    # Takes another piece in; false at the end.
    def read
      piece = next_piece or return false
      @position += piece.bytesize
      @line_ends += piece.count("\n")
      @in_line = !piece.end_with?("\n")
      piece = @start + piece.b if @start
      @start = nil
      @buffer << (@encoding == "UTF-8" || @decoded ? piece.force_encoding(::Encoding::UTF_8) : decode(piece))
      true
    end

    def consume(pattern) = match(pattern, true)
    def empty? = @buffer.empty? && (@stream.nil? || @stream.eof?)
    attr_reader :position
    # The line that was begun counts.
    def current_line = [@position, 0, @line_ends + (@in_line ? 1 : 0)]

    private

    # What a stream must answer to is `readline`; some have no `gets`.
    def next_piece
      @stream&.readline(">") || (@stream = nil)
    rescue EOFError
      @stream = nil
    end

    # Its characters are longer than a byte, so it is read as a whole.
    def start_wide(name)
      decoded_from(name)
      text = (@start + @stream.read.to_s.b).force_encoding(name).encode(::Encoding::UTF_8)
      @stream = StringIO.new(text)
      @start = @stream.read(1).to_s.b
    end
  end

  class SourceFactory
    # Strings are read like files.
    def self.create_from(source)
      return source if source.is_a?(Source)
      return IOSource.new(source) if %i(read readline eof?).all? { |name| source.respond_to?(name) }
      return IOSource.new(StringIO.new(source.to_str.b)) if source.respond_to?(:to_str)
      raise "#{source.class} is not a valid input stream.  It must walk \nlike either a String, an IO, or a Source."
    end
  end

  # What is written goes to another stream in an encoding of its own.
  class Output
    include Encoding

    def initialize(stream, encoding = "iso-8859-1")
      @output = stream
      self.encoding = encoding
      return unless self.encoding == "UTF-16"
      @output << "\uFEFF".encode("UTF-16BE")
      self.encoding = "UTF-16BE"
    end
    def <<(text)
      @output << (encoding == "UTF-8" ? text : encode(text))
      self
    end
    def to_s = "Output[#{encoding}]"
  end

  module Parsers
    # Reads a document event by event: each is an Array of its kind and what belongs to it.
    class BaseParser
      NCNAME_STR = "[[:alpha:]_][-[:alnum:]._]*"
      QNAME_STR = "(?:(#{NCNAME_STR}):)?(#{NCNAME_STR})"
      UNAME_STR = "(?:#{NCNAME_STR}:)?#{NCNAME_STR}"
      QNAME = /(#{QNAME_STR})/
      NAMECHAR = '[\-\w\.:]'
      NAME = "([\\w:]#{NAMECHAR}*)"
      NMTOKEN = "(?:#{NAMECHAR})+"
      NMTOKENS = "#{NMTOKEN}(\\s+#{NMTOKEN})*"
      REFERENCE = "&(?:#{NAME};|#\\d+;|#x[0-9a-fA-F]+;)"
      REFERENCE_RE = /#{REFERENCE}/
      EREFERENCE = /&(?!#{NAME};)/
      # What stands for a character: as it is found, as it is written, the character, as that is found.
      DEFAULT_ENTITIES = DocType::DEFAULT_ENTITIES.transform_values { |entity| [/&#{entity.name};/, "&#{entity.name};", entity.value, /#{entity.value}/] }
      START_TAG = /\A<((?>#{QNAME_STR}))/m
      END_TAG = %r{\A\s*</(#{QNAME_STR})\s*>}m
      ATTRIBUTE = /\s*(#{QNAME_STR})\s*=\s*(["'])(.*?)\4/m
      DECLARED = { version: /\bversion\s*=\s*["'](.*?)['"]/m, encoding: /\bencoding\s*=\s*["'](.*?)['"]/m, standalone: /\bstandalone\s*=\s*["'](.*?)['"]/m }.freeze
      XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"

      include DoctypeEvents
      attr_reader :source

      def initialize(source)
        self.stream = source
        @listeners = []
      end

      def stream=(source)
        source = SourceFactory.create_from(source)
        @source = source.instance_of?(Source) ? source.in_pieces : source
        @closed = @state = nil
        @tags, @waiting, @spaces = [], [], []
      end
      # Its `receive` gets every event that is pulled.
      def add_listener(listener) = @listeners << listener

      def empty? = @source.empty? && @waiting.empty?
      def has_next? = !empty?
      def position = @source.position
      def unshift(event) = @waiting.unshift(event)

      # The event at a place further on; the last one for -1. What stands before it is kept.
      def peek(depth = 0)
        raise %(Illegal argument "#{depth}") if depth < -1
        ahead = []
        ahead << pull until depth == -1 ? empty? : @waiting.size + ahead.size > depth
        @waiting.concat(ahead)[depth]
      end

      def pull
        event = pull_event
        @listeners.each { |listener| listener.receive(event) } unless @listeners.empty?
        event
      end

      # The text of an entity, whose own references are replaced.
      def entity(name, entities)
        value = (entities && entities[name]) || DEFAULT_ENTITIES[name]&.[](2)
        value && unnormalize(value, entities)
      end

      def normalize(text, entities = nil, filter = nil)
        text = text.gsub(EREFERENCE, "&amp;")
        entities&.each { |name, value| text.gsub!(value, "&#{name};") unless filter&.include?(name) }
        text.gsub!(EREFERENCE, "&amp;")
        DEFAULT_ENTITIES.each_value { |_, written, _, char| text.gsub!(char, written) }
        text
      end

      # As in rexml, one name after another is replaced, also in the texts that those before it stand for ("&e;&lt;" is "<<" if e is
      # "&amp;lt;"), and ampersands last, where there are names. Once for each name is enough unless such texts hold references.
      def unnormalize(text, entities = nil, filter = nil)
        text = text.gsub(/\r\n?/, "\n")
        return text unless text.include?("&")
        references = text.scan(REFERENCE_RE).flatten
        return text if references.empty?
        text = Text.numeric(text)
        names = references.compact
        return text if names.empty?
        values = names.uniq.reject { |name| filter&.include?(name) }.to_h { |name| [name, entity(name, entities)] }.compact
        order = values.each_value.any? { |value| value.include?("&") } ? names.select { |name| values.key?(name) } : values.keys
        order.inject(text) { |made, name| made.gsub("&#{name};") { values[name] } }.gsub("&amp;", "&")
      end

      def pull_event
        if @closed
          name, @closed = @closed, nil
          return [:end_element, name]
        end
        return [:end_document] if empty?
        return @waiting.shift unless @waiting.empty?
        event = prologue if @state.nil?
        event ||= doctype_event if @state == :in_doctype
        return event if event
        @source.match(/\A\s*/m, true) if @state == :after_doctype
        content
      end

      private

      def fail_with(message) = raise(ParseException.new(message, @source, self))

      # What comes before the root, unless it is an element or blank.
      def prologue
        word = @source.match(/\A(\s+|<[^>]*>)/m)&.[](1)
        case word
        when /\A<!--/ then [:comment, @source.match(/<!--(.*?)-->/m, true)[1]]
        when /\A<\?xml\s/ then xml_declaration
        when /\A<\?/ then instruction
        when /\A\s*<!DOCTYPE\s/ then doctype_start
        when /\A\s+/ then nil
        else
          @state = :after_doctype
          nil
        end
      end

      def xml_declaration
        text = @source.match(/<\?xml\s+(.*?)\?>/m, true)[1]
        version, encoding, standalone = DECLARED.values.map { |pattern| text[pattern, 1] }
        @source.encoding = encoding if encoding && !encoding.match?(/\AUTF-16\z/i)
        encoding = "UTF-16" if encoding.nil? && @source.encoding.match?(/\AUTF-16(?:BE|LE)\z/i)
        [:xmldecl, version, encoding, standalone]
      end

      def instruction
        found = @source.match(/<\?#{NAME}(\s+.*?)?\?>/mo, true) or fail_with("Invalid processing instruction node")
        [:processing_instruction, found[1], found[2]]
      end

      def content
        @source.read if @source.buffer.size < 2
        return [:text, text_piece] unless @source.buffer[0] == "<"
        case @source.buffer[1]
        when "/" then end_tag
        when "!" then comment_or_data
        when "?" then instruction
        else start_tag
        end
      rescue ParseException
        raise
      rescue StandardError => error
        raise ParseException.new("Exception parsing", @source, self, error)
      end

      def text_piece = @source.match(/\A([^<]*)/m, true)[1]

      def end_tag
        @spaces.shift
        open = @tags.pop
        found = @source.match(END_TAG, true)
        fail_with("Unexpected top-level end tag (got '#{found[1]}')") if found && !open
        fail_with("Missing end tag for '#{open}'#{" (got '#{found[1]}')" if found}") if found.nil? || open != found[1]
        [:end_element, open]
      end

      def comment_or_data
        found = @source.match(/\A(\s*[^>]*>)/m) or fail_with("Malformed node")
        if found[0][2] == "-"
          body = @source.match(/<!--(.*?)-->/m, true)[1]
          fail_with("Malformed comment") if body.include?("--") || body.end_with?("-")
          return [:comment, body]
        end
        found = @source.match(/<!\[CDATA\[(.*?)\]\]>/m, true) or fail_with("Declarations can only occur in the doctype declaration.")
        [:cdata, found[1]]
      end

      def start_tag
        found = @source.match(START_TAG, true) or fail_with("malformed XML: missing tag start")
        @state = :in_element
        used = [found[2]].compact
        @spaces.unshift([])
        pairs, closed = attributes(used)
        unknown = used.uniq.find { |prefix| @spaces.none? { |known| known.include?(prefix) } }
        raise UndefinedNamespaceException.new(unknown, @source, self) if unknown
        if closed
          @closed = found[1]
          @spaces.shift
        else
          @tags.push(found[1])
        end
        [:start_element, found[1], pairs]
      end

      # The attributes up to the end of the tag, and whether it closes the element.
      def attributes(used)
        found = @source.match(%r{^(.*?)(/)?>}m, true) or fail_with("Start tag isn't ended")
        closed = !found[2].nil?
        pairs = {}
        scan = StringScanner.new(found[1])
        until scan.eos?
          break if scan.skip(/\s+/) && scan.eos?
          at = scan.pos
          closed = longer(scan, at, closed) until scan.scan(ATTRIBUTE)
          name, prefix, local, value = scan[1], scan[2], scan[3], scan[5]
          note_prefix(prefix, local, value, used)
          fail_with("Duplicate attribute #{name.inspect}") if pairs.key?(name)
          pairs[name] = value
        end
        [pairs, closed]
      end

      # A value that holds `>` goes on behind it.
      def longer(scan, at, closed)
        name = scan.scan(/(#{QNAME_STR})/o) or fail_with("Invalid attribute name: <#{scan.rest}>")
        scan.skip(/\s*=\s*/) or fail_with("Missing attribute equal: <#{name}>")
        quote = scan.scan(/['"]/) or fail_with("Missing attribute value start quote: <#{name}>")
        return closed if scan.skip(/.*#{quote}/m)
        found = @source.match(%r{^(.*?)(/)?>}m, true) or fail_with("Missing attribute value end quote: <#{name}>: <#{quote}>")
        scan << "#{"/" if closed}>#{found[1]}"
        scan.pos = at
        !found[2].nil?
      end

      def note_prefix(prefix, local, value, used)
        if prefix == "xmlns"
          rule = "(http://www.w3.org/TR/REC-xml-names/#ns-decl)"
          fail_with("The 'xml' prefix must not be bound to any other namespace #{rule}") if local == "xml" && value != XML_NAMESPACE
          fail_with("The 'xmlns' prefix must not be declared #{rule}") if local == "xmlns"
          @spaces[0] << local
        elsif prefix && prefix != "xml"
          used << prefix
        end
      end
    end

    # Builds a document of the events.
    class TreeParser
      def initialize(source, document = Document.new)
        @here = document
        @parser = BaseParser.new(source)
        @depth = 0
        @in_doctype = false
      end
      def add_listener(listener) = @parser.add_listener(listener)

      def parse
        loop do
          event = @parser.pull
          break finish if event[0] == :end_document
          add(*event)
        end
      rescue ParseException
        raise
      rescue StandardError => error
        raise ParseException.new(error.message, @parser.source, @parser, error)
      end

      private

      def finish
        raise ParseException.new("No close tag for #{@here.xpath}", @parser.source, @parser) if @depth > 0
      end

      def add(kind, *rest)
        case kind
        when :start_element then open(*rest)
        when :end_element
          @depth -= 1
          @here = @here.parent
        when :text then text(rest[0]) unless @in_doctype
        when :comment then @here.add(Comment.new(rest[0]))
        when :cdata then @here.add(CData.new(rest[0]))
        when :processing_instruction then @here.add(Instruction.new(*rest))
        when :xmldecl then @here.add(XMLDecl.new(*rest))
        when :start_doctype
          @here = DocType.new(rest, @here)
          @in_doctype = true
        when :end_doctype
          @here = @here.parent
          @in_doctype = false
        else @here.add(declaration(kind, rest))
        end
      end

      def declaration(kind, rest)
        case kind
        when :entitydecl then Entity.new([kind, *rest])
        when :elementdecl then ElementDecl.new(rest[0])
        when :attlistdecl then AttlistDecl.new(rest)
        when :externalentity then ExternalEntity.new(rest[0])
        else NotationDecl.new(*rest)
        end
      end

      def open(name, pairs)
        @depth += 1
        @here = @here.add_element(name)
        pairs.each { |key, value| @here.attributes[key] = Attribute.new(key, value, self) }
      end

      def text(text)
        last = @here[-1]
        return last << text if last.instance_of?(Text)
        return if @here.ignore_whitespace_nodes && text.strip.empty?
        @here.add(Text.new(text, @here.whitespace, nil, true))
      end
    end

    # Tells a listener the events.
    class StreamParser
      def initialize(source, listener)
        @parser = BaseParser.new(source)
        @listener = listener
        @open = []
      end
      def add_listener(listener) = @parser.add_listener(listener)

      def parse
        loop do
          kind, *rest = @parser.pull
          break if kind == :end_document
          tell(kind, rest)
        end
        raise ParseException.new("Missing end tag for '/#{@open.join("/")}'", @parser.source) unless @open.empty?
      end

      private

      def tell(kind, rest)
        case kind
        when :start_element
          @open << rest[0]
          @listener.tag_start(rest[0], rest[1].transform_values { |value| @parser.unnormalize(value) })
        when :end_element
          @listener.tag_end(rest[0])
          @open.pop
        when :text then @listener.text(@parser.unnormalize(rest[0]))
        when :processing_instruction then @listener.instruction(*rest[0, 2])
        when :start_doctype then @listener.doctype(*rest)
        when :end_doctype then @listener.doctype_end if @listener.respond_to?(:doctype_end)
        when :comment, :attlistdecl, :cdata, :xmldecl, :elementdecl then @listener.__send__(kind, *rest)
        when :entitydecl, :notationdecl then @listener.__send__(kind, rest)
        when :externalentity then @listener.entity(rest[0].delete_prefix("%").delete_suffix(";"))
        end
      end
    end
  end
end
