# FFI_Yajl, Chef's JSON, against the gem over YAJL 2.1 (Debian: ruby-ffi-yajl).
require 'ffi_yajl'
def t(l) ; r = yield; puts "#{l} #{r.inspect}"; rescue Exception => e; puts "#{l} !#{e.class}: #{e.message.inspect}"; end
texts = ['{', '', ' ', '1', '[1,]', '{"a":1,}', '{"a":1} x', "// c\n{}", "// c", "/* x", "/x", '{"a":NaN}', '[01]', '["\u00e9\ud83d\ude00"]', '["\ud83d"]', '["\udc00"]', "[\"a\nb\"]", '[tru]', 'tru', "\xEF\xBB\xBF{}", '{"a":"\x"}', '[1 2]', '{a:1}', '{"a" 1}', ']', '["', '["\\', '["\u12', '["\u12g4"]', "[\"\xff\"]", "[\"\xc3", "[\"\xc3(\"]", '-', '1.', '1e', '1.x', '[-a]', '[1e+]', '{"a":1 "b":2}', '{"a":1', '{"a":', '{"a"', '[1', '[[[', '{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1,"bbbbbbbbbbbbbbbbbbbbbbbbb":x,"ccccccccccccccccccccccccccccccccccccccccc":2}', "{\n  \"name\": \"x\",\n  \"run_list\": [\"a\",]\n}\n", "{\n  \"name\": \"x\"\n  \"run_list\": [\"a\"]\n}\n", "{\n  'name': 1}", '{"a":1}}', '[1.5e3,1E2,-0,-0.0,123456789012345678901234567890,0.1]', '{"a":1,"a":2}', "[\u00a0]", '["\/\b\f\n\r\t\"\\"]', "{\"k\":\"#{'x'*100}", '{"é":"ü"}', ",", ":", "}", '{,}', '[,]', '{"a"::1}', '{1:2}', 'null', 'true', '"x"', '{}{}', '[] // c', 'nullx']
texts.each_with_index { |s, i| t("p#{i}") { FFI_Yajl::Parser.parse(s) } }
t("sym") { FFI_Yajl::Parser.parse('{"a":{"b":1}}', symbolize_keys: true) }
t("names") { FFI_Yajl::Parser.parse('{"a":{"b":1}}', symbolize_names: true) }
t("new") { FFI_Yajl::Parser.new(symbolize_keys: true).parse('{"a":[null]}') }
t("nil") { FFI_Yajl::Parser.parse(nil) }
t("int") { FFI_Yajl::Parser.parse(1) }
require "stringio"
t("io") { FFI_Yajl::Parser.parse(StringIO.new("[1]")) }
t("enc") { FFI_Yajl::Parser.parse('["é"]')[0].encoding }
values = [{}, [], {"a" => {}}, [[], {}], {"a" => [1, {"b" => nil}], :c => true, 3 => :d, nil => 1.5}, "q\"\\/\u0001\u001f\u007f\u2028\b\f\n\r\t", 1, nil, 1e20, 1e-7, -0.0, 2**70, "x".encode("UTF-16LE"), "\xff", Float::NAN, -Float::INFINITY, Time.at(0).utc, Time.at(0, in: "+02:00"), :sym, Object, (1..3), "é", Rational(1, 2), Complex(1, 2), Struct.new(:a).new(1).to_a, StringIO.new("read me")]
values.each_with_index { |v, i| t("e#{i}") { FFI_Yajl::Encoder.encode(v) }; t("b#{i}") { FFI_Yajl::Encoder.encode(v, pretty: true) } }
t("indent") { FFI_Yajl::Encoder.encode({"a" => [1, {}]}, pretty: true, indent: "\t") }
t("instance") { FFI_Yajl::Encoder.new(pretty: true).encode({"a" => []}) }
own = Class.new { def to_json(*args) = "<own #{args.inspect}>" }.new
t("own") { FFI_Yajl::Encoder.encode([own]) }
t("own pretty") { FFI_Yajl::Encoder.encode({ "k" => own }, pretty: true) }
plain = Class.new { def to_s = "plain" }.new
t("plain") { FFI_Yajl::Encoder.encode([plain, { plain => 1 }]) }
deep = []; 126.times { deep = [deep] }
t("deep") { FFI_Yajl::Encoder.encode(deep).size }
t("deeper") { FFI_Yajl::Encoder.encode([deep]) }
t("encoding") { FFI_Yajl::Encoder.encode("é".b).encoding }
require "date"
t("date") { FFI_Yajl::Encoder.encode([Date.new(2020, 1, 2), DateTime.new(2020, 1, 2, 3, 4, 5)]) }
require "set"
t("set") { FFI_Yajl::Encoder.encode([Set[1].class, [1].each.class]) }
