def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"ÀÉÎ".downcase}
t{"straße".upcase}
t{"ǆ".capitalize}
t{"İ".downcase}
t{"I".downcase(:turkic)}
t{"ÀB".downcase(:ascii)}
t{"ß".downcase(:fold)}
t{"aBc".swapcase}
t{"abc".upcase!}
t{"ABC".upcase!}
t{"abc".casecmp("ABD").to_s}
t{"äöü".casecmp?("ÄÖÜ")}
t{"a".casecmp("B").to_s}
