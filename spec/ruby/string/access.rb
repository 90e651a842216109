def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"héllo"[0]}
t{"héllo"[-1]}
t{"héllo"[5]}
t{"héllo"[4,9]}
t{"héllo"[5,1]}
t{"héllo"[6,1]}
t{"abc"[-4,2]}
t{"abc"[1,-1]}
t{"abc"["b"]}
t{"abc"["z"]}
t{"abc"[0..-2]}
t{"abc"[1...]}
t{"abc"[..1]}
t{"abc"[3..]}
t{"abc"[4..]}
t{"abc"[nil]}
t{"abc"["a",1]}
t{s="abc"; s[3]="d"; s}
t{s="abc"; s[4]="d"; s}
t{s="abc"; s[0,0]="x"; s}
t{s="abc"; s[1..]="x"; s}
t{s="abc"; s["b"]="xyz"; s}
t{s="abc"; s[-3]="q"; s}
t{s="héllo"; s[1..2]="é"; s}
t{s="abc"; s[0]=1}
t{s="abc".freeze; s[0]="x"}
t{s="abc"; s.slice!(1)}
t{s="abc"; [s.slice!(0,2), s]}
t{s="abc"; [s.slice!("b"), s]}
t{s="abc"; [s.slice!(5), s]}
t{s="abc"; [s.slice!(3..4), s]}
t{"hello".byteslice(1,2)}
t{"héllo".byteslice(1)}
t{"abc".byteslice(-2..)}
t{"abc".byteslice(4)}
t{"abc".insert(1,"X")}
t{"abc".insert(-2,"X")}
t{"abc".insert(3,"X")}
