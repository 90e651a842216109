# What frozen receivers refuse, and how.
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
frozen = ["'a'.freeze","[1].freeze","{a: 1}.freeze",":a","1","nil","(1..2)","Object.new.freeze","Struct.new(:a).new(1).freeze","Class.new.freeze","Time.at(0).freeze","/a/","1.5","Module.new.freeze","'a'.to_sym.to_proc","String.new('x').freeze","[].each.freeze"]
muts = ["<< 1","<< 'b'",".concat('x')",".replace('a')",".clear",".push(1)",".pop",".map!{1}",".sort!",".merge!({b: 1})",".delete(:a)","[:a]=1",".store(:a,1)",".instance_variable_set(:@a,1)",".a=2",".define_singleton_method(:x){}",".upcase!",".gsub!(/a/,'b')",".force_encoding('UTF-8')",".singleton_class.define_method(:y){}",".extend(Comparable)",".default=1",".compare_by_identity",".unshift(1)",".insert(0,1)",".compact!",".uniq!",".reject!{true}",".select!{true}",".squeeze!",".setbyte(0,1)",".encode!('UTF-16')",".class_eval{def z;end}",".localtime",".strip!",".chomp!('a')",".tr!('a','b')",".slice!(0)",".succ!",".rehash",".shift",".keep_if{true}",".delete_if{true}",".transform_values!{1}",".fill(0)",".rotate!",".flatten!",".shuffle!",".collect!{1}",".prepend('a')","[0]=1",".freeze.frozen?",".dup.frozen?",".clone.frozen?",".clone(freeze: false).frozen?",".instance_eval{@a=1}"]
frozen.each { |f| muts.each { |m| add.call "(#{f})#{m =~ /^</ ? ' ' : ''}#{m}" } }
Combine.expressions(snippets)
