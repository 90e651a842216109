def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"abc".center(10,"xy")}
t{"abc".ljust(6,"1234")}
t{"abc".rjust(7,"1234")}
t{"abc".rjust(2)}
t{"a".concat("b","c")}
t{s="a"; s.concat(s,s)}
t{"b".prepend("a","x")}
t{"abc".reverse}
t{"héy".reverse}
t{"abc\r\n".chomp}
t{"abc\r\n\n".chomp("")}
t{"abcabc".chomp("bc")}
t{"abc\n".chomp(nil)}
t{"abc\r".chomp}
t{"abc\n\r".chomp}
t{"abc".chomp!}
t{"abc".chop}
t{"a\r\n".chop}
t{"".chop}
t{"".chop!}
t{"  a b\t\n".strip}
t{"\0 a\0".lstrip}
t{"a".strip!}
t{"abc".replace("x")}
t{"abc".clear}
t{"a"+1}
t{"a"*"b"}
t{"a"<<"b"<<99<<0x3042}
t{"é".b<<0xff}
t{"".force_encoding("US-ASCII")<<200}
