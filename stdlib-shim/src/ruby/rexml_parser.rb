module REXML
  # Reads text into a Document; ParseException tells what is not well-formed.
  class Parser
    NAME = /[[:alpha:]_:][[:alnum:]_:.\-·]*/

    def initialize(source, document)
      source = source.read if source.respond_to?(:read)
      text = source.to_s.dup
      text = decode(text)
      @scan = StringScanner.new(text)
      @document = document
      @open = [document]
    end

    def parse
      @scan.skip(/\uFEFF/)
      step until @scan.eos?
      @document
    end

    private

    def fail_with(message)
      line = @scan.string.byteslice(0, @scan.pos).count("\n") + 1
      raise ParseException.new("#{message}\nLine: #{line}\nPosition: #{@scan.pos}\nLast 80 unconsumed characters:\n#{@scan.rest[0, 80]}", @scan)
    end

    def decode(text)
      bytes = text.b
      if bytes.start_with?("\xFE\xFF".b) then return text.dup.force_encoding("UTF-16BE").encode("UTF-8")
      elsif bytes.start_with?("\xFF\xFE".b) then return text.dup.force_encoding("UTF-16LE").encode("UTF-8")
      end
      name = bytes[/\A\s*<\?xml[^>]*encoding\s*=\s*["']([^"']+)["']/n, 1]
      return text.force_encoding("UTF-8") if name.nil? && text.encoding == Encoding::BINARY
      return text.encode("UTF-8") if name.nil? || text.encoding != Encoding::BINARY && text.encoding != Encoding::UTF_8
      return text.force_encoding("UTF-8") if name.match?(/\Autf-?8\z/i)
      text.force_encoding("UTF-8").valid_encoding? ? text : text.force_encoding(name).encode("UTF-8")
    rescue EncodingError, ArgumentError => error
      raise ParseException, error.message
    end

    def here = @open.last

    def step
      if @scan.skip(/<\?/) then instruction
      elsif @scan.skip(/<!--/) then comment
      elsif @scan.skip(/<!\[CDATA\[/) then cdata
      elsif @scan.skip(/<!DOCTYPE\s+/) then doctype
      elsif @scan.skip(%r{</}) then close
      elsif @scan.skip(/</) then open
      else text
      end
    end

    def comment
      body = @scan.scan_until(/-->/) or fail_with("Malformed comment")
      Comment.new(body[0...-3]).then { |made| here << made }
    end

    def cdata
      body = @scan.scan_until(/\]\]>/) or fail_with("Malformed CDATA")
      here << CData.new(body[0...-3])
    end

    def instruction
      body = @scan.scan_until(/\?>/) or fail_with("Malformed processing instruction")
      body = body[0...-2]
      target, content = body.split(/\s+/, 2)
      fail_with("Malformed XML: Invalid processing instruction node: invalid name") unless target&.match?(/\A#{NAME}\z/)
      return declaration(content.to_s) if target == "xml"
      here << Instruction.new(target, content)
    end

    def declaration(content)
      fail_with("Malformed XML: XML declaration is not at the start") unless @document.children.empty?
      version = content[/version\s*=\s*["']([^"']*)["']/, 1] || "1.0"
      made = XMLDecl.new(version, content[/encoding\s*=\s*["']([^"']*)["']/, 1], content[/standalone\s*=\s*["']([^"']*)["']/, 1])
      @document << made
    end

    def doctype
      name = @scan.scan(NAME) or fail_with("Malformed DOCTYPE: invalid name")
      head = @scan.scan(/(?:[^\[>"']|"[^"]*"|'[^']*')*/)
      subset = nil
      if @scan.skip(/\[/)
        subset = @scan.scan_until(/\]\s*(?=>)/) or fail_with("Malformed DOCTYPE")
        subset = subset.rstrip[0...-1]
      end
      @scan.skip(/\s*>/) or fail_with("Malformed DOCTYPE")
      head = head.strip
      @document << DocType.new(name, head.empty? ? nil : head, subset)
    end

    def text
      body = @scan.scan(/[^<]+/)
      if here.equal?(@document)
        @document << Text.new(body, true, nil, true)
        return
      end
      if (bad = body[/&(?!#\d+;|#x\h+;|[[:alpha:]_:][[:alnum:]_:.\-]*;)/])
        fail_with("#<RuntimeError: Illegal character #{bad.inspect} in raw string #{body.inspect}>")
      end
      blank = body.strip.empty?
      return if blank && here.ignore_whitespace_nodes
      body = body.squeeze(" \n\t") if compress?
      here << Text.new(body, true, nil, true)
    end

    def compress?
      setting = @document.context[:compress_whitespace]
      setting == :all || (setting.is_a?(Array) && setting.include?(here.expanded_name))
    end

    def open
      name = @scan.scan(NAME) or fail_with("malformed XML: missing tag start")
      fail_with("#<RuntimeError: attempted adding second root element to document>") if here.equal?(@document) && @document.root
      element = Element.new(name, nil, @document.context)
      loop do
        spaced = @scan.skip(/\s+/)
        if @scan.skip(%r{/>})
          attach(element)
          return
        elsif @scan.skip(/>/)
          attach(element)
          @open << element
          return
        end
        attribute(element, spaced)
      end
    end

    def attach(element)
      here << element
      names = [element.prefix, *element.attributes.to_a.map(&:prefix)]
      names.each do |prefix|
        next if prefix.to_s.empty? || %w(xmlns xml).include?(prefix)
        raise UndefinedNamespaceException.new(prefix, @scan) if element.namespace(prefix).nil?
      end
    end

    def attribute(element, spaced)
      fail_with("Missing attribute value start quote: <#{element.expanded_name}>") if @scan.eos?
      name = @scan.scan(NAME)
      fail_with("Invalid attribute name: <#{@scan.rest[/\A[^\s>]*/]}>") unless name && spaced
      @scan.skip(/\s*=\s*/) or fail_with("Missing attribute equal: <#{name}>")
      quote = @scan.scan(/["']/) or fail_with("Missing attribute value start quote: <#{name}>")
      value = @scan.scan_until(/(?=#{quote})/) or fail_with("Missing attribute value end quote: <#{name}>: <#{quote}>")
      @scan.getch
      fail_with("Malformed node: < in attribute value: <#{name}>") if value.include?("<")
      fail_with("Duplicate attribute #{name.inspect}") if element.attributes.key?(name)
      element.attributes << Attribute.read(name, value, element)
    end

    def close
      name = @scan.scan(NAME) or fail_with("Missing end tag name")
      @scan.skip(/\s*>/) or fail_with("Malformed end tag: #{name}")
      fail_with("Unexpected top-level end tag (got '#{name}')") if here.equal?(@document)
      fail_with("Missing end tag for '#{here.expanded_name}' (got '#{name}')") unless here.expanded_name == name
      @open.pop
    end
  end
end
