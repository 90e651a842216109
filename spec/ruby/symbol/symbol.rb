def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{:a.inspect}
t{:"a b".inspect}
t{:"a=".inspect}
t{:[]=.inspect}
t{:"9a".inspect}
t{:"é".inspect}
t{:"a?".inspect}
t{:A.inspect}
t{:"foo=?".inspect}
t{:+.inspect}
t{:"&&".inspect}
t{:"$1".inspect}
t{:"@a".inspect}
t{:"@@a".inspect}
t{:"@1".inspect}
t{:"".inspect}
t{:a.upcase}
t{:abc.capitalize}
t{:a.succ}
t{:abc.start_with?("a")}
t{:a.to_proc.call("x")}
t{:a <=> "a"}
t{:a == "a"}
t{:a.name.frozen?}
t{:a.name.equal?(:a.name)}
t{:upcase.to_proc.call("x")}
t{:upcase.to_proc.lambda?}
t{:a.frozen?}
t{:a.to_s.frozen?}
t{:a.encoding}
t{:"é".encoding}
t{:é.length.to_s}
t{:b.between?(:a,:c)}
t{:b.clamp(:c,:d)}
t{"b".clamp("c","d")}
t{"b".clamp("a".."c")}
