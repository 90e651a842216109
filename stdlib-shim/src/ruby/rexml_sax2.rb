require "rexml/document"

module REXML
  # The callbacks of SAX2Parser; a listener overrides those that it wants.
  module SAX2Listener
    def start_document = nil
    def end_document = nil
    def start_prefix_mapping(_prefix, _uri) = nil
    def end_prefix_mapping(_prefix) = nil
    def start_element(_uri, _local_name, _name, _attributes) = nil
    def end_element(_uri, _local_name, _name) = nil
    def characters(_text) = nil
    def processing_instruction(_target, _data) = nil
    def doctype(_name, _pub_sys, _long_name, _uri) = nil
    def attlistdecl(_element, _pairs, _contents) = nil
    def elementdecl(_content) = nil
    def entitydecl(_declaration) = nil
    def notationdecl(_name, _public_or_system, _public_id, _system_id) = nil
    def cdata(_content) = nil
    def xmldecl(_version, _encoding, _standalone) = nil
    def comment(_comment) = nil
    def progress(_position) = nil
  end

  module Parsers
    # Tells blocks and listeners the events that they asked for, by kind and by the name of the element.
    class SAX2Parser
      # What was asked for: any kind and any name where these are nil.
      Wish = Struct.new(:kind, :name, :receiver) do
        def for?(kind, element) = (self.kind.nil? || self.kind == kind) && (name.nil? || name === element)
      end
      private_constant :Wish

      def initialize(source)
        @parser = BaseParser.new(source)
        @blocks, @listeners = [], []
        @open, @spaces = [], []
        @entities = {}
      end

      def source = @parser.source
      def add_listener(listener) = @parser.add_listener(listener)

      # A kind, names, or both with a block; names and a listener; or a listener for all. Of what is asked for twice, only a kind with names
      # is told twice.
      def listen(*args, &block)
        case args[0]
        when Symbol
          return args[1].each { |name| @blocks << Wish.new(args[0], name, block) } if args.size == 2
          add(args[0], nil, block)
        when Array
          args[0].each { |name| args.size == 2 ? add(nil, name, args[1]) : add(:start_element, name, block) }
        else add(nil, nil, args[0])
        end
      end

      def deafen(listener = nil, &block)
        (listener ? @listeners : @blocks).reject! { |wish| wish.receiver == (listener || block) }
      end

      def parse
        @blocks.each { |wish| wish.receiver.call if wish.kind == :start_document }
        @listeners.each { |wish| wish.receiver.start_document if wish.kind == :start_document || wish.kind.nil? }
        loop do
          kind, *rest = @parser.pull
          break if kind == :end_document
          read(kind, rest)
          tell(:progress, @parser.position)
        end
        tell(:end_document)
        nil
      end

      private

      def read(kind, rest)
        case kind
        when :start_element then start(*rest)
        when :end_element then stop(*rest)
        when :start_doctype then tell(:doctype, *rest)
        when :text then tell(:characters, Text.numeric(with_entities(rest[0])))
        when :entitydecl then tell(kind, entity(rest))
        when :processing_instruction, :comment, :attlistdecl, :elementdecl, :cdata, :notationdecl, :xmldecl then tell(kind, *rest)
        end
      end

      def add(kind, name, receiver)
        wish = Wish.new(kind, name, receiver)
        wishes = receiver.respond_to?(:call) ? @blocks : @listeners
        wishes << wish unless wishes.include?(wish)
      end

      def tell(kind, *args, about: @open.last)
        @blocks.select { |wish| wish.for?(kind, about) }.each { |wish| wish.receiver.call(*args) }
        @listeners.select { |wish| wish.for?(kind, about) }.each { |wish| wish.receiver.__send__(kind, *args) }
      end

      # Attributes are told with their characters escaped.
      def start(name, attributes)
        @open.push(name)
        attributes.transform_values! { |value| @parser.normalize(value) }
        @spaces.push({})
        attributes.each do |key, value|
          next unless key.match?(/\Axmlns(:|\z)/)
          @spaces.last[key[6..]] = value
          tell(:start_prefix_mapping, key[6..], value, about: name)
        end
        tell(:start_element, *names(name), name, attributes, about: name)
      end

      def stop(name)
        @open.pop
        tell(:end_element, *names(name), name, about: name)
        @spaces.pop.each_key { |prefix| tell(:end_prefix_mapping, prefix, about: name) }
      end

      # The namespace and the local name.
      def names(name)
        prefix, local = Namespace::SPLIT.match(name)&.captures
        [@spaces.reverse_each.find { |known| known[prefix] }&.[](prefix), local]
      end

      # The references to what the document declares; the others stay.
      def with_entities(text)
        text.gsub(/&#{XMLTokens::NAME};/o) { |reference| @entities.key?($1) ? with_entities(@entities[$1]) : reference }
      end

      # What a declaration tells: a percent sign stands first there, and NDATA before its name.
      def entity(rest)
        rest = rest.dup
        @entities[rest[0]] = rest[1] if rest.size == 2
        percent = rest.last == "%" && rest.size > 2
        if percent
          rest.unshift(rest.pop)
        elsif (at = { "SYSTEM" => 3, "PUBLIC" => 4 }[rest[1]]) && rest.size == at + 1
          rest.insert(at, "NDATA")
        end
        rest
      end
    end
  end
end
