def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"é".encode("ISO-8859-1").bytes.map(&:to_s)}
t{"\u3042".encode("US-ASCII")}
t{"\u3042".encode("US-ASCII", undef: :replace)}
t{"\u3042".encode("US-ASCII", fallback: {"\u3042"=>"a"})}
t{"\xff".encode("UTF-16LE")}
t{"\xff".encode("UTF-16LE", invalid: :replace, replace: "?")}
t{"a<b>&\"".encode(xml: :attr)}
t{"a<\u3042".encode("US-ASCII", xml: :text)}
t{"a\r\nb".encode(universal_newline: true)}
t{"\xffa".scrub}
t{"\xffa".scrub("?")}
t{"\xffa".scrub{|b| "<#{b.unpack1("H*")}>"}}
t{"a".encode("UTF-8","foo")}
t{"\xe3\x81".scrub}
t{"é".force_encoding("BINARY")}
t{"é".b.encode("UTF-8")}
t{"a".encode("UTF-16").encoding}
t{"é" == "é".b}
t{"a" == "a".b}
t{"é".unicode_normalize(:nfd).codepoints.map(&:to_s)}
t{"e\u0301".unicode_normalize}
t{"e\u0301".unicode_normalized?}
t{"a".encode("UTF-8", invalid: :foo)}
t{"é".ascii_only?}
t{"\xff".valid_encoding?}
t{"a".b.encoding}
t{"a".unpack("b*")}
t{["616263"].pack("H*")}
t{["abc"].pack("m")}
t{["a","b"].pack("A3A3")}
t{"abc".unpack1("a2")}
t{["é"].pack("M")}
t{["a"].pack("u")}
t{"YWJj".unpack1("m")}

# Text in UTF-16 or UTF-32 that has no byte order mark: each unit is invalid.
["\x00a\x00b", "ab\xFE\xFF\x00c", "abc", ""].each do |bytes|
  ["UTF-16", "UTF-32"].each do |from|
    p bytes.b.encode("UTF-8", from, invalid: :replace, replace: "?")
    p bytes.b.encode("UTF-8", from)
  rescue EncodingError => error
    p [error.class, error.message]
  end
end
