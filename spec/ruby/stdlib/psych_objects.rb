# Structs, subclasses of Hash and DateTimes through YAML, also as a tree of nodes; what must be permitted.
require "yaml"; require "date"; require "ostruct"
def t(l) = (begin; r = yield; puts "#{l}: #{r.inspect}"; rescue Exception => e; puts "#{l}: #{e.class}: #{e.message.lines.first}"; end)
t(1) { Psych.safe_load("--- !ruby/struct\n  foo: bar\n", permitted_classes: [Struct]) }
t(2) { Psych.safe_load("--- !ruby/struct\n  foo: bar\n", permitted_classes: [Struct, Symbol]).to_a }
X = Struct.new(:x)
t(3) { Psych.safe_load(Psych.dump(X.new(1)), permitted_classes: [X]) }
t(4) { Psych.safe_load(Psych.dump(X.new(1)), permitted_classes: [X, Symbol]) }
class HI < Hash; def initialize(*); super; @keys = []; end; def []=(k, v); @keys << k; super(k, v); end; attr_reader :keys; end
t(5) { h = HI.new; h[:foo] = :bar; y = Psych.dump(h); puts y; x = Psych.unsafe_load(y); [x, x.class, x.keys] }
t(6) { y = Psych.dump(DateTime.new); puts y; Psych.unsafe_load(y) }
t(7) { Psych.unsafe_load(Psych.dump(DateTime.new(1000, 2, 3, 4, 5, 6, "+02:00"))) }
t(8) { Psych.unsafe_load(Psych.dump(DateTime.new(2000, 2, 3, 4, 5, 6.5r, "+02:00"))) }
t(9) { DateTime.new.inspect + Date.new.inspect + DateTime.new(-4712,1,1).to_s }
t(10) { Psych.dump(Date.new(-4712, 1, 1)) }
t(11) { Psych.unsafe_load("--- -4712-01-01") }
t(12) { DateTime.parse("-4712-01-01 00:00:00 Z").inspect }
t(13) { Psych.safe_load(Psych.dump(OpenStruct.new(a: 1)), permitted_classes: [OpenStruct]) }
t(14) { Psych.safe_load(Psych.dump(OpenStruct.new(a: 1)), permitted_classes: [OpenStruct, Symbol]) }
class HC < Hash; def initialize(x); end; end
t(15) { Psych.unsafe_load(Psych.dump(HC.new(1).merge!(a: 2))) }
class SI < String; attr_accessor :z; end
t(16) { s = SI.new("abc"); s.z = 5; y = Psych.dump(s); puts y; r = Psych.unsafe_load(y); [r, r.class, r.z] }
class AI < Array; attr_accessor :z; end
t(17) { s = AI.new([1]); s.z = 5; y = Psych.dump(s); puts y; r = Psych.unsafe_load(y); [r, r.class, r.z] }
class EX < StandardError; attr_accessor :z; end
t(18) { s = EX.new("m"); s.z = 5; y = Psych.dump(s); puts y; r = Psych.unsafe_load(y); [r, r.class, r.z, r.message] }
t(19) { h = {a: 1}; h.instance_variable_set(:@q, 3); y = Psych.dump(h); puts y; r = Psych.unsafe_load(y); [r, r.instance_variable_get(:@q)] }
t(20) { h = Hash.new(5); h.compare_by_identity; Psych.dump(h) }
t(21) { Psych.dump([1.0/3, -0.0, 1e20, 1e-7, Float::INFINITY, -Float::INFINITY, Float::NAN, 10**30, 3r, 2i, 1..3, "a".."c", /x/mi, :"a b", nil, true, "yes", "null", "~", "1", "1.5", "0x1f", "1e3", "12:30", "2000-01-01", ":sym", "a: b", "- x", "#c", "a #b", "multi\nline\n", " lead", "trail ", "", "\u00e9", "\x00", "\t", "'", '"', "@a", "%x", "!t", "&a", "*a", "[", "{", ",", "?", "|", ">", "y", "n", "on", "off", "=", "<<", "1_000", "0o14", "014", "08", "+1", ".5", "1.", "-", "--- x", "..."]) }
t(22) { Psych.dump({"a" => [{"b" => []}, {}, [[]]], nil => 1, 1 => 2, [1] => {c: 3}}, line_width: 20, indentation: 4) }
y = Psych.dump(DateTime.new)
p Psych.unsafe_load(y), Psych.parse(y).to_ruby, Psych.load_stream(y)
p Psych.unsafe_load(Psych.dump(DateTime.new(1000,1,1))), Psych.parse(Psych.dump(DateTime.new(1000,1,1))).to_ruby
p DateTime.new(1000,1,1), Psych.dump(DateTime.new(1000,1,1,0,0,0,0,Date::GREGORIAN))
v = Psych::Visitors::YAMLTree.create; v << DateTime.new; p v.tree.to_ruby, v.tree.yaml
t1 = HI.new; t1[:foo] = :bar
v = Psych::Visitors::YAMLTree.create; v << t1; puts v.tree.yaml; p v.tree.to_ruby
