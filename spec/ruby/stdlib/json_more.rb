$n = 0
def t(*_)
  $n += 1
  r = yield
  puts "#{$n}: #{r.is_a?(String) ? r.dump + " " + r.encoding.to_s : r.inspect}"
rescue Exception => e
  puts "#{$n}: !#{e.class}: #{e.message.to_s.lines.first.to_s.chomp.gsub(/0x\h+/, "0x")}"
end
require 'json'
bad = ['', ' ', '{', '[', '[1,]', '{"a":}', '{"a" 1}', 'nul', 'NaN', '[NaN]', '-Infinity', '"abc', "\"a\nb\"", '"\u12"', '"\ud800"', '01', '1.', '.5', '1e', '-', '+1', '[1 2]', '{a:1}', "{'a':1}", '[1]]', '{} x', 'tru', '"\x"', '[1,,2]', '{"a":1,}', '// c', '/* a */ 1', '/* a', '[1] // c', 'nullx', '{"a":1 "b":2}',  '{1:2}', '[', ']', '}', 'undefined', '"a" "b"', '1 2', '[tru]', '{"a":[1,{"b":}]}' , '{"a":1', '[1', '"\\', '1.5e+', '--1', '[-]', '0x10', '1_000', "[\"\t\"]", "\u00e9", 'Infinity', '[Infinity]','[-Infinity]','[-NaN]']
bad.each { |b| t { JSON.parse(b) } ; t { JSON.parse(b, allow_nan: true) }; t{ JSON.load(b) } }
t { JSON.parse(nil) }
t { JSON.parse(1) }
t { JSON.load(nil) }
t { JSON.load('') }
good = ['1', '"a"', 'null', 'true', '[1,2.5,-3,1e5,1E-2,-0,-0.0,12345678901234567890]', '{"a":{"b":[1,{"c":null}]}}', '"\u00e9\ud83d\ude00\n\/"', ' [ ] ', '{ }', '1.0', '1e2', '100000000000000000000.5', '{"a":1,"a":2}', '{"json_class":"String","raw":[97]}', '[[[[[]]]]]', '0', '-1', '1.5', "\"\u2028\""]
good.each { |g| t { JSON.parse(g) }; t { JSON.parse(g, symbolize_names: true) }; t { JSON.generate(JSON.parse(g)) }; t { JSON.pretty_generate(JSON.parse(g)) }; t { JSON.dump(JSON.parse(g)) } }
t { JSON.parse('[' * 101 + ']' * 101) }
t { JSON.parse('[' * 101 + ']' * 101, max_nesting: false).flatten }
t { JSON.parse('[' * 5 + ']' * 5, max_nesting: 4) }
t { a = []; 101.times { a = [a] }; JSON.generate(a) }
t { a = []; 101.times { a = [a] }; JSON.generate(a, max_nesting: 0).size }
t { a = []; 101.times { a = [a] }; a.to_json.size }
t { JSON.parse('{"a":1.5}', decimal_class: nil) }
require 'bigdecimal'
t { JSON.parse('{"a":1.5}', decimal_class: BigDecimal) }
t { JSON.parse('{"a":1}', object_class: Struct.new(:h) { def []=(k,v); (self.h ||= {})[k]=v; end }).h }
require 'ostruct'
t { JSON.parse('{"a":{"b":1}}', object_class: OpenStruct) }
require 'set'
t { JSON.parse('[1,1,2]', array_class: Set) }
t { JSON.parse('{"a":[1]}', freeze: true).frozen? }
t { JSON.parse('"abc"', freeze: true).frozen? }
t { JSON.parse('{"a":"b"}', symbolize_names: true, create_additions: true) }
[Float::NAN, Float::INFINITY, -Float::INFINITY].each { |f| t { JSON.generate(f) }; t { JSON.generate([f]) }; t { JSON.generate([f], allow_nan: true) }; t { f.to_json }; t { JSON.dump(f) } ; t { JSON.pretty_generate({a: f})} }
objs = [nil, true, 1, 1.0, 1e20, 1e16, 1e15, 1.5e-7, 0.1, 10**30, "a\"b\\c/\u0001\u007f\u00e9\u{1F600}", :sym, [1,nil], {a: 1, "b" => :c, 1 => 2, nil => 3, 1.5 => 4}, Object, (1..3), Time.at(0).utc, Rational(1,2), Complex(1,2), Struct.new(:a).new(1).class.superclass, "", [], {}, [[]], [{}], {a: []}, {a: {}}, "\u2028\u2029", "</script>"]
objs.each { |o| t { JSON.generate(o) }; t { JSON.pretty_generate(o) }; t { o.to_json }; t { JSON.generate(o, ascii_only: true) }; t { JSON.generate(o, script_safe: true) }; t { JSON.generate(o, indent: "\t", space: " ", object_nl: "\n", array_nl: "\n", space_before: " ") } }
t { JSON.generate("\xff") }
t { JSON.generate("\xff".b) }
t { JSON.generate("abc".encode("UTF-16LE")) }
t { JSON.generate("\u00e9".encode("ISO-8859-1")) }
t { JSON.generate({"\xff" => 1}) }
t { JSON.generate(Class.new { def to_json(*a) = '"x"' }.new) }
t { JSON.generate(Class.new { def to_s = "str" }.new) }
t { JSON.pretty_generate([1,{a: [1,2], b: {}}], indent: "    ") }
t { JSON.fast_generate([1]) }
t { JSON.dump({a: 1}, nil) }
require 'stringio'
t { s = StringIO.new; JSON.dump({a: 1}, s); s.string }
t { JSON.dump([[[1]]], 2) }
t { JSON.dump([[[1]]], 3) }
t { JSON.load('[1,{"a":null}]', proc { |x| p x }) }
t { JSON.load(StringIO.new('[1]')) }
t { JSON.load('{"a":NaN}') }
t { JSON.load('[1]', nil, symbolize_names: true) }
t { JSON.load('{"a":1}', nil, symbolize_names: true, create_additions: false) }
t { JSON('[1]') }
t { JSON([1]) }
t { JSON['[1]'] }
t { JSON[[1]] }
t { JSON.parse!('[NaN]') }
t { JSON.load_file('/nonexistent') }
t { JSON::VERSION }
t { JSON::ParserError.ancestors.take(4) }
t { JSON::GeneratorError.superclass }
t { JSON::NestingError.superclass }
t { JSON.state }
t { JSON::State rescue JSON::Ext::Generator::State }
t { JSON.create_id }
t { j [1]; nil }
t { jj [1]; nil }
require 'json/add/core'
[Time.at(0,5).utc, 1..3, Rational(1,2), Complex(1,2), :sym, (Date.new(2020,1,2) rescue nil), /a+/i, RuntimeError.new("x")].each { |o| t { JSON.generate(o) }; t { JSON.parse(JSON.generate(o), create_additions: true) }; t { JSON.parse(JSON.generate(o)) } }
class Foo; attr_reader :a; def initialize(a) = @a = a; def self.json_create(h) = new(h['a']); def to_json(*x) = {JSON.create_id => self.class.name, 'a' => @a}.to_json(*x); end
t { JSON.parse(JSON.generate(Foo.new(3)), create_additions: true).a }
t { JSON.load(JSON.generate(Foo.new(3))).a }
t { JSON.parse('{"json_class":"Nope"}', create_additions: true) }
t { JSON.parse('{"json_class":"Object"}', create_additions: true) }
t { JSON.generate({a: Foo.new(1)}) }
t { JSON.pretty_generate({a: Foo.new([1])}) }
t { [1,[2]].to_json(indent: "  ", array_nl: "\n") }
t { {1=>{2=>3}}.to_json(space: " ") }
t { JSON::State.new.to_h } 
t { JSON.parse("[1e1000]") }
t { JSON.parse("[-0]") }
t { JSON.parse("\xEF\xBB\xBF[1]") }
t { JSON.parse("[1]".encode("UTF-16LE")) }
t { JSON.parse('["a\u0000b"]') }
t { JSON.parse("{\"a\":\"\\ud83d\"}") }
['"\ud800"','"\ud800a"','"\ud800abcdef"','"\ud800abcdefghij"','"\ud800\u0041"','"\ud800\u0041zzzzzzzz"','"\udc00"','"\udc00abcdefgh"','"\ud83d\ude00"','"a\ud800\n"','"\u12"','"\u12g4"','"\uzzzz"','"ab\u1"','["\ud800"]','"\ud800\\\\"','"\ud8000000"', '"\ud800\u"', '"\ud800\udc"','1.5.3','1.5-','[1.5.3]','1-','[1.e5]','{"a":1.5e}'].each { |x| t { JSON.parse(x) } }
t { JSON.generate("</a>", escape_slash: true) }
t { JSON::State.new.to_h }
t { JSON::State.new(indent: "x", allow_nan: true).to_h }
t { JSON.generate([1,[]], indent: "  ", array_nl: "\n") }
t { JSON.generate({}, object_nl: "\n", indent: " ") }
t { JSON.parse("[1]".force_encoding("BINARY")) }
t { JSON.parse("[\"\u00e9\"]".encode("ISO-8859-1")) }
t { JSON.parse('{"json_class":"Kernel"}', create_additions: true) }
t { JSON.parse('{"json_class":"x"}', create_additions: true) }
t { JSON.parse('{"json_class":1}', create_additions: true) }
t { JSON.parse('{"json_class":null}', create_additions: true) }
t { JSON.load('{"json_class":"Nope"}') }
t { JSON.dump([1], 1) }
t { JSON.dump([[1]], 1) }
t { JSON.dump([1], nil, 1) }
t { JSON.create_id = "kls"; x = JSON.create_id; JSON.create_id = "json_class"; x }
t { String.json_creatable? }
t { Class.new { def self.json_create(o)=1 }.json_creatable? }
t { "a".to_json_raw }
t { "a".to_json_raw_object }
t { JSON.parse('{"json_class":"String","raw":[97,98]}', create_additions: true) }
require 'json/add/core'; require 'json/add/bigdecimal'; require 'json/add/ostruct'; require 'json/add/set'; require 'json/add/exception'; require 'json/add/struct'; require 'json/add/date'
S=Struct.new(:a,:b)
[S.new(1,2), Set[1], OpenStruct.new(a: 1), DateTime.new(2020,1,2,3,4,5), Date.new(2020,1,1), 1..2, "a".."b", Time.at(1.5), :x, Rational(1,3), Complex(1,2), /a/mx, ArgumentError.new("m")].each { |o| t { o.to_json }; t { JSON.parse(o.to_json, create_additions: true) }; t { o.as_json } }
t { JSON.parse('{"a":1.5}', decimal_class: Float) }
t { JSON.parse('{"a":1.5}', decimal_class: BigDecimal) }
t { JSON.parse('{"a":1.5}', decimal_class: String) }
