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

  # What a document is read from. It is taken in up to the next `>`, as patterns need it; what begins the text comes with the
  # first such piece, so that a text of no more than three bytes is none.
  class Source
    include Encoding
    attr_reader :buffer

    def initialize(source)
      text = (source.respond_to?(:read) ? source.read : source.to_str).to_s
      @original = text
      @bytes = text.b
      @at = 3
      @buffer = +""
      @encoding = nil
      mark = { "\xFE\xFF".b => "UTF-16BE", "\xFF\xFE".b => "UTF-16LE" }.find { |bytes, _| @bytes.start_with?(bytes) }
      return start_wide(*mark) if mark
      @encoding = "UTF-8"
      @start = @bytes.byteslice(0, 3).delete_prefix("\xEF\xBB\xBF".b)
    end

    # Moves to another encoding: what is still to be read is in that one.
    def encoding=(name)
      return unless super
      @buffer = decode(@buffer.b) unless @encoding == "UTF-8"
    end

    # Takes another piece in; false at the end.
    def read
      return false if @at >= @bytes.bytesize
      stop = @bytes.index(">", @at)&.succ || @bytes.bytesize
      piece = @bytes.byteslice(@at, stop - @at)
      piece = @start + piece if @start
      @start = nil
      @at = stop
      @buffer << (@encoding == "UTF-8" || @wide ? piece.force_encoding(::Encoding::UTF_8) : decode(piece))
      true
    end

    # The match at the start of what is left, as far as it must be read for one; it is taken off when `take` is set.
    def match(pattern, take = false)
      until (found = pattern.match(@buffer))
        return nil unless read
      end
      @buffer = found.post_match if take
      found
    end

    def empty? = @buffer.empty? && @at >= @bytes.bytesize
    def position = [@at, @bytes.bytesize].min
    # Bytes read, lines ended by the reader, lines up to there.
    def current_line = [position, 0, @bytes.byteslice(0, position).lines.size]

    private

    def start_wide(mark, name)
      @encoding = name
      @wide = true
      @bytes = @bytes.byteslice(mark.bytesize..).force_encoding(name).encode(::Encoding::UTF_8).b
      @start = @bytes.byteslice(0, 1)
      @at = 1
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
      START_TAG = /\A<((?>#{QNAME_STR}))/m
      END_TAG = %r{\A\s*</(#{QNAME_STR})\s*>}m
      ATTRIBUTE = /\s*(#{QNAME_STR})\s*=\s*(["'])(.*?)\4/m
      DECLARED = { version: /\bversion\s*=\s*["'](.*?)['"]/m, encoding: /\bencoding\s*=\s*["'](.*?)['"]/m, standalone: /\bstandalone\s*=\s*["'](.*?)['"]/m }.freeze
      XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"

      include DoctypeEvents
      attr_reader :source

      def initialize(source)
        @source = source.is_a?(Source) ? source : Source.new(source)
        @closed = @state = nil
        @tags, @waiting, @spaces = [], [], []
      end

      def empty? = @source.empty? && @waiting.empty?
      def has_next? = !empty?
      def position = @source.position
      def unshift(event) = @waiting.unshift(event)

      def pull
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
          @listener.tag_start(rest[0], rest[1].transform_values { |value| plain(value) })
        when :end_element
          @listener.tag_end(rest[0])
          @open.pop
        when :text then @listener.text(plain(rest[0]))
        when :processing_instruction then @listener.instruction(*rest[0, 2])
        when :start_doctype then @listener.doctype(*rest)
        when :end_doctype then @listener.doctype_end if @listener.respond_to?(:doctype_end)
        when :comment, :attlistdecl, :cdata, :xmldecl, :elementdecl then @listener.__send__(kind, *rest)
        when :entitydecl, :notationdecl then @listener.__send__(kind, rest)
        when :externalentity then @listener.entity(rest[0].delete_prefix("%").delete_suffix(";"))
        end
      end

      def plain(text) = text.gsub(/\r\n?/, "\n").gsub(Text::REFERENCE) { |reference| Text.expand(reference, nil, nil) }
    end
  end
end
