require "yaml"
require "set"
def t; yield; rescue Exception => e; "#{e.class}: #{e.message}"; end

# implicit types
%w[1 -1 +1 1_000 1,000 017 0o17 08 09.5 0x1F 0b101 -0x1f 1:30 1:30:15 -1:30 1:30.5 190:20:30 1e3 1.5e+3 1.5e3 .5 -.5 5. 1.
   . .. .inf -.inf +.inf .INF .nan .NaN ~ null Null NULL nULL yes Yes YES no No on off On OFF true True false y n Y N
   :a :"a" :'b' :"a\ b" : :: :a:b 2020-01-01T10:00:00Z 0 00 0. 12345678901234567890 1__0 _1 1_ -_1 0_7 1.2.3 1.2.3.4 v1.0 - -- 10.0.0.1 0.0
   +.5 1_0.5 3.14_15 123_456.7 0x 0b 0xg 1:60 1:5 60:00 1:2:3:4 <<].each { |s| puts "#{s} #{t { YAML.unsafe_load(s) }.inspect}" }
["foo bar", "'yes'", "\"no\"", "! 12", "!!str 12", "!!int '12'", "!!float 1", "!!float 1.5", "!!null x", "! '12'", "!foo 12", "!!binary aGVsbG8=", "2020-1-1 1:00:00",
 "!ruby/regexp /a.b/mi", "!ruby/range 1..3", "!ruby/range 1...3", "!ruby/sym foo", "!ruby/symbol foo bar", "!ruby/class String", "!ruby/module Kernel",
 "!ruby/object:Complex 1+2i", "!ruby/object:Rational 1/3", "!ruby/encoding UTF-8", "!str x"].each { |s| puts "#{s} #{t { YAML.unsafe_load(s) }.inspect}" }
["2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "2001-12-15 2:59:43.10", "2001-12-14 21:59:43 Z", "2001-12-14 21:59:43.123456789 +0130"].each do |s|
  time = YAML.unsafe_load(s)
  p time.class, time.utc_offset, time.getutc.to_s, time.nsec
end

# structures
[ "a: 1\nb:\n- x\n- y: z\n  w: 1\n", "- [a, b, {c: d}]\n- {}\n- []\n", "a: |\n  x\n   y\n\n  z\nb: >\n  p\n  q\n\n  r\nc: |-\n  k\nd: |+\n  k\n\n",
  "? [a, b]\n: c\n", "--- >-\n folded\n text\n", "a: b # comment\n# another\nc: 'it''s'\nd: \"x\\ty\\u00e9\"\n", "plain\n  multi\n line\n", "", "# only\n", "---\n...\n",
  "a:\nb: ~\nc: ''\n", "a: &x [1,2]\nb: *x\n", "base: &b {p: 1, q: 2}\nmore: &m\n  q: 3\nall:\n  <<: *b\n  q: 9\nlist:\n  <<: [*m, *b]\n  z: 1\nodd:\n  <<: 5\n",
  "\"<<\": {a: 1}\n", "1: a\n2.5: b\ntrue: c\n:s: d\n~: e\n", "a: 1\na: 2\n", "- - a\n  - b\n- - c\n", "key:   value   \n", "a: b: c\n", "- a\n b: c\n", "x: [1, 2\n",
  "x: {a: 1\n", "a: *nope\n", "\tx: 1\n", "a: @b\n", "a: 'open\n", "key1: value\ninvalid_key", "- a\nb: c\n", "a: %x\n", "a:\n  - b\n c: d\n", "a: \"\\q\"", "a: b\n  c: d\n",
  "%YAML 1.1\n---\na: 1\n", "a: 1\n---\nb: 2\n", "a: 1\n...\n", "--- a\n--- b\n", "\u{feff}a: 1", "a: b\n\u0001", "\xff", "{a: 1, 'b': 2, \"c\": 3, d}\n", "[a, [b], {c: [d]}, e: f]\n",
  "!ruby/set\na: 1\n", "!!set {a, b}\n", "--- !!omap\n- a: 1\n- b: 2\n", "x: !!seq [1]\ny: !!map {a: 1}\n", "--- !map:Hash {a: 1}\n", "url: http://a.b:80/c#d\ntime: 10:20\n", "a: 'x\n  y'\nb: \"x\n\n  y\\\n  z\"\n",
  "a: !ruby/object:Object {x: 1}\n" ].each { |s| puts "#{s.inspect} #{t { r = YAML.unsafe_load(s); r.inspect.sub(/0x\h+/, "0x") }}" }

# limits
puts t { YAML.load(":a: :b") }, t { YAML.safe_load(":a: 1") }, t { YAML.safe_load(":a: 1", permitted_classes: [Symbol]) }
puts t { YAML.safe_load(":a: :c", permitted_classes: [Symbol], permitted_symbols: [:a]) }
puts t { YAML.load("a: &x 1\nb: *x") }, t { YAML.load("a: &x 1\nb: *x", aliases: true) }
puts t { YAML.load("2020-01-01") }, t { YAML.load("2020-01-01 10:00:00 Z") }, t { YAML.load("!ruby/object:Object {}") }, t { YAML.load("!ruby/regexp /x/") }
puts t { YAML.unsafe_load("!ruby/object:NoSuch {}") }, t { YAML.load("a: 1\nb: {c: 2}", symbolize_names: true) }
p YAML.load("", fallback: 1), YAML.load(""), YAML.unsafe_load(""), YAML.safe_load("", fallback: {}), YAML.load("a: 1", freeze: true).frozen?
p YAML.load_stream("a: 1\n---\nb: 2\n---\n"), YAML.load_stream(""), YAML.load_stream("# x")
YAML.load_stream("--- 1\n--- 2\n") { |d| p d }
begin YAML.load("a: b: c", filename: "f.yml"); rescue Psych::SyntaxError => e; p e.file, e.line, e.column, e.problem, e.context, e.message; end
p Psych::SyntaxError.ancestors.take(4), Psych::BadAlias.superclass, Psych::DisallowedClass.superclass, YAML, YAML.equal?(Psych)

# objects
class Point; attr_accessor :x, :y; end
class Coded
  def init_with(c); @got = [c.tag, c.type, c.map]; end
  def encode_with(c); c.tag = "!coded"; c["k"] = [1]; end
end
Pair = Struct.new(:a, :b)
class MyHash < Hash; end
class MyArray < Array; end
class MyString < String; end
o = YAML.unsafe_load("--- !ruby/object:Point\nx: 1\ny: [2]\n"); p o.class, o.x, o.y
p YAML.unsafe_load("--- !ruby/object:Coded\nx: 1\n").instance_variable_get(:@got)
p YAML.unsafe_load("--- !ruby/struct:Pair\na: 1\nb: 2\n"), YAML.unsafe_load("--- !ruby/struct\na: 1\n").to_a
p YAML.unsafe_load("--- !ruby/hash:MyHash\na: 1\n").class, YAML.unsafe_load("--- !ruby/array:MyArray\n- 1\n").class, YAML.unsafe_load("--- !ruby/string:MyString x\n").class
e = YAML.unsafe_load("--- !ruby/exception:ArgumentError\nmessage: bad\nbacktrace:\n- a:1\n"); p e.class, e.message, e.backtrace
p YAML.unsafe_load("--- !ruby/range\nbegin: 1\nend: 5\nexcl: true\n"), YAML.unsafe_load("--- !ruby/object:Set\nhash:\n  1: true\n")
Psych.add_tag("!point", Point); o = YAML.unsafe_load("!point {x: 4}"); p o.class, o.x; puts YAML.dump(o)
puts t { YAML.unsafe_load("!ruby/object:Point {a: &q [1], b: *q}").instance_variables }
d = YAML.parse("a: [1, x]\nb: &k y\nc: *k\n"); p d.class, d.root.class, d.to_ruby, d.root.children.map(&:class), d.root.children[0].value; puts YAML.parse_stream("a: [1, x]\nb: &k y\nc: *k\n--- !t\n- 'q'\n").to_yaml
p YAML.parse(""), YAML.parse_stream("--- 1\n--- 2\n").children.size, YAML.parse_stream("--- 1\n--- 2\n").to_ruby
p YAML.unsafe_load("a: |\n x\n  y\n z"), YAML.unsafe_load("a: >+\n x"), YAML.unsafe_load("a: |\n x\n  "), YAML.unsafe_load("a: |\n x\n# c"), YAML.unsafe_load("- |\n x\n- y")
