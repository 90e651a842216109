def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"ab".each_char.to_a}
t{"ab".each_char{|c| puts c}}
t{"ab".each_grapheme_cluster.to_a}
t{"e\u0301x".grapheme_clusters}
t{"\r\n".grapheme_clusters}
t{"ab".codepoints.map(&:to_s)}
t{"\xff".codepoints}
t{"ab\n".each_line{|l| p l}}
t{"a\nb\n".lines}
t{"a\nb".lines(chomp: true)}
t{"a|b".lines("|")}
