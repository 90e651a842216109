def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"\u0000\u0001\a\b\t\n\v\f\r\e\u007f"}
t{"\#{x} \#$x \#@x # #x"}
t{"\xff\u3042"}
t{"é".encode("ISO-8859-1")}
t{"\u200b\u{10ffff}"}
t{"a\"b\\"}
t{"é\n\u{1F600}".dump}
t{"\xff".b.dump}
t{"é\n\u{1F600}".dump.undump}
t{"é".encode("UTF-16LE")}
t{"abc".encode("UTF-16BE").dump}
