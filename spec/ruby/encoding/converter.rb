def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
ec=Encoding::Converter.new("utf-8","iso-8859-1"); p ec.last_error, ec.primitive_errinfo; begin; ec.convert("\u3042"); rescue =>e;  p e, e.error_char, e.source_encoding_name; end; p ec.last_error
begin Encoding::Converter.new("utf-8","foo"); rescue =>e; p e; end;begin Encoding::Converter.new("utf-8","utf-8"); rescue =>e; p e; end
p (Encoding.compatible?("a",:b)), Encoding.compatible?(1,"a"), Encoding.compatible?(Encoding::UTF_8, "a"), Encoding.compatible?("é", Encoding::UTF_8)
t{Encoding.default_external=nil}
t{Encoding.find("foo")}
t{Encoding.find(1)}
t{Encoding.new}
ec=Encoding::Converter.new("utf-8","euc-jp")
dst=+""; p ec.primitive_convert(+"\u{3042}\xff\u{3044}",dst), dst, ec.primitive_errinfo, ec.last_error, ec.putback
dst=+""; p ec.primitive_convert(+"\xff\u{3044}",dst,nil,1), dst, ec.primitive_errinfo
t{ec.finish}
t{ec.insert_output("x")}
t{Encoding::Converter.search_convpath("iso-8859-1","euc-jp", crlf_newline: true)}
t{Encoding::Converter.search_convpath("iso-8859-1","foo")}
t{Encoding::Converter.new([["utf-8","utf-16"],"crlf_newline"])}
t{Encoding::Converter.new("","", universal_newline: true).convert("a\r\nb")}
t{ec==Encoding::Converter.new("utf-8","euc-jp")}
ec=Encoding::Converter.new("utf-16","utf-8"); t{ec.convert("\xfe\xff\x00a\x00")}; t{ec.convert("b")}; t{ec.finish}
ec=Encoding::Converter.new("utf-8","iso-2022-jp"); t{ec.convert("\u3042")}; t{ec.finish}

