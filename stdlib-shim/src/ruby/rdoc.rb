# Text in RDoc's markup as HTML. The generator of documentation, other formats and the colours of Ruby code are not here.
require "cgi/util"

module RDoc
  VERSION = "6.4.1.1"

  class Error < RuntimeError; end

  # What a converter asks of the program's options.
  class Options
    attr_accessor :pipe, :hyperlink_all, :show_hash, :warn_missing_rdoc_ref, :output_decoration, :encoding, :charset

    def initialize
      @pipe = @hyperlink_all = @show_hash = false
      @output_decoration = true
      @encoding = Encoding::UTF_8
      @charset = "UTF-8"
    end
  end

  module Text
    module_function

    # Quotes, dashes, dots and signs as typesetters have them; the argument is HTML without tags.
    def to_html(text)
      marked = text.gsub(/\(c\)|&copy;/i, "©").gsub(/\(r\)|&reg;/i, "®").gsub("---", "—").gsub("--", "–").gsub(/\.\.\./, "…")
      marked = marked.gsub(/(\A|[\s(\[])&quot;/) { "#{$1}“" }.gsub("&quot;", "”")
      marked = marked.gsub(/(\A|[\s(\[])'/) { "#{$1}‘" }.gsub("'", "’")
      marked.gsub(/``/, "“").gsub(/’’/, "”")
    end
  end

  class Markup
    # A line of the source: how far it is indented, and its text.
    Line = Struct.new(:indent, :text)
    # A part of a document; `kind` is :heading, :paragraph, :verbatim, :rule, or :list, whose items are pairs of a label and blocks.
    Block = Struct.new(:kind, :value, :detail)

    # Reads a text as blocks.
    module Parser
      ITEM = /\A(?:([*-])|(\d+)\.|([a-z])\.|([A-Z])\.|\[([^\]]*)\]|(\S.*?)::)(?:[ \t]+|\z)/
      private_constant :ITEM

      module_function

      def parse(text)
        lines = text.to_s.gsub("\r\n", "\n").gsub("\t", "        ").lines(chomp: true).map { |line| Line.new(line[/\A */].size, line.strip) }
        blocks(lines)
      end

      def blocks(lines)
        margin = lines.reject { |line| line.text.empty? }.map(&:indent).min || 0
        made = []
        at = 0
        while at < lines.size
          line = lines[at]
          if line.text.empty?
            at += 1
          elsif line.indent > margin
            at = verbatim(lines, at, margin, made)
          elsif (heading = line.text.match(/\A(={1,6})\s*(\S.*)\z/)) || (heading = line.text.match(/\A(\#{2,6})\s+(\S.*)\z/))
            made << Block.new(:heading, heading[2], heading[1].size)
            at += 1
          elsif line.text.match?(/\A-{3,}\z/)
            made << Block.new(:rule)
            at += 1
          elsif line.text.match?(ITEM)
            at = list(lines, at, margin, made)
          else
            at = paragraph(lines, at, margin, made)
          end
        end
        made
      end

      def paragraph(lines, at, margin, made)
        words = []
        while at < lines.size && !lines[at].text.empty? && lines[at].indent == margin && (words.empty? || !lines[at].text.match?(/\A={1,6}\s*\S|\A-{3,}\z/) && !lines[at].text.match?(ITEM))
          words << lines[at].text
          at += 1
        end
        made << Block.new(:paragraph, words.join(" "))
        at
      end

      def verbatim(lines, at, margin, made)
        from = at
        at += 1 while at < lines.size && (lines[at].text.empty? || lines[at].indent > margin)
        part = lines[from...at]
        part.pop while part.last.text.empty?
        least = part.reject { |line| line.text.empty? }.map(&:indent).min
        made << Block.new(:verbatim, part.map { |line| line.text.empty? ? "\n" : "#{" " * (line.indent - least)}#{line.text}\n" }.join)
        at
      end

      # Items of one kind; what is indented as far as an item's text belongs to it.
      def list(lines, at, margin, made)
        kind = kind_of(lines[at].text)
        items = []
        while at < lines.size
          at += 1 while at < lines.size && lines[at].text.empty? && following(lines, at)&.then { |line| line.indent == margin && kind_of(line.text) == kind }
          break unless at < lines.size && lines[at].indent == margin && kind_of(lines[at].text) == kind
          match = lines[at].text.match(ITEM)
          label = match[5] || match[6]
          width = match.end(0)
          own = match.post_match.empty? ? [] : [Line.new(margin + width, match.post_match)]
          at += 1
          while at < lines.size && (lines[at].text.empty? ? following(lines, at)&.indent.to_i > margin : lines[at].indent > margin)
            own << lines[at]
            at += 1
          end
          own.each { |line| line.indent = [line.indent, own.first.indent].min if !line.text.match?(ITEM) && line.indent < own.first.indent }
          items << [label, blocks(own)]
        end
        made << Block.new(:list, items, kind)
        at
      end

      def following(lines, at) = lines[at..].find { |line| !line.text.empty? }

      def kind_of(text)
        match = text.match(ITEM) or return nil
        if match[1] then :bullet
        elsif match[2] then :number
        elsif match[3] then :lower
        elsif match[4] then :upper
        elsif match[5] then :label
        else :note
        end
      end
    end

    def self.parse(text) = Parser.parse(text)

    def convert(input, formatter) = formatter.convert(input)

    class Formatter
      def initialize(options, markup = nil)
        @options = options
        @markup = markup || Markup.new
      end
    end

    class ToHtml < Formatter
      LISTS = {
        bullet: ["<ul>", "</ul>"], number: ["<ol>", "</ol>"], lower: ['<ol style="list-style-type: lower-alpha">', "</ol>"],
        upper: ['<ol style="list-style-type: upper-alpha">', "</ol>"], label: ['<dl class="rdoc-list label-list">', "</dl>"], note: ['<dl class="rdoc-list note-list">', "</dl>"]
      }.freeze
      TAGS = { "*" => "strong", "_" => "em", "+" => "code", "b" => "strong", "em" => "em", "i" => "em", "tt" => "code", "code" => "code" }.freeze
      INLINE = %r{\\([*_+<{\\])|<(b|em|i|tt|code)>(.*?)</\2>|(?<![\w*+])([*_+])(?=\S)([\w#.:?!*+-]*?\w[?!]?)\4(?![\w*+])|\{([^}]*)\}\[([^\]\s]+)\]|(\w+)\[((?:https?|mailto|ftp):[^\]\s]+)\]|((?:https?|ftp)://[^\s<>"]*[\w/])}m
      private_constant :LISTS, :TAGS, :INLINE

      attr_accessor :code_object, :from_path

      def convert(text) = render(Markup.parse(text))

      # A text within a paragraph.
      def to_html(text)
        at = 0
        made = +""
        while (match = INLINE.match(text, at))
          made << plain(text[at...match.begin(0)]) << inline(match)
          at = match.end(0)
        end
        made << plain(text[at..])
      end

      private

      def render(blocks) = blocks.map { |block| __send__(block.kind, block) }.join

      def heading(block)
        level = [block.detail, 6].min
        name = "label-#{CGI.escape(block.value.gsub(/[*_+]/, "")).gsub("%", "-").delete_prefix("-")}"
        links = @options.pipe || !@options.output_decoration ? "" : "<span><a href=\"##{name}\">&para;</a> <a href=\"#top\">&uarr;</a></span>"
        "\n<h#{level} id=\"#{name}\">#{to_html(block.value)}#{links}</h#{level}>\n"
      end

      def paragraph(block) = "\n<p>#{to_html(block.value)}</p>\n"
      def verbatim(block) = "\n<pre>#{CGI.escapeHTML(block.value)}</pre>\n"
      def rule(_block) = "<hr>\n"

      def list(block)
        opening, closing = LISTS.fetch(block.detail)
        items = block.value.map do |label, blocks|
          label ? "<dt>#{to_html(label)}\n<dd>#{render(blocks)}</dd>" : "<li>#{render(blocks)}</li>"
        end
        "#{opening}#{items.join}#{closing}\n"
      end

      def plain(text) = Text.to_html(CGI.escapeHTML(text).gsub("&#39;", "'"))

      def inline(match)
        if match[1] then CGI.escapeHTML(match[1])
        elsif match[2] then tagged(TAGS[match[2]], match[3])
        elsif match[4] then tagged(TAGS[match[4]], match[5])
        elsif match[6] then link(match[7], to_html(match[6]))
        elsif match[8] then link(match[9], plain(match[8]))
        else link(match[10], plain(match[10].sub(%r{\A\w+://}, "")))
        end
      end

      def tagged(tag, text) = "<#{tag}>#{tag == "code" ? CGI.escapeHTML(text) : to_html(text)}</#{tag}>"
      def link(address, shown) = "<a href=\"#{CGI.escapeHTML(address)}\">#{shown}</a>"
    end
  end
end
