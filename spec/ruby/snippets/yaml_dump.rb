# YAML: how values are written: quoting, block scalars, folding, tags, aliases, options.
require "yaml"
require "date"
require "set"
require "bigdecimal"
require "ostruct"
require "stringio"
require_relative "fixtures/combine"
$VERBOSE = nil

class Point
  attr_accessor :x, :y
  def initialize(x = 1, y = nil) = (@x, @y = x, y)
end
class Empty; end
class Coded
  def initialize(&block) = @block = block
  def encode_with(coder) = @block.call(coder)
end
Pair = Struct.new(:a, :b)
KeyPair = Struct.new(:a, :b, keyword_init: true)
class MyHash < Hash; attr_accessor :note; end
class MyArray < Array; attr_accessor :note; end
class MyString < String; attr_accessor :note; end
class MyError < StandardError; def initialize(m = "x", code = 4) = (super(m); @code = code); end
class Later < Time; end
module Mod; end

def with_ivar(object, value = 1) = object.tap { |o| o.instance_variable_set(:@note, value) }

snippets = []
texts = %w[a ab a-b a_b a.b a:b a: :a :a:b :: : - -- --- -a +a + ? ?a ! !a !! & &a * *a % %a @ @a ` `a | > # #a a#b , a,b ,a [ [a ] a] a[b] { {a } a} {} [] = == =a << <<< ~ ~a null Null NULL nULL nil true True TRUE false no No NO yes Yes YES on On ON off Off y Y n N
  1 -1 +1 0 00 007 08 09 0o7 0x1F 0b1 1_000 1,000 1e3 1.5 1.5e3 1.5e+3 .5 5. . .. ... -.5 .inf -.inf .nan .INF .NaN 1:30 1:30:15 1:60 12:30:45.5 1.2.3 10.0.0.1 v1.0 1a a1 2020-01-01 2020-13-01 2020-02-30 2020-1-1 2020-01-01T10:00:00Z 2020-01-01T25:00:00Z 20200101 0644 0888 089 0_7 1_ _1 1__0 12345678901234567890
  ' '' " "" 'a' "a" a'b a"b 'a "a a' a" \\ \\n a\\b C:\\x http://a.b/c?d=e#f a=b a@b a%b a*b a&b a|b a>b a<b < / // /a/ ( ) (a) $ $a ^ ; a; a! !ruby/object !ruby/object:X é ü 日本 ١ ½ 😀 a😀 a/b a~b ~/x -x --x-y #{x} %{x} %w[a] {{a}} <%= => -> => :[] :a? :a! foo? foo! == != >= 1.0 0.0.1 1-2 1+1 1/2]
texts += ["", " ", "  ", " a", "a ", " a ", "a b", "a  b", "\t", "a\tb", "\ta", "a\t", "\n", "\n\n", "a\n", "a\n\n", "\na", "a\nb", "a\nb\n", "a\nb\n\n", "a\n\nb", "\na\nb", " a\nb", "a\n b", "  a\n  b\n", "a \nb", "a\nb ", "a\n \nb", "a\n\n\nb\n", "\n\na\n", "\ta\nb", "a\tb\nc", "a\r\nb", "a\rb", "\r", "\r\n", "a: b", "a : b", "a :b", ": a", "a:\nb", "a #b", "a # b", "# a", "- a", "-  a", "- a\n- b\n", "a: 1\nb: 2\n", "? a", "| a", "> a", "* a", "& a", "! a", "% a", "@ a", "--- a", "---\na", "... a", "a\n---\nb", "a\n...", "[a, b]", "{a: b}", "a, b", "null ", "true false", "1 2", "1 ", " 1", "12:30 x", "yes\n", "y\n", "no\nyes", "1\n", "~\n", "'a' b", "\"a\" b", "it's", "say \"hi\"", "'\"", "\"'", "it's \"x\"\n", "a\0b", "\0", "\a", "\b", "\e[0m", "\v", "\f", "\x7f", "a\u0085b", "a\u00a0b", "a\u2028b", "a\u2029b", "\ufeffa", "a\ufeff", "\ufffe", "\u200b", "é\n", "é\nü", "日本\n語", "\u{10ffff}", "\xff", "a\xffb", "\xff\n", "é".encode("ISO-8859-1"), "é".encode("UTF-16LE"), "é".b, "ab".b, "\x80".b, "a\nb".b, "\xff\xfe".b * 40, "a" * 79, "a" * 80, "a" * 81, "a" * 200, ("a" * 10 + " ") * 3, ("a" * 10 + " ") * 7, ("a" * 10 + " ") * 8, ("a" * 10 + " ") * 20, ("word " * 30).strip, "word  " * 20, "#{"x" * 78} y z", "#{"x" * 79} y z", "#{"x" * 80} y z", ("é" * 10 + " ") * 12, ("a b: c " * 20), ("a\n" + "b " * 60), ("b " * 60 + "\n"), ("b " * 60 + "\nc"), "'" + "b " * 60, "- " + "b " * 60, "1" * 100, "line one\nline two is #{"long " * 30}\nend\n", "#!/bin/sh\nset -e\necho hi\n", "  indented\n    more\nless\n", "\n  indented", "key=value\n[section]\n", "trailing   \nspaces\n", "tab\there\n\tthere\n", "a\n#b\n", "a\n: b\n", "%a\nb", "a\n\tb", "a\n\n", "x\n" * 3, "\u00e9 " * 50, "y", "n", "y ", "yn", "ye", ".", "..", "...x", "---x", "--- ", "<<", "<<\n", "=", "!!str", "a'b\"c", "\\", "a\\\nb", "\"\n\"", "'\n'", "[\n]", "{\n}"]
texts = texts.uniq
texts.each do |text|
  shown = text.encoding == Encoding::UTF_8 ? text.dump : "#{text.dup.b.dump}.dup.force_encoding('#{text.encoding}')"
  snippets << "YAML.dump(#{shown})" << "[#{shown}].to_yaml" << "{#{shown} => #{shown}}.to_yaml" << "{a: {b: [#{shown}]}}.to_yaml" << "#{shown}.to_sym.to_yaml" << "YAML.dump({'a' => #{shown}}, line_width: -1)" << "YAML.dump({'a' => #{shown}}, line_width: 20)" << "YAML.unsafe_load(YAML.dump(#{shown})) == #{shown}"
end
values = %w[nil true false 0 -1 12345678901234567890 1.0 -0.0 1.5e300 1e-5 1e20 1e15 1e16 123456789.123456789 100.0 Float::INFINITY -Float::INFINITY Float::NAN 1r 1/3r 2i Complex(1,2) Complex(1.5,-2) BigDecimal("1.5") BigDecimal("NaN") :a :"a\ b" :"" :"a:b" :"1" :true :nil :[] :a? :"é" :"a\nb" :"-" :"~" :"y"
  [] {} [[]] [{}] {a:1} {a:[]} {a:{}} [nil] [[],{}] [[1,[2,[3]]]] [[[]]] {[1]=>2} {{a:1}=>2} {nil=>nil} {1=>2} {1.5=>2} {true=>false} {:a=>:b} {"a"=>"b"} {"a\ b"=>"c"} {""=>""} {"a\nb"=>1} {"1"=>1,1=>"1"} {"~"=>1} {:"a\ b"=>1} [{a:1,b:2},{c:3}] {a:[{b:1},{c:[1,2]}]} [[{a:1}]] {a:nil,b:1} [nil,nil] {"a"=>nil}
  1..3 1...3 "a".."c" (1..) (..1) (nil..nil) 1.5..2 Date.new(2020,1,2)..Date.new(2020,1,3) /a/ /a/mix /a\/b/ /é/ /a\nb/n Regexp.new("a/b") //
  Date.new(2020,1,2) Date.new(-1,1,1) Date.new(10000,1,1) DateTime.new(2020,1,2,3,4,5) DateTime.new(2020,1,2,3,4,5,'+2') Time.utc(2020,1,2,3,4,5) Time.utc(2020,1,2,3,4,5.5r) Time.at(0,123456789,:nsec).utc Time.new(2020,1,2,3,4,5,'+02:00') Time.new(2020,1,2,3,4,5,'-05:30') Time.new(2020,1,2,3,4,5,"UTC") Later.utc(2020,1,1)
  Set.new Set[1,2] Set["a",:b] OpenStruct.new OpenStruct.new(a:1,"b\ c"=>2) Pair.new(1,2) Pair.new(nil,[1]) KeyPair.new(a:1) Struct.new(:q).new(1) Point.new Point.new([1],{a:2}) Empty.new Object.new Object.new.tap{|o|o.instance_variable_set(:@a,1)} MyHash.new MyHash[a:1] MyArray.new MyArray[1,2] MyString.new("x") MyString.new("a\nb") MyString.new("1")
  with_ivar(MyHash[a:1]) with_ivar(MyArray[1]) with_ivar(MyString.new("x")) with_ivar("x") with_ivar([1]) with_ivar({a:1}) with_ivar(Pair.new(1,2)) with_ivar(Point.new) with_ivar(Point.new,"y") with_ivar(1..2) with_ivar(Set[1]) with_ivar(ArgumentError.new("x"))
  ArgumentError.new("x") ArgumentError.new MyError.new MyError.new("a\nb") (raise"x"rescue$!.tap{|e|e.set_backtrace(["a:1"])}) StandardError.new(nil) StopIteration.new("x") KeyError.new("m",receiver:{},key:1) NameError.new("m",:x) Errno::ENOENT.new("x") Psych::SyntaxError.new("f",1,2,3,"p","c")
  String Kernel Comparable Process::Status Math Class.new Module.new Struct.new(:a) Mod Encoding::UTF_8 Encoding::BINARY ENV.class [1,2].each [1].each_slice(1) (1..3).each (1..3).lazy "ab".each_char Hash.new(5) Hash.new{} {a:1}.compare_by_identity proc{} lambda{} method(:puts) $stdout StringIO.new("x") Thread.current.class binding Mutex.new.class Random.new(1).class Psych::Set["a",1] Psych::Omap["a",1] Psych::Omap[:a,[1],:b,2]
  Coded.new{|c|c.tag="!x";c["a"]=1} Coded.new{|c|c["a"]=[1];c["b"]={c:1}} Coded.new{|c|c.scalar="x"} Coded.new{|c|c.tag="!y";c.scalar="1"} Coded.new{|c|c.scalar=1} Coded.new{|c|c.seq=[1,2]} Coded.new{|c|c.tag="!s";c.seq=[]} Coded.new{|c|c.map={"a"=>1}} Coded.new{|c|c.tag=nil;c.map={"a"=>1}} Coded.new{|c|c.represent_scalar("!z","a\nb")} Coded.new{|c|c.represent_seq("!z",[1])} Coded.new{|c|c.represent_map("!z",{a:1})} Coded.new{|c|c.represent_map(nil,{"a"=>1})} Coded.new{|c|c.represent_seq(nil,[1])} Coded.new{|c|c.represent_scalar(nil,"1")} Coded.new{|c|c.represent_object("!o",Point.new)} Coded.new{|c|c.style=2;c["a"]=1} Coded.new{|c|c.add("k",:v)} Coded.new{|c|} Coded.new{|c|c.scalar("!q","v",3)} Coded.new{|c|c.tag="tag:yaml.org,2002:str";c.scalar="5"}
  (a=[1];[a,a]) (a="x";[a,a]) (a="x";{a=>a}) (a={};[a,a,a]) (a=[];a<<a) (h={};h[:a]=h;h) (a=:x;[a,a]) (a=1.5;[a,a]) (a=Point.new;[a,a]) (a=Pair.new(1);a.b=a;a) (a=Date.new(2020,1,1);[a,a]) (a=Time.utc(2020);[a,a]) (a=/x/;[a,a]) (a=(1..2);[a,a]) (a=2**70;[a,a]) (a="";[a,a]) (a="a\nb";[a,a]) (a=Set[1];{a:a,b:a}) (a=[1];{a:a,b:{c:a}}) (a="x".freeze;b="x".freeze;[a,b]) (a=String;[a,a]) (a=1r;[a,a]) (a=2i;[a,a]) (a=BigDecimal("1");[a,a]) (a=DateTime.new(2020);[a,a]) (a=[1];b=[2];[a,b,b,a]) (a=Encoding::UTF_8;[a,a]) (a=ArgumentError.new("x");[a,a])].map { |value| value.gsub("\\ ", " ") }
options = ["", ", indentation: 4", ", indentation: 1", ", line_width: 10", ", canonical: true", ", header: true", ", version: '1.1'", ", version: [1, 2]", ", StringIO.new.tap { |io| $io = io }"]
values.each_with_index do |value, index|
  expression = value.start_with?("{") ? "(#{value})" : value
  snippets << "YAML.dump(#{expression})" << "YAML.dump([#{expression}])" << "YAML.dump({'k' => #{expression}})" << "YAML.dump([{'k' => [#{expression}]}])" << "YAML.safe_dump(#{expression})" << "YAML.safe_dump([#{expression}, 1], permitted_classes: [Symbol, Date, Time, Range, Point, Pair, Set], permitted_symbols: %i[a b], aliases: true)" << "YAML.dump_stream(#{expression}, 1)"
  snippets << "YAML.dump({'k' => [#{expression}, {a: 1}]}#{options[index % options.size]})"
  snippets << "YAML.unsafe_load(YAML.dump(#{expression}))" unless value =~ /proc|lambda|binding|stdout|method|Coded|Object.new|Empty|Point/
end
[[], [1, [2, { a: { b: [1, "x\ny"] } }]], { "a" => ["long " * 30, "y"], "b" => { "c" => nil } }, "a\nb\n", "x"].each do |value|
  options.each { |option| snippets << "YAML.dump(#{value.inspect}#{option})" << "#{value.inspect}.to_yaml(#{option.delete_prefix(", ")})" }
  [0, 1, 3, 8, 9, 10, 20].each { |width| snippets << "YAML.dump(#{value.inspect}, indentation: #{width})" << "YAML.dump(#{value.inspect}, line_width: #{width * 5})" }
  snippets << "YAML.dump(#{value.inspect}, line_width: -2)" << "YAML.dump(#{value.inspect}, nope: 1)" << "YAML.dump(#{value.inspect}, $io = StringIO.new).class; $io.string"
end
Combine.expressions(snippets.uniq)
