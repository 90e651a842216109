# JSON writes objects of the core classes itself, also if their to_json is redefined; `to_json` comes from modules.
require "json"
p Object.instance_methods(false), Object.ancestors.first(3), Object.instance_method(:to_json).owner
p String.instance_method(:to_json).owner, Integer.instance_method(:to_json).owner, NilClass.ancestors.first(2)
p String.ancestors.first(3), String.singleton_methods.grep(/json/), JSON::Ext::Generator::GeneratorMethods::String.instance_methods.sort
p "ä".to_json_raw, String.json_create("raw" => [97]), 1.to_json, { a: nil }.to_json, Object.new.to_json[0, 10]
class Str2; include JSON::Ext::Generator::GeneratorMethods::String; end
p Str2.respond_to?(:json_create)
class String; def to_json(*a) = "S"; end
class Integer; def to_json(*a) = "I"; end
class Float; def to_json(*a) = "F"; end
class NilClass; def to_json(*a) = "N"; end
class TrueClass; def to_json(*a) = "T"; end
class Hash; def to_json(*a) = "H"; end
class Array; def to_json(*a) = "A"; end
class Symbol; def to_json(*a) = "Y"; end
class SubS < String; end
class SubH < Hash; end
puts JSON.generate(["a", 1, 1.5, nil, true, {a: 1}, [2], :sym, SubS.new("x"), SubH.new, 2**70])
puts JSON.generate({ "a" => "b", :c => 1, SubS.new("k") => [1] })
puts ["a"].to_json, "a".to_json, JSON.generate("a"), JSON.generate(1), JSON.generate({a: 1}), JSON.generate(nil), JSON.pretty_generate([1])
def (o = Object.new).to_json(*) = "O"
puts JSON.generate([o])
h = { a: 1 }
def h.to_json(*) = "single"
puts JSON.generate([h])
s = +"q"
def s.to_json(*) = "single"
puts JSON.generate([s])
