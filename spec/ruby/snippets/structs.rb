# Struct classes and what their instances answer.
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
["Struct.new(:a,:b)","Struct.new(:a,:b,keyword_init: true)","Struct.new('Zed',:a)","Struct.new(:a){def x = a.to_s}","Struct.new","Struct.new(:a,:a)","Struct.new('lower')","Struct.new(1)","Struct.new(:a, keyword_init: false)"].each { |s| [".new",".new(1)",".new(1,2)",".new(1,2,3)",".new(a: 1)",".new(a: 1, b: 2)",".new(a: 1, c: 2)",".members",".new(1).to_a",".new(1).to_h",".new(1)==1",".new(1).inspect",".new(1).eql?(1)",".new(1)[0]",".new(1)[:a]",".new(1)[:z]",".new(1)[5]",".new(1)[-3]",".new(1).dig(:a)",".new(1).each.to_a",".new(1).x",".new(1).values_at(0)",".new(1).deconstruct",".new(1).deconstruct_keys([:a])",".new(1).select(&:odd?)",".new(1).to_s",".new(1).hash.class",".new(1).size",".keyword_init?",".new(1).then{_1.a=5; _1}",".new(1).then{_1[:a]=5; _1}",".new(1).each_pair.to_a",".superclass",".new(1) <=> 1",".instance_methods(false).sort",".new([1,[2]]).to_a.flatten",".new(1).filter_map{_1}",".new(1).sum",".new(1).a.class"].each { |m| add.call "(#{s})#{m}" } }
Combine.expressions(snippets)
