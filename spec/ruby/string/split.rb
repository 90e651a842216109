def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"a,b,c".split(",",2)}
t{" a b ".split(" ")}
t{"a  b".split("  ")}
t{"abc".split("")}
t{"日本".split("")}
t{"a\tb\nc".split}
t{"1,2,,3,,".split(",")}
t{"1,2,,3,,".split(",",-1)}
t{",,".split(",")}
t{"aXXbXXc".split("XX",-1)}
