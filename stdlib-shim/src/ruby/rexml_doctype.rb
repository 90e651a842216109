module REXML
  # An entity that a document type declares: a text, or where one is.
  class Entity < Child
    attr_reader :name, :external, :ref, :ndata, :pubid

    def initialize(first, value = nil, parent = nil, reference = false)
      super(parent)
      @ndata = @pubid = @value = @external = nil
      if first.is_a?(Array)
        declare(first)
      else
        @name, @value, @reference = first, value, reference
      end
    end

    def normalized = @value
    def unnormalized
      document&.record_entity_expansion
      text = value
      text && Text.unnormalize(text, parent)
    end

    # The text, its references to parameter entities replaced.
    def value
      return nil unless @value
      return @value.dup unless @parent
      sum = 0
      @value.scan(/%(#{Parsers::BaseParser::NAME});/o).map(&:first).reduce(@value.dup) do |text, name|
        found = @parent.entity(name)
        sum += found.bytesize
        raise "entity expansion has grown too large" if sum > Security.entity_expansion_text_limit
        text.gsub("%#{name};", found)
      end
    end

    def write(out, _indent = -1)
      out << "<!ENTITY #{"% " if @reference}#{@name} "
      if @external
        out << "#{@external} #{"#{quoted(@pubid)} " if @pubid}#{quoted(@ref)}#{" NDATA #{@ndata}" if @ndata}"
      else
        out << quoted(@value)
      end
      out << ">"
    end
    def to_s = write(+"")

    private

    # What an event tells: kind, name, and a value or where it is.
    def declare(event)
      event = event.dup
      @reference = event.last == "%"
      event.pop if @reference
      @name = event[1]
      return @value = event[2] unless event[2].match?(/SYSTEM|PUBLIC/)
      @external = event[2]
      if @external == "SYSTEM"
        @ref, @ndata = event[3], event[4]
      else
        @pubid, @ref = event[3], event[4]
      end
    end

    def quoted(text) = text.include?('"') ? "'#{text}'" : "\"#{text}\""
  end

  # The entities that every document has.
  module EntityConst
    GT = Entity.new("gt", ">")
    LT = Entity.new("lt", "<")
    AMP = Entity.new("amp", "&")
    QUOT = Entity.new("quot", '"')
    APOS = Entity.new("apos", "'")
  end

  # How many entities may be replaced, and how long their text may become.
  module Security
    @entity_expansion_limit = 10_000
    @entity_expansion_text_limit = 10_240
    class << self
      attr_accessor :entity_expansion_limit, :entity_expansion_text_limit
    end
  end

  # What a declaration says of the place of something outside.
  module ExternalId
    private

    def external_reference(kind, public_id, system_id)
      plain = context && context[:prologue_quote] == :apostrophe ? "'" : '"'
      text = +" #{kind}"
      if public_id
        quote = public_id.include?("'") ? '"' : plain
        text << " #{quote}#{public_id}#{quote}"
      end
      return text unless system_id
      quote = plain
      quote = "'" if system_id.include?('"')
      quote = '"' if system_id.include?("'")
      text << " #{quote}#{system_id}#{quote}"
    end
  end

  class DocType < Parent
    include ExternalId
    START = "<!DOCTYPE"
    STOP = ">"
    DEFAULT_ENTITIES = [EntityConst::GT, EntityConst::LT, EntityConst::QUOT, EntityConst::APOS].to_h { |entity| [entity.name, entity] }
    attr_reader :name, :external_id, :entities, :namespaces

    def initialize(first, second = nil)
      @entities = DEFAULT_ENTITIES
      @long_name = @uri = nil
      case first
      when String
        super()
        @name, @external_id = first, second
      when DocType
        super(second)
        @name, @external_id, @long_name, @uri = first.name, first.external_id, first.long_name, first.uri
      when Array
        super(second)
        @name, @external_id, @long_name, @uri = first
      else super()
      end
    end
    attr_reader :long_name, :uri
    protected :long_name, :uri

    def node_type = :doctype
    def clone = DocType.new(self)
    def context = @parent&.context
    def entity(name) = @entities[name]&.unnormalized
    def public = @external_id == "PUBLIC" ? @long_name : nil
    def system
      case @external_id
      when "SYSTEM" then @long_name
      when "PUBLIC" then @uri
      end
    end
    def notations = children.grep(NotationDecl)
    def notation(name) = notations.find { |each| each.name == name }

    def add(child)
      super
      @entities = DEFAULT_ENTITIES.dup if @entities.equal?(DEFAULT_ENTITIES)
      @entities[child.name] = child if child.is_a?(Entity)
    end

    # What the lists of attributes give an element by default.
    def attributes_of(element) = grep(AttlistDecl).select { |list| list.element_name == element }.flat_map { |list| list.map { |key, value| Attribute.new(key, value) } }
    def attribute_of(element, name) = grep(AttlistDecl).find { |list| list.element_name == element && list.include?(name) }&.[](name)

    def write(out, indent = 0, *)
      out << "  " * indent if indent > 0
      out << "#{START} #{@name}"
      out << external_reference(@external_id, @long_name, @uri) if @external_id
      unless @children.empty?
        out << " ["
        formatter = Formatters::Default.new
        @children.each do |child|
          out << "\n"
          formatter.write(child, out)
        end
        out << "\n]"
      end
      out << STOP
    end
  end

  # A declaration that is kept as it was written.
  class Declaration < Child
    def initialize(source)
      super()
      @string = source
    end
    def to_s = "#{@string}>"
    def write(out, _indent = -1) = out << to_s
  end
  class ElementDecl < Declaration; end

  class ExternalEntity < Child
    def initialize(source)
      super()
      @entity = source
    end
    def to_s = @entity
    def write(out, _indent = -1) = out << @entity
  end

  class NotationDecl < Child
    include ExternalId
    attr_reader :name
    attr_accessor :public, :system
    def initialize(name, kind, public_id, system_id)
      super()
      @name, @kind, @public, @system = name, kind, public_id, system_id
    end
    def context = parent&.context
    def to_s = "<!NOTATION #{@name}#{external_reference(@kind, @public, @system)}>"
    def write(out, _indent = -1) = out << to_s
  end

  class AttlistDecl < Child
    include Enumerable
    attr_reader :element_name
    def initialize(source)
      super()
      @element_name, @pairs, @contents = source
    end
    def [](key) = @pairs[key]
    def include?(key) = @pairs.key?(key)
    def each(&block) = @pairs.each(&block)
    def node_type = :attlistdecl
    def write(out, _indent = -1) = out << @contents
  end

  module Parsers
    # The events of a document type.
    module DoctypeEvents
      NAME = "([\\w:][\\-\\w.:]*)"
      PUBLIC_CHARACTER = "\\x20\\x0D\\x0Aa-zA-Z0-9\\-()+,./:=?;!*@$_%#"
      SYSTEM_LITERAL = %q{((?:"[^"]*")|(?:'[^']*'))}
      PUBLIC_LITERAL = %Q{("[#{PUBLIC_CHARACTER}']*"|'[#{PUBLIC_CHARACTER}]*')}
      REFERENCE = "&(?:[\\w:][\\-\\w.:]*;|#\\d+;|#x[0-9a-fA-F]+;)"
      EXTERNAL = "(?:(SYSTEM)\\s+#{SYSTEM_LITERAL}|(PUBLIC)\\s+#{PUBLIC_LITERAL}\\s+#{SYSTEM_LITERAL})"
      VALUE = %Q{("(?:[^%&"]|%[\\w:][\\-\\w.:]*;|#{REFERENCE})*"|'(?:[^%&']|%[\\w:][\\-\\w.:]*;|#{REFERENCE})*')}
      ENTITY = /\s*<!ENTITY\s+(?:(%)\s+)?#{NAME}\s+(?:#{VALUE}|#{EXTERNAL}(?:\s+NDATA\s+#{NAME})?)\s*>/m
      WORD = "[-\\w.:]+"
      KIND = "(CDATA|ID|IDREF|IDREFS|ENTITY|ENTITIES|NMTOKEN|NMTOKENS|(?:NOTATION\\s+)?\\(\\s*#{WORD}(?:\\s*\\|\\s*#{WORD})*\\s*\\))"
      DEFAULT = %Q{(#REQUIRED|#IMPLIED|(?:(#FIXED\\s+)?(?:"((?:[^<&"]|#{REFERENCE})*)"|'((?:[^<&']|#{REFERENCE})*)')))}
      ATTRIBUTE_RULE = /\s+#{NAME}\s+#{KIND}\s+#{DEFAULT}/
      private_constant :NAME, :REFERENCE

      private

      def doctype_start
        @source.match(/\A\s*<!DOCTYPE\s/m, true)
        @spaces.unshift([])
        name = declared_name("Malformed DOCTYPE")
        id = [nil, nil, nil]
        unless doctype_opened?
          id = declared_id("Malformed DOCTYPE", false)
          id = [id[0], id[2], nil] if id[0] == "SYSTEM"
          doctype_opened? or fail_with("Malformed DOCTYPE: garbage after external ID")
        end
        if @state == :after_doctype
          @source.match(/\A\s*/m, true)
          @waiting << [:end_doctype]
        end
        [:start_doctype, name, *id]
      end

      def doctype_opened?
        if @source.match(/\A\s*\[/m, true) then @state = :in_doctype
        elsif @source.match(/\A\s*>/m, true) then @state = :after_doctype
        end
      end

      def doctype_event
        word = @source.match(/\A\s*(.*?>)/m)[1]
        case word
        when /\A\s*(%.*?;)\s*$/m then [:externalentity, @source.match(/\A\s*(%.*?;)\s*$/m, true)[1]]
        when /\A\s*<!ELEMENT/ then [:elementdecl, @source.match(/\A\s*(<!ELEMENT.*?)>/m, true)[1]]
        when /\A\s*<!ENTITY/ then entity_declaration
        when /\A\s*<!ATTLIST/ then attribute_list
        when /\A\s*<!NOTATION/ then notation
        when /\A\s*\]\s*>/
          @state = :after_doctype
          @source.match(/\A\s*\]\s*>/m, true)
          [:end_doctype]
        end
      end

      def entity_declaration
        found = @source.match(ENTITY, true)
        percent, name, value, system, place, public, public_id, public_place, data = (1..9).map { |at| found[at] }
        event = [:entitydecl, name]
        if value then event << value[1..-2]
        elsif system then event.push(system, place[1..-2], *data)
        else event.push(public, public_id[1..-2], public_place[1..-2])
        end
        percent ? event << "%" : event
      end

      def attribute_list
        found = @source.match(/\A\s*<!ATTLIST\s+#{NAME}(?:#{ATTRIBUTE_RULE})*\s*>/mo, true) or fail_with("Bad ATTLIST declaration!")
        pairs = {}
        found[0].scan(ATTRIBUTE_RULE) do |name, _kind, _rule, _fixed, double, single|
          pairs[name] = double || single
          @spaces[0] << name.delete_prefix("xmlns:") if name.start_with?("xmlns:")
        end
        [:attlistdecl, found[1], pairs, found[0]]
      end

      def notation
        unless @source.match(/\A\s*<!NOTATION\s+/m, true)
          fail_with("Malformed notation declaration: #{@source.match(/\A\s*<!NOTATION\s*>/m) ? "name is missing" : "invalid declaration name"}")
        end
        name = declared_name("Malformed notation declaration")
        id = declared_id("Malformed notation declaration", true)
        @source.match(/\A\s*>/m, true) or fail_with("Malformed notation declaration: garbage before end >")
        [:notationdecl, name, *id]
      end

      def declared_name(message)
        found = @source.match(/\A\s*#{NAME}/mo, true)
        fail_with("#{message}: #{@source.match(/\A\s*\S/m) ? "invalid name" : "name is missing"}") unless found
        found[1]
      end

      def declared_id(message, public_alone)
        if (found = @source.match(/\A\s*PUBLIC\s+#{PUBLIC_LITERAL}\s+#{SYSTEM_LITERAL}\s*/mo, true)) then ["PUBLIC", found[1][1..-2], found[2][1..-2]]
        elsif public_alone && (found = @source.match(/\A\s*PUBLIC\s+#{PUBLIC_LITERAL}\s*/mo, true)) then ["PUBLIC", found[1][1..-2], nil]
        elsif (found = @source.match(/\A\s*SYSTEM\s+#{SYSTEM_LITERAL}\s*/mo, true)) then ["SYSTEM", nil, found[1][1..-2]]
        else fail_with("#{message}: #{id_fault(public_alone)}")
        end
      end

      def id_fault(public_alone)
        if @source.match(/\A\s*PUBLIC/m)
          return "public ID literal is missing" if @source.match(/\A\s*PUBLIC(?:\s+[^'"]|\s*[\[>])/m)
          return "invalid public ID literal" unless @source.match(/\A\s*PUBLIC\s+#{PUBLIC_LITERAL}/mo)
          return "garbage after public ID literal" unless public_alone
          return "system ID literal is missing" if @source.match(/\A\s*PUBLIC\s+#{PUBLIC_LITERAL}\s+[^'"]/mo)
          @source.match(/\A\s*PUBLIC\s+#{PUBLIC_LITERAL}\s+#{SYSTEM_LITERAL}/mo) ? "garbage after system literal" : "invalid system literal"
        elsif @source.match(/\A\s*SYSTEM/m)
          return "system literal is missing" if @source.match(/\A\s*SYSTEM(?:\s+[^'"]|\s*[\[>])/m)
          @source.match(/\A\s*SYSTEM\s+#{SYSTEM_LITERAL}/mo) ? "garbage after system literal" : "invalid system literal"
        else @source.match(/\A\s*(?:PUBLIC|SYSTEM)\s/m) ? "ID type is missing" : "invalid ID type"
        end
      end
    end
  end
end
