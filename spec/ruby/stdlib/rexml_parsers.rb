# Documents event by event: pulled, told to listeners, and as bare trees.
require "rexml/parsers/pullparser"
require "rexml/parsers/sax2parser"
require "rexml/parsers/streamparser"
require "rexml/parsers/lightparser"
require "rexml/parsers/ultralightparser"
require "rexml/sax2listener"
require "rexml/streamlistener"
require "rexml/xmltokens"
require "stringio"
include REXML

def try(label)
  puts "#{label}: #{yield.inspect}"
rescue StandardError => error
  puts "#{label}: #{error.class}: #{error.message.lines.first.to_s.chomp}"
end

class Teller
  def method_missing(name, *args) = puts("  #{name} #{args.inspect}")
  def respond_to_missing?(name, all = false) = %i(call to_ary).none?(name)
  def receive(event) = puts("  receive #{event.inspect}")
end

DOCUMENTS = [
  "<a/>",
  "<a b='1' c=\"2\">t&lt;x&#65;&#x42;&amp;&unknown;</a>",
  "<?xml version='1.0' encoding='UTF-8'?>\n<!-- c --><r xmlns='u' xmlns:p='v'><p:x p:y='z&quot;>\"'/>some > text\r\nmore<![CDATA[<&>]]><?pi data?></r>\n",
  "<!DOCTYPE r SYSTEM 'x.dtd' [<!ENTITY e 'val'><!ENTITY f 'F&#33;'><!ENTITY % pe 'pp'><!ENTITY x SYSTEM 'a.txt'><!ENTITY y PUBLIC 'pub' 'b.txt'>" \
  "<!ENTITY z SYSTEM 'c.gif' NDATA gif><!ENTITY % q SYSTEM 'q'><!NOTATION gif PUBLIC 'g'><!ELEMENT r (#PCDATA)><!ATTLIST r a CDATA 'dd'>]>" \
  "<r a='&e;'>x&e;y &f; &lt;</r>",
  "<a><b></a>", "<a", "", "abc", "<a><b/>", "</a>", "<a>\u263Aé</a>", "<a><p:b/></a>", "<a b='1' b='2'/>",
  "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>".b,
  "<r><a xmlns:q='1'><q:b xmlns:q='2'/><q:c/></a><a2/></r>", "  <a/>  ", "<a>a > b > c</a>",
].freeze

DOCUMENTS.each_with_index do |text, at|
  try("pull #{at}") do
    parser = Parsers::PullParser.new(text.dup)
    parser.each { |event| puts "  #{event.inspect} #{[event[0], event[0..1], event[0, 2], event.text?, event.start_element?, event.doctype?, event.instruction?].inspect}" }
  end
  try("peek #{at}") do
    parser = Parsers::PullParser.new(text.dup)
    [parser.peek, parser.peek(2), parser.pull, parser.peek, parser.unshift(3), parser.pull, parser.pull, parser.has_next?, parser.empty?]
  end
  try("base #{at}") do
    parser = Parsers::BaseParser.new(text.dup)
    parser.add_listener(Teller.new)
    [parser.peek, parser.peek(1), parser.pull, parser.peek(-1), parser.position]
  end
  try("sax #{at}") do
    parser = Parsers::SAX2Parser.new(text.dup)
    parser.listen(Teller.new)
    parser.parse
  end
  try("blocks #{at}") do
    parser = Parsers::SAX2Parser.new(StringIO.new(text))
    %i(start_document end_document start_element progress start_prefix_mapping).each { |kind| parser.listen(kind) { |*args| puts "  #{kind} #{args}" } }
    parser.listen(:characters, ["r", /p/]) { |data| puts "  matched #{data}" }
    parser.listen(%w(a p)) { |*args| puts "  named #{args}" }
    parser.listen(["b", /^q:/], Teller.new)
    parser.parse
  end
  try("stream #{at}") { Parsers::StreamParser.new(text.dup, Teller.new).parse }
  try("light #{at}") { Parsers::LightParser.new(text.dup).parse }
  try("ultralight #{at}") { Parsers::UltraLightParser.new(StringIO.new(text)).parse }
end

try("deafened") do
  parser = Parsers::SAX2Parser.new("<a>b</a>")
  listener = Teller.new
  block = proc { |*args| puts args.inspect }
  parser.listen(listener)
  parser.listen(:start_element, &block)
  parser.deafen(listener)
  parser.deafen(&block)
  parser.parse
end
try("no stream") { Parsers::PullParser.new(3) }
try("sources") { [SourceFactory.create_from("x").class, SourceFactory.create_from(StringIO.new("x")).class] }
try("source") do
  source = Source.new("<a>b</a>")
  [source.buffer, source.match(/<a>/, true), source.scan(/[a-z]/), source.consume(/b/), source.match_to("x", /a/), source.match_to_consume("a", /a>/), source.empty?]
end
try("encoded") { [Source.new("a\xE9".b, "ISO-8859-1").buffer, Source.new("\uFEFFabc").buffer] }

parser = Parsers::BaseParser.new("<a/>")
["&lt;a&gt; &amp; &#65; &#x41; &e; &f; &none; \r\n x", "plain", "&amp;lt;", "&quot;&apos;", "a<b>\"'&c &d;"].each do |text|
  [nil, { "e" => "val&f;", "f" => "F" }].each { |entities| try(text.inspect) { [parser.unnormalize(text, entities), parser.unnormalize(text, entities, ["e"]), parser.normalize(text, entities)] } }
end
try("entities") { [parser.entity("lt", nil), parser.entity("amp", nil), parser.entity("e", { "e" => "1&lt;" }), parser.entity("zz", {})] }
XMLTokens.constants.sort.each { |name| try(name) { ["aé:b-3", "&a;", "9-"].map { |text| text[/#{XMLTokens.const_get(name)}/] } } }

reader, writer = IO.pipe
writer << "<stream><message>hi</message>"
parser = Parsers::PullParser.new(reader)
try("as it comes") { Array.new(4) { parser.pull } }
writer << "<x/></stream>"
writer.close
try("the rest") { Array.new(4) { parser.pull } }

require "rexml/document"
class Bare
  def initialize(text) = @text = StringIO.new(text)
  def read(size) = @text.read(size)
  def readline(stop) = @text.readline(stop)
  def eof? = @text.eof?
end
try("no gets") { Document.new(Bare.new("<a><b>c > d</b></a>")).to_s }
try("long source") { Document.new(Source.new("<a>#{"<b>\xE9</b>".b * 3000}</a>", "ISO-8859-1")).root.to_a.map(&:text).tally }
try("short source") { [Document.new(Source.new("<a>b > c</a>")).to_s, Document.new(Source.new("ab")).to_s] }
base = Parsers::BaseParser.new("<a/>")
ENTITIES = { "e" => "&amp;lt;&amp;amp;", "f" => "&e;&lt;&#60;" }.freeze
["&e;&lt;&e;", "&lt;&e;&lt;", "&f;&#38;lt;", "&#38;lt;", "&lt;&e;&#38;"].each { |text| try(text) { [base.unnormalize(text, ENTITIES), base.unnormalize(text, ENTITIES, %w(e lt))] } }
try("no element") do
  sax = Parsers::SAX2Parser.new("<!--before--><a><!--in--></a>")
  sax.listen(:comment, [/.*/, "a"]) { |text| puts "  told #{text}" }
  sax.parse
end
