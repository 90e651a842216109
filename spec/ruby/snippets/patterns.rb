# Pattern matching: patterns against subjects.
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
pats = ["Integer","Integer | Float => n","[a, b]","[Integer => a, *rest]","[*, 3, *post]","{a: 1}","{a: Integer => x, **rest}","{a:, **nil}","{name: String => s, tags: [*, :x, *]}","^y","1..","nil","[]","{}","/o/","->(x){x==5}","[[a,b],c]","{a: {b: [c, *]}}","String","a if a","x unless x.nil?","Array(a, b)","Hash[a:]","'a'|'b'","%i[a b]"]
subs = ["5","2.5","[1,2]","[1,2,3,4]","{a: 1}","{a: 1, b: 2}","{name: 'x', tags: [1,:x,2]}","nil","[]","{}","'foo'","[[1,2],3]","{a: {b: [1,2]}}","'a'","[:a,:b]"]
pats.each { |p| subs.each { |s| add.call "y=5; case #{s}; in #{p} then [:ok, binding.local_variables.map{|v| binding.local_variable_get(v)}.compact.first(3)]; else :no; end" } }
pats.first(12).each { |p| subs.each { |s| add.call "y=5; (#{s} => #{p}); 1"; add.call "y=5; (#{s} in #{p})" } }
Combine.expressions(snippets)
