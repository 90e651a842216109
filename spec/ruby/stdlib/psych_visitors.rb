# Psych's visitors, builders, streams: how programs change what YAML reads and writes.
require "psych"
require "psych/handlers/recorder"
require "date"
require "set"
require "stringio"
require "bigdecimal"
require "ostruct"

TEXT = <<~YAML
  a: &x [1, 2.5, "3", ~, true, 2024-01-02, 0x1f, 1_000, 12:30:45]
  b: *x
  u: :sym
  c: {<<: {d: 1}, e: 'q'}
  f: !ruby/range 1..3
  g: !ruby/regexp /a/i
  h: !ruby/symbol foo
  i: !!float 3
  j: !binary YWJj
  k: !!set {x, y}
  l: 2024-01-02 03:04:05 +01:00
  m: |
    text
  n: !ruby/object:OpenStruct {a: 1}
  o: !ruby/struct {p: 1}
  q: !ruby/object:Complex {real: 1, image: 2}
  r: !ruby/object:Rational {denominator: 3, numerator: 2}
  s: !ruby/class String
  t: !omap [a: 1, b: 2]
YAML

def shown(value) = value.inspect.gsub(/0x\h+/, "0x")

puts shown(Psych::Visitors::ToRuby.create.accept(Psych.parse(TEXT)))
puts shown(Psych::Visitors::ToRuby.create(symbolize_names: true, freeze: true).accept(Psych.parse(TEXT))["a".to_sym].frozen?)
p Psych::Visitors::ToRuby.create.accept(Psych.parse_stream("--- a\n--- b\n"))
begin; Psych::Visitors::NoAliasRuby.new(Psych::ScalarScanner.new(loader = Psych::ClassLoader.new), loader, symbolize_names: false, freeze: false).accept(Psych.parse(TEXT)); rescue => e; p e.class, e.message; end

class Lines < Psych::Visitors::ToRuby
  def visit_Psych_Nodes_Scalar(node)
    value = super
    value.is_a?(String) ? "#{value}@#{node.start_line}" : value
  end
  def revive_hash(hash, node)
    super.merge("line" => node.start_line)
  end
end
p Lines.create.accept(Psych.parse("a: b\nc:\n  d: [e, 1]\n"))

loader = Psych::ClassLoader::Restricted.new(%w[Symbol], %w[ok])
scanner = Psych::ScalarScanner.new(loader)
p scanner.tokenize(":ok"), scanner.tokenize("1.5"), scanner.tokenize("text"), scanner.class_loader.equal?(loader)
[":no", "2024-01-01", "2024-01-02 03:04:05"].each { |text| p((scanner.tokenize(text) rescue [$!.class, $!.message])) }
p Psych::ClassLoader.new.load("String"), Psych::ClassLoader.new.load(""), Psych::ClassLoader.new.date, Psych::ClassLoader.new.psych_set, (Psych::ClassLoader.new.load("No::Such") rescue [$!.class, $!.message])
p Psych::ScalarScanner.new(Psych::ClassLoader.new).parse_int("1,000_0"), Psych::ScalarScanner::FLOAT.match?("1.5"), Psych::ScalarScanner::INTEGER.match?("0x1f"), Psych::ScalarScanner::TIME.match?("2024-01-02 03:04:05")

Point = Struct.new(:x, :y)
class Thing
  def initialize; @a = 1; @b = [self]; end
end
class Coded
  def encode_with(coder) = coder["k"] = "v"
end
class Scalared
  def encode_with(coder) = coder.represent_scalar("!s", "text")
end
class Names < Array; end
class Options < Hash; end
class Title < String; end
text = "shared"
OBJECTS = [
  nil, true, 1, 1.5, -0.0, Float::NAN, Float::INFINITY, "plain", "", "y", "null", "1", "a: b", "two\nlines", "two\nlines\n", "\u00e9", "\xff".b, "<<", ":x", "- a", "01.5", " lead", "x" * 100, :sym, :"a b", :"",
  [], {}, [text, text], { "a" => { "b" => [1, { c: 2 }] } }, 1..3, /a b/mi, String, Comparable, Date.new(2024, 1, 2), DateTime.new(2024, 1, 2, 3, 4, 5), Time.utc(2024, 1, 2, 3, 4, 5.5r),
  Time.at(0).localtime("+02:00"), 2/3r, Complex(1, 2), BigDecimal("1.5"), Point.new(1, "b"), Thing.new, Coded.new, Scalared.new, Names[1, 2], Options["a", 1], Title.new("t"), RuntimeError.new("bad"),
  Encoding::UTF_8, OpenStruct.new(a: 1), Psych::Omap["a", 1], Psych::Set["a", nil]
]
OBJECTS.each do |object|
  tree = Psych::Visitors::YAMLTree.create
  tree << object
  made = tree.tree.yaml
  puts made, made == Psych.dump(object)
rescue => error
  p error.class, error.message
end
begin; Psych::Visitors::YAMLTree.create << Class.new; rescue => e; p e.class, e.message.sub(/0x\h+/, ""); end
p Psych::Visitors::YAMLTree.create(header: true).tap { |tree| tree << 1 }.tree.yaml, Psych::Visitors::YAMLTree.create(version: "1.1").tap { |tree| tree << 1 }.tree.yaml
p Psych::Visitors::YAMLTree.create(line_width: 20).tap { |tree| tree << "some words that are longer than it" }.tree.yaml(nil, line_width: 20)
tree = Psych::Visitors::YAMLTree.create
p tree.started?, tree.finished?
tree << [1]
p tree.started?, tree.finished?, tree.tree.class, tree.finished?
class Shouting < Psych::Visitors::YAMLTree
  def visit_String(object) = super(object.upcase)
  def visit_Symbol(object) = visit_String("sym_#{object}")
end
p Shouting.create.tap { |one| one << { "a" => :b } }.tree.yaml
p((Psych::Visitors::RestrictedYAMLTree.create.tap { |one| one << :a } rescue [$!.class, $!.message]))
p Psych::Visitors::RestrictedYAMLTree.create(permitted_symbols: [:a], permitted_classes: [Symbol]).tap { |one| one << [:a, "s"] }.tree.yaml
begin; Psych::Visitors::RestrictedYAMLTree.create.tap { |one| one << [text, text] }; rescue => e; p e.class, e.message; end
p Psych::Visitors::JSONTree.create.tap { |one| one << { "a" => [1, nil, :b, "c", true] } }.tree.yaml

builder = Psych::TreeBuilder.new
Psych::Parser.new(builder).parse("- &a !t x\n- *a\n- {k: [v]}\n")
p builder.root.class, builder.root.children.size, builder.root.to_ruby.size, builder.root.children[0].root.children.map { |node| [node.class, node.start_line, node.start_column, node.end_line, node.end_column] }
p Psych.parser.class, Psych.parser.handler.class
recorder = Psych::Handlers::Recorder.new
Psych::Parser.new(recorder).parse("a: [1]\n")
recorder.events.each { |event| p event unless event[0] == :event_location }
documents = []
Psych::Parser.new(Psych::Handlers::DocumentStream.new { |document| documents << document.to_ruby }).parse("--- 1\n--- [2]\n")
p documents

out = StringIO.new
emitter = Psych::Emitter.new(out)
emitter.start_stream(Psych::Nodes::Stream::UTF8)
emitter.start_document([], [], false)
emitter.start_mapping(nil, nil, true, Psych::Nodes::Mapping::BLOCK)
emitter.scalar("a", nil, nil, true, false, Psych::Nodes::Scalar::ANY)
emitter.start_sequence("1", "!x", false, Psych::Nodes::Sequence::FLOW)
emitter.scalar("b", nil, nil, true, false, Psych::Nodes::Scalar::DOUBLE_QUOTED)
emitter.end_sequence
emitter.scalar("c", nil, nil, true, false, Psych::Nodes::Scalar::ANY)
emitter.alias("1")
emitter.end_mapping
emitter.end_document(true)
p out.string
emitter.start_document([], [], false)
emitter.scalar("d", nil, nil, true, false, Psych::Nodes::Scalar::ANY)
emitter.end_document(false)
emitter.end_stream
p out.string
p [emitter.canonical, emitter.indentation, emitter.line_width], emitter.indentation = 4
begin; Psych::Emitter.new(StringIO.new).scalar(1, nil, nil, true, false, 0); rescue TypeError => e; p e.message; end
out = StringIO.new
Psych::Visitors::Emitter.new(out, indentation: 4).accept(Psych.parse_stream("a:\n  b: [1, 'x']\n"))
p out.string
out = StringIO.new
Psych::Stream.new(out).start { |stream| stream.push([1]); p out.string; stream.push("a" => :b) }
p out.string
out = StringIO.new
Psych::JSON::Stream.new(out).start { |stream| stream.push({ "a" => [1, nil, Time.utc(2024), "q"] }) }
p out.string
seen = []
Psych::Visitors::DepthFirst.new(->(node) { seen << node.class.name[/\w+\z/] }).accept(Psych.parse("a: [b]\n"))
p seen
p Psych::Handler::OPTIONS.indentation, Psych::Handler::DumperOptions.new.then { |options| [options.canonical, options.line_width] }
p Psych.config.load_tags.equal?(Psych.load_tags), Psych::Coder.new("!t").tag

# what is changed counts for YAML.load and dump too
module Upcased
  def visit_Psych_Nodes_Scalar(node) = super.then { |value| value.is_a?(String) ? value.upcase : value }
end
p Psych.load("a: b")
Psych::Visitors::ToRuby.prepend(Upcased)
p Psych.load("a: b"), Psych.safe_load("[x, 1]"), Psych.unsafe_load(":s: q"), Psych.load_stream("--- a\n--- b\n"), Psych.load("- c", symbolize_names: true), Psych.load("")
begin; Psych.safe_load(":s"); rescue => e; p e.class, e.message; end
begin; Psych.load("[&a 1, *a]"); rescue => e; p e.class, e.message; end
class Psych::Visitors::YAMLTree
  def visit_Point(object) = visit_String("point #{object.x}")
end
p Psych.dump([Point.new(1, 2), "a"]), { "k" => Point.new(3, 4) }.to_yaml, Psych.safe_dump([1, "a"])
class Psych::ScalarScanner
  alias whole tokenize
  def tokenize(text) = text == "007" ? "bond" : whole(text)
end
p Psych.load("[007, 7]")
