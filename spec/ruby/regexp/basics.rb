$~=nil; "a.b".split(/\./); p $~
begin; "abc".sub(/b/, '\k<x>'); rescue => e; p e; end
begin; "abc".sub(/b/, '\k<x'); rescue => e; p e; end
begin; "\xff" =~ /a/; rescue => e; p e; end
begin; "é" =~ /\xff/n; rescue => e; p e; end
begin; "abc".gsub(1,"");rescue => e; p e; end
begin; "abc".match(1);rescue => e; p e; end
begin; "abc".match?(nil);rescue => e; p e; end
begin; "abc" =~ "a";rescue => e; p e; end
begin; "abc".sub(/a/);rescue => e; p e; end
begin; "abc".gsub(/a/,1);rescue => e; p e; end
begin; Regexp.allocate.source;rescue => e; p e; end
begin; /a/.match; rescue => e; p e; end
begin; "é".encode("utf-16le") =~ /a/;rescue => e; p e; end
begin; /a/.send(:initialize,"b");rescue => e; p e; end
begin; Regexp.new("b").send(:initialize,"b");rescue => e; p e; end
begin; "abc".scan("b"){ p $~, $~.regexp}; p $~;rescue => e; p e; end
begin; "abc".sub("b"){|m| p $~.regexp.encoding};rescue => e; p e; end
begin; "a"[/(a)/,"x"]; rescue => e; p e; end
begin; "a"[/(a)/,:x]; rescue => e; p e; end
begin; /a/.match(1); rescue => e; p e; end
begin; /a/ =~ 1; rescue => e; p e; end
p /a/ === 1, /a/ === :a, (/a/ =~ nil)
m=/(?<a>.)(?<b>.)?/.match("é"); p m, m.begin(:a), m.offset(0), m.named_captures, m[:b], (m[:c] rescue $!), (m.begin(7) rescue $!), (m.begin(-1) rescue $!), (m.begin("q") rescue $!)
p m.values_at(0,:a,"b",-1), m.to_a, m.size,m.regexp,m.string.frozen?,m.hash==m.dup.hash
p "a-b".gsub(/(-)/){ "x".sub(/x/,''); $1 }
p "abc".gsub(/b/, "b"=>1), "abc".gsub(/b/, Hash.new{|h,k| k*2})
p Regexp.union, Regexp.union("a.b",/c/i), Regexp.union(["x","y"]), (Regexp.union("a",1) rescue $!), Regexp.union(/é/,"b").encoding
p Regexp.escape("é a").encoding, Regexp.escape("a").encoding, Regexp.escape(:sym), (Regexp.escape(1) rescue $!)
p "abc".to_sym =~ /b/, :abc.match(/b/), :abc.match?(/b/), :abc[/b/]
p Symbol.instance_method(:=~).owner
p Regexp.last_match(1), (Regexp.last_match(:x) rescue $!)
p m.match(1), m.match_length(1), m.pre_match.frozen?
p "a,b".gsub(",") , "aXbX".gsub(/x/i, "X"=>"1"), "hello".gsub(/[el]/, 'e' => 3, 'o' => '*')
