def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"%5d|%-5d|%05d|%+d|% d" % %w[1 2 3 4 5]}
t{"%s" % nil}
t{"%s %s" % ["a"]}
t{"%-10s|" % "é"}
t{"%x" % "255"}
t{"%<a>5s" % {a: "x"}}
t{"%{a}b" % {a: "x"}}
t{"%{z}" % {a: "x"}}
t{"%z" % "a"}
t{"%" % []}
t{"%1$s %1$s" % "x"}
t{"%*s" % ["5".to_i, "x"]}
t{"%c%c" % ["ab","é"]}
t{"%p" % ["a"]}
t{"%s" % :sym}
t{"%d" % "0x1f"}
t{"%f" % "1.5"}
t{"%f" % "x"}
t{"%d" % nil}
t{"%-+5d|" % "3".to_i}
