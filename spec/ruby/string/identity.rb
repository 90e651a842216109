def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"abc" <=> "abd" and "abc".<=>("abd").to_s}
t{"a" === "a"}
t{"a".eql?(:a)}
t{"a".equal?("a")}
t{"abc".freeze.frozen?}
t{(+"abc".freeze).frozen?}
t{(-"abc").frozen?}
t{"abc".dup.frozen?}
t{String.new.encoding}
t{String.new("é").encoding}
t{String.try_convert(1)}
t{class MyS < String; end; MyS.new("a").upcase.class}
t{MyS.new("a").to_s.class}
t{MyS.new("ab")[0].class}
t{MyS.new("a").inspect}
t{MyS.new("a") == "a"}
t{MyS.new("a") + "b"}
t{String.new("x", capacity: "1".to_i)}
t{String.new("x", foo: nil)}
