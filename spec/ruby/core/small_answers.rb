# Answers and messages of core methods at the edges of their arguments.
require "set"
require "bigdecimal/util"
require "date"
require "pathname"
require "abbrev"
require "json"
require "stringio"
def try(&block) = block.call.then { |value| p value } rescue puts("#{$!.class}: #{$!.message.gsub(/0x\h+/, "0x")}")
# Ranges of literal Strings are one object.
ranges = 2.times.map { "a".."z" }
try { [ranges[0].equal?(ranges[1]), ranges[0].begin.frozen?] }
try { x = "a"; (x.."z").begin.frozen? }
try { x = "q"; ("a#{x}".."z").begin.frozen? }
# pack
try { [1, 1].pack("UC").encoding }
try { [1, 1].pack("CU").encoding }
try { [1, "a"].pack("Um").encoding }
try { ["a", 1].pack("mU").encoding }
# sum
try { [1, 2].sum("a") }
try { [1r].sum("a") }
try { [0.5].sum(nil) }
try { [0.5].sum("a") }
try { [0.5].sum(Set[1]) }
try { [0.5, 1].sum(Time.at(0)) }
try { [1, 2.0].sum(Time.at(0)) }
try { [0.1, 0.2, 0.3].sum(BigDecimal("0.5")) }
try { [1, 2].sum(nil) { |x| x } }
try { [1, 2].each.sum("a") }
try { (1..5).sum(1/2r) }
try { (1..5).sum(nil) }
try { (1..0).sum("a") }
try { (1..5).sum(2**70) }
try { [[1], [2]].sum([]) }
# text that is not valid
try { "a\xffb".split("") }
try { "b\xE3\x81".chop }
try { "\xE3\x81b".chop }
try { "\xE3\x81".succ }
try { "\xff".succ }
try { "a\xff".succ }
try { "abc".tr!("a", "a") }
try { "abc".tr!("z", "a") }
try { "aabc".tr_s!("b", "b") }
try { "abc".tr!("z", "") }
try { "".scrub("x") { } }
try { "abc".setbyte(5, nil) }
try { "x".split(0, 1) }
try { "abc".dup.force_encoding("UTF-16").inspect }
try { "\xFF\xFEab".dup.force_encoding("UTF-16").inspect }
try { "abcd".dup.force_encoding("UTF-32").inspect }
try { "a".upcase(:x, :y) }
try { "a".upcase(:ascii, :y) }
try { "a".upcase(:turkic, :y) }
try { "a".encode("") }
try { "a".encode("", "also") }
try { "x".sub }
try { "x".sub("a") }
try { "x".sub(1, 2, 3) }
try { "x".sub { } }
try { "x".match }
try { :x.match }
try { "x".unpack }
try { "x".unpack1 }
try { [1].pack }
# numbers
try { 0 ** Float::NAN }
try { 0.fdiv(-(10**20)) }
try { 1.step(true) }
try { 1.step(to: "a").class }
try { 1.step(nil).class }
try { (1/3r).step(by: 2, to: 1/2r) }
try { 1.step(by: 2, to: nil) }
try { (1/2r).step(3/2r, 1/2r) }
try { ((1/2r)..2).step(1/2r) }
try { Time.at(0).utc.ceil(nil) }
try { BigDecimal("1234567.891").to_s("UTF-16") }
try { %w[F 2F F2 f +F 2 3E 5F3 x].map { |form| BigDecimal("1234567.891").to_s(form) } }
# lists
try { %w[b a c a].intersection }
try { [1, 2].permutation(nil).size }
try { [1, 2].combination(nil) }
try { [1, 2].repeated_combination("a") }
try { { a: String }.dig(:a, :b) }
try { [1].dig(0, :b) }
try { { a: 1 }.to_h { 2 } }
try { [1].each.to_h { nil } }
try { %w[car cone car].abbrev }
try { %w[b aa ab].abbrev(/^a/) }
# enumerators
try { "ab".to_enum("a", { b: 2 }) }
try { "ab".to_enum("a", { b: 1, "c" => 2 }) }
try { "ab".to_enum("a", 1, { "b c": 1 }) }
try { "ab".to_enum("a", {}) }
try { Object.new.to_enum(0) }
try { (1..3).lazy.map { |x| x * 2 }.clone.to_a }
try { (1..2).lazy.filter }
try { (1..2).lazy.collect_concat }
try { :"foo bar".to_proc.inspect.sub(/0x\h+/, "0x") }
# objects and modules
try { Object.new.clone(1, 2) }
try { 1.to_json(1, 2) }
try { Class.new(nil) }
class Frozen; end
Frozen.freeze
module Still; end
Still.freeze
try { Frozen.include(Comparable) }
try { Frozen.const_set(:A, 1) }
try { Frozen.alias_method(:x, :to_s) }
try { Frozen.class_eval { private :to_s } }
try { Frozen.instance_variable_set(:@a, 1) }
try { class Frozen; class Inner; end; end }
try { Frozen.send(:remove_const, :A) }
try { Still.include(Comparable) }
try { Still.class_variable_set(:@@a, 1) }
try { Still.module_eval { refine(String) { } } }
# the library
try { Date.new(2024, 2, 29).clone }
try { (Date.new(2024, 2, 29).dup >> 1).inspect }
try { Pathname("a/") + "" }
try { Pathname("a/b/") + ".." }
try { Pathname("/a/b").descend { } }
try { Pathname("a/b").descend.to_a }
try { Pathname("a").dirname(1) }
# roundings and fractions of Floats
try { [-0.921017858636322.round(17), 0.993499074992286.round(16), 7.332321971012185.round(16), 1.869407259620178.round(16)] }
try { [4772476425691.76.rationalize(1/100r), 3.14159.rationalize(1/100r), 0.333.rationalize(0.01), -0.3.rationalize(1/10r), 1e20.rationalize(3)] }
# \K within a lookahead
try { ["xaab".gsub(/(?=aa\K)/, "-"), "xaab".scan(/(?=a\K)/), "xaab".match(/(?=aa\K)/).offset(0)] }
try { ["abc".tr!("^z", "a"), "abc".tr!("^a-c", "x"), "abcé".tr!("a", "a"), "aaa".tr!("a", "a"), "abc".tr("c-a", "x")] }
# literal Ranges of Integers are one object; Marshal and Date with texts
ranges = 2.times.map { [1..3, (1..), nil..2, 1.0..2.0, -1...5] }
try { ranges.transpose.map { |a, b| a.equal?(b) } }
try { Marshal.dump(2.times.map { 1..3 }) }
try { Marshal.dump(BigDecimal("1.5")) }
try { Date._parse("2020-01-01 \xff") }
try { Date.iso8601("2020-01-01\xff") }
# what adds a Range, and too many of the smallest
try { (1..2**65).sum }
try { (2**64...2**64 + 3).sum(1r) }
try { [1].min(2**62) }
try { (1..3).sort { raise "in sort" } rescue $!.backtrace.map { |line| line[/`.*/] }.first(2) }
