require "yaml"
require "set"
require "stringio"
def t; yield; rescue Exception => e; "#{e.class}: #{e.message}"; end

# Strings
["", " ", "a", "a b", " a", "a ", "1", "-1", "1.5", "1e3", "true", "yes", "no", "on", "y", "n", "Y", "null", "~", ":a", ":", "a:", "a: b", "a:b", "a #b", "a#b", "#a", "-", "- a", "-a", "--- a", "---", "...",
 "?", "? a", "?a", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "'a'", "\"a\"", "a'b", "a\"b", "it's", "{a}", "[a]", "a, b", "{", "a\n", "a\nb", "a\nb\n", "a\n\n", "a\n\nb", "\na", "\n", "\n\n", " a\nb", "a \nb", "a\n b", "a\tb", "\ta", "a\t",
 "a\\b", "\\", "\e[0m", "é", "日本", "🌵", "\u00a0", "a\u2028b", "\x00", "2020-01-01", "2020-13-45", "2020-02-30", "2020-01-01 10:00:00", "12:30", "12:30:45", "017", "08", "0o17", "0x1f", "0b1", "1_000", ".5", ".", "..", ".inf", ".nan", "<<", "=", "a=b",
 "$x", "${x}", "/a/b", "C:\\a", "http://a.b/c", "a@b.c", "%{x}", "x: y: z", "#{1}", "a\r\nb", "a\rb", "\\n", "null ", "True", "FALSE", "NO", "none", "key: ", "a: ", "1.2.3", "10.0.0.1", "::1", "::", "fe80::1", "0", "00", "1:2", "*.example.com", "(a)", "<a>", "!", "! a", "a !b", "a & b",
 "\"quoted\" text", "(say \"hi\")", "@foo \"bar\"", "é".encode("ISO-8859-1"), "abc".b, "\xff\xfe".b, ("x" * 70).b + "\xff".b].each { |s| puts "#{s.inspect} #{t { s.to_yaml.inspect }}" }
long = (["word"] * 40).join(" ")
puts long.to_yaml, "x#{" " * 5}#{long}".to_yaml, ("y" * 200).to_yaml, "it's: #{long}".to_yaml, "\"q\" #{long}\t".to_yaml, "#{long}\n#{long}\n".to_yaml, { "k" => long, long => 1 }.to_yaml, { long[0, 120] => 1 }.to_yaml
puts long.to_yaml(line_width: -1), long.to_yaml(line_width: 20), [long].to_yaml(line_width: 40), { "a" => { "b" => "l1\nl2 #{long}\n" } }.to_yaml(indentation: 4), t { YAML.dump("a", line_width: -5) }

# other scalars
[nil, true, false, 1, -1, 10**30, 1.0, 1e20, 1e-5, 1.5e300, 0.1, -0.0, Float::NAN, Float::INFINITY, -Float::INFINITY, :a, :"a b", :"a: b", :"", :"1", :"foo?", 1..3, "a"..."c", (1..), 1r, 2i, /a.b/mi, /x/, String, Kernel, Encoding::UTF_8,
 Time.utc(2020, 1, 2, 3, 4, 5), Time.new(2020, 1, 2, 3, 4, 5.5r, "+02:30"), Process, Comparable].each { |v| puts v.to_yaml.inspect }

# collections
[[], {}, [[]], [{}], [[], {}], [nil], [nil, nil], { nil => nil }, { "a" => nil }, { "a" => [] }, { "a" => {} }, [1, [2, [3]]], [{ "a" => 1, "b" => 2 }, { "c" => [1] }], { "a" => { "b" => { "c" => [1, { "d" => 2 }] } } },
 { 1 => 2, :s => :t, 1.5 => "x", true => false }, { [1] => 2 }, { { "a" => 1 } => 2 }, { [] => 1, {} => 2 }, { "multi\nline" => 1 }, { "a" => "x\ny\n", "b" => "z" }, ["x\ny", "  z\nq\n\n"], { "a b" => "c: d", "y" => "n", "" => "" }, [:a, "b", 1.0, nil, "~"]].each { |v| puts v.to_yaml }
s = "same"; a = [1]; h = { "k" => a }
puts [s, s].to_yaml, [a, a].to_yaml, { "x" => a, "y" => a, "h" => h, "z" => h }.to_yaml
r = []; r << r; puts r.to_yaml; r = {}; r["self"] = r; puts r.to_yaml
puts [String, String].to_yaml, YAML.dump_stream(1, "a", [a, a]), YAML.dump_stream("a\n\n", "x"), YAML.dump("keep\n\nit\n\n"), YAML.dump({ "a" => "k\n\n\n" })
puts YAML.dump({ "a" => [1, { "b" => nil }] }, header: true), YAML.dump([1], canonical: true), YAML.dump({ "a" => "b" }, canonical: true), YAML.dump([1], indentation: 5), YAML.dump({"a"=>[1,{"b"=>[2]}]}, indentation: 4), YAML.dump(1, version: [1, 2])
io = StringIO.new; p YAML.dump({ "a" => 1 }, io).equal?(io), io.string; io = StringIO.new; YAML.dump(long, io, line_width: 30); puts io.string

# objects
class Point; def initialize(x, y) = (@x, @y = x, y); end
class Coded; def encode_with(c); c["k"] = [1]; c["z"] = self.class.name; end; end
class CodedSeq; def encode_with(c); c.represent_seq("!list", [1, "a"]); end; end
class CodedScalar; def encode_with(c); c.represent_scalar("!thing", "some text"); end; end
class CodedObject; def encode_with(c); c.represent_object(nil, { "inner" => 1 }); end; end
class CodedMap; def encode_with(c); c.represent_map(nil, { "inner" => 1 }); end; end
class MyHash < Hash; def initialize(x = nil) = (super(); @x = x if x); end
class MyArray < Array; attr_accessor :tag; end
class MyString < String; attr_accessor :note; end
Pair = Struct.new(:a, :b)
Keyed = Struct.new(:a, keyword_init: true)
puts Point.new(1, "two").to_yaml, Object.new.to_yaml, { "p" => Point.new(nil, []) }.to_yaml, [Point.new(1, 2)].to_yaml
puts Coded.new.to_yaml, CodedSeq.new.to_yaml, CodedScalar.new.to_yaml, CodedObject.new.to_yaml, CodedMap.new.to_yaml, [CodedSeq.new, Coded.new, CodedScalar.new].to_yaml
m = MyHash.new; m["a"] = 1; puts m.to_yaml, MyHash.new(3).merge!("b" => 2).to_yaml, MyArray.new([1, 2]).to_yaml; m = MyArray.new([1]); m.tag = "t"; puts m.to_yaml
puts MyString.new("text").to_yaml; m = MyString.new("text"); m.note = "n"; puts m.to_yaml
puts Pair.new(1, [2]).to_yaml, Keyed.new(a: 1).to_yaml, Struct.new(:q).new(1).to_yaml, Set[1, "a"].to_yaml, ArgumentError.new("bad").to_yaml, t { Class.new.to_yaml }.sub(/0x\h+/, ""), [1, 2].each_slice(1).to_yaml
puts t { YAML.safe_dump({ "a" => [1, nil, 2.5] }) }, t { YAML.safe_dump(:a) }, t { YAML.safe_dump({ a: 1 }, permitted_classes: [Symbol], permitted_symbols: [:a]) }, t { YAML.safe_dump(Point.new(1, 2)) }, t { YAML.safe_dump([a, a]) }, t { YAML.safe_dump([a, a], aliases: true) }, t { YAML.safe_dump({ a: 1 }, permitted_classes: [Symbol]) }
v = { "name" => "x", "list" => [1, 2.5, nil, true, "yes", "multi\nline\n", :sym], "nested" => { "a" => [], "b" => {} } }
p YAML.load(v.to_yaml) == v, YAML.unsafe_load(Pair.new(1, 2).to_yaml) == Pair.new(1, 2)
puts({ "content" => "#!/bin/sh\necho \"hi\"\n\tx\n", "t" => "tab\there\nline\n", "trail" => "a \nb\n", "sp" => "  lead\nx\n", "crlf" => "a\r\nb\r\n" }.to_yaml)
