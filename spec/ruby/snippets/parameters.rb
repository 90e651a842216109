# Methods and blocks: every shape of parameters with every shape of arguments.
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
defs = ["def m(a, b = 2, *c, d, e:, f: 6, **g, &h) = [a,b,c,d,e,f,g]", "def m(*a, **k) = [a,k]", "def m(a, k = {}) = [a,k]", "def m(h) = h", "def m(a:, b: a) = [a,b]", "def m(*) = n(*); def n(*a,**k)=[a,k]", "def m(...) = n(...); def n(*a,**k)=[a,k]", "def m(**nil) = 1", "def m(a, **k) = [a,k]", "def m(a=1, k: 2) = [a,k]", "def m(a,(b,*c),d) = [a,b,c,d]","def m(a, b=a, c=b) = [a,b,c]", "def m(k: (x=1), j: x) = [k,j]"]
calls = ["m","m(1)","m(1,2)","m(1,2,3)","m(1,2,3,4,e: 5)","m(1, 2, e: 1, z: 2)","m(a: 1)","m(a: 1, c: 2)","m({a: 1})","m(**{a: 1})","m(*[1,2], **{})","m(1, 'x' => 2)","m(e: 1)","m(1,[2,3,4],5)","m(*[1,2,{a: 1}])","m(1, {b: 2})","m(1, k: 3)","m(**{'a' => 1, b: 2})","m(1, **nil.to_h)", "m(nil)","m([1,2])","m(1, e: 1, e: 2)","m(b: 1)"]
defs.each { |d| calls.each { |k| add.call "#{d}; #{k}" } }
blocks = ["|a|","|a,b|","|a,|","|*a|","|a,*b|","|a,(b,c)|","|a,b=5|","|a,k: 1|","|a,**k|","|(a,b),c|","|*a,b|","|a=1,*b,c|"]
args = ["1","1,2","[1,2]","[1,[2,3]]","[1,2],3","{k: 2}","1,k: 3","[[1,2],3]","nil","","[]","[1,{k: 2}]"]
vars = {"|a|"=>"a","|a,b|"=>"[a,b]","|a,|"=>"a","|*a|"=>"a","|a,*b|"=>"[a,b]","|a,(b,c)|"=>"[a,b,c]","|a,b=5|"=>"[a,b]","|a,k: 1|"=>"[a,k]","|a,**k|"=>"[a,k]","|(a,b),c|"=>"[a,b,c]","|*a,b|"=>"[a,b]","|a=1,*b,c|"=>"[a,b,c]"}
blocks.each { |b| args.each { |a| add.call "proc{#{b} #{vars[b]}}.call(#{a})"; add.call "lambda{#{b} #{vars[b]}}.call(#{a})"; add.call "def y = yield(#{a}); y{#{b} #{vars[b]}}" } }
blocks.each { |b| add.call "proc{#{b}}.parameters"; add.call "lambda{#{b}}.parameters"; add.call "proc{#{b}}.arity"; add.call "lambda{#{b}}.arity"; add.call "[[1,[2,3]],[4,5]].each_with_index.map{#{b} #{vars[b]}}"; add.call "{a: 1, b: [2,3]}.map{#{b} #{vars[b]}}"; add.call "[[1,2],[3,4]].each_with_object([]).map{#{b} #{vars[b]}}"; add.call "{a: 1}.each_with_index.map{#{b} #{vars[b]}}" ; add.call "[3,4].inject{#{b} #{vars[b]}}" }
Combine.expressions(snippets)
