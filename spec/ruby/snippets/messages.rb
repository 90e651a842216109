# Calls that mostly fail: the words of the errors.
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
recv = ["nil","true","1","1.5","'s'",":s","[]","{}","Object.new","Object","Kernel","(1..2)","//","proc{}","Class.new","Module.new","Struct.new(:a).new(1)","method(:puts)","Time.at(0).utc","$stdout","Exception.new('x')"]
bad = [".foo",".foo(1)",".foo = 1","[1,2,3]","+ nil","- 'a'","* []","<=> nil","< nil",".upcase",".each{}",".call",".fetch(:zz)",".to_str",".to_ary",".coerce(nil)",".puts 1",".initialize",".send(:foo)",".public_send(:puts)",".instance_variable_get('x')",".method(:zz)",".new(1,2,3,4)",".sum",".name",".to_i",".to_f",".to_sym",".to_proc.call",".to_h",".to_a",".first",".size",".min",".keys","=~ 1",".match?('a')",".dig(0,0)",".join",".split",".then(1)",".tap",".instance_of?(1)",".is_a?('x')",".respond_to?",".extend",".freeze(1)",".dup(1)",".hash(1)",".inspect(1)","&.foo",".!","==nil","!= 1",".itself",".display(1,2)",".clone(freeze: 1)",".instance_exec","% 3","/ 0","** 'a'","<< nil","& 1","| nil","^ nil","~ 1"]
recv.each { |r| bad.each { |b| next if b=="~ 1"; add.call "(#{r}) #{b}".sub(") .",").").sub(") [",")[").sub(") &.",")&.") } }
Combine.expressions(snippets)
