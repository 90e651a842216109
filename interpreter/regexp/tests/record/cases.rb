# The cases: [pattern, options, [subject or [mode, subject, start in characters]]].
CASES = []

def c(pattern, *subjects, o: 0)
  CASES << [pattern, o, subjects]
end

I = 1; X = 2; M = 4; N = 32
TEXT = ["", "a", "b", "ab", "aab", "abab", "aaa", "abc\n", "a b\tc", "Hello World 42", "x1_y2-z3", "foo\nbar\nbaz\n", "é", "aéb", "Éa ß ǅ", "日本語 text", "٣४", "a\u00a0b\u2003c", "\u{1F600}x", "ab\r\ncd"]
BYTES = ["\xE9a\xFF".b, "caf\xC3\xA9 \x80".b, "\x00\x01".b]

# Classes and types against many texts.
%w[\w \W \d \D \s \S \h \H . \R \X \b. \B. [[:alpha:]] [[:alnum:]] [[:digit:]] [[:space:]] [[:upper:]] [[:lower:]] [[:punct:]]
   [[:print:]] [[:graph:]] [[:cntrl:]] [[:blank:]] [[:xdigit:]] [[:word:]] [[:ascii:]] [[:^alpha:]] [[:^digit:]]
   \p{Alnum} \p{Alpha} \p{Blank} \p{Cntrl} \p{Digit} \p{Graph} \p{Lower} \p{Print} \p{Punct} \p{Space} \p{Upper}
   \p{XDigit} \p{Word} \p{ASCII} \p{Any} \p{Assigned} \p{Han} \p{Hiragana} \p{Latin} \p{Greek} \p{Cyrillic} \p{L} \p{Lu} \p{Ll} \p{Lt}
   \p{N} \p{Nd} \p{P} \p{S} \p{Z} \p{M} \p{C} \p{^L} \P{L} \P{^L} \p{letter} \p{Uppercase_Letter} \p{Emoji} \p{Age=6.0}].each do |t|
  c "#{t}+", *TEXT
  c "(?a)#{t}", "aéb ٣\u00a0", "日本"
  c "(?u)#{t}", "éb ٣\u00a0", "日本"
  c "(?i:#{t})", "aB", "É"
  c "x#{t}*y", "xaby", "x y", "xéy"
  unless t.include?("p{") || t.include?("P{")
    c "(#{t})", *BYTES
    c "[^#{t}]", "a é1" unless t =~ /\A(\.|\\[RXbB])/
  end
end

# Quantifiers on atoms in contexts.
atoms = ["a", "(a)", "(?:ab)", "[ab]", ".", "\\w", "(a|ab)", "(?>a|ab)", "é", "(?:a?)", "(a*)"]
quants = ["", "*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{2}?", "{2}+", "{1,2}", "{1,2}?", "{1,2}+", "{,2}", "{2,}", "{0}", "{0,1}", "{,}", "{", "{a}", "{1", "**", "+*", "?*", "*?+"]
atoms.product(quants).each do |a, q|
  c "#{a}#{q}", "aabab", "é", "a{,}a{a}a{1"
  c "x#{a}#{q}b", "xaab", "xaabab", "xb"
  c "(#{a}#{q})(b*)$", "aabb", "ab\nb"
end

# Anchors.
anchors = %w[^ $ \A \z \Z \b \B \G]
anchors.each do |a|
  [a, "#{a}a", "a#{a}", "#{a}b", "b#{a}", "#{a}*a", "#{a}+", "(#{a}|b)a", "\n#{a}", "#{a}$", "^#{a}", "#{a}\n", "a*#{a}", "(?=#{a})", "(?!#{a}).", "(#{a})*"].each do |p|
    c p, "", "a", "ab\nab\n", "\n", "\n\n", "ba", "é a", ["m", "ab ab\n", 2], ["m", "ab\nab\n", 6], ["m", "éa\nb", 1], ["r", "ab\nab\n", 6], ["a", "ab\nab\n", 3]
  end
end

# Groups, references, conditions, look-around.
c "(a)(b)?", "a", "ab"
c "(?<x>a)(?<y>b)?", "ab", "a"
c "(?<x>a)(b)(?<y>c)", "abc"
c "(?<n>a)|(?<n>b)", "a", "b"
c "(?<n>.)(?<n>.)\\k<n>", "abb", "aba", "abc"
c "(?<n>a)?(?<n>b)\\k<n>", "abb", "aba", "bb"
c "(?'q'a)\\k'q'", "aa"
c "(a)\\1", "aa", "ab"
c "(a)(b)\\2\\1", "abba"
c "(a)\\k<1>", "aa"
c "(a)(b)\\k<-1>\\k<-2>", "abba"
c "(a|b)\\1", "aabb", "abba", "ab"
c "(?i)(a)\\1", "aA", "Aa"
c "(A)(?i:\\1)", "Aa"
c "(é)\\1", "éé"
c "\\1(a)", "aa"
c "(a\\1)", "aa"
c "(?:(a)|b)\\1", "aa", "bb", "ba"
c "(a)?\\1b", "aab", "b"
c "(?:(a)|(b)|c)+", "abc", "cba", "bca"
c "(a*)*", "aab"
c "(a*)+", "aab", "b"
c "(a|b*)*", "abba"
c "(?:a|())*b", "aab"
c "((a)|b)*", "ab", "aba"
c "(a)?(?(1)b|c)", "ab", "c", "ac"
c "(?<q>\")?\\w+(?(<q>)\"|!)", "\"ab\"", "ab!", "\"ab!"
c "(\\()?a(?(1)\\))", "(a)", "a", "(a"
c "(?=a)\\w", "ba"
c "(?!a)\\w", "ab"
c "(?<=a)b", "bab", ["m", "ab", 1]
c "(?<!a)b", "abb", ["m", "ab", 1]
c "(?<=a|bc)d", "ad", "bcd", "d"
c "(?<!a|bc)d", "ad", "bcd", "d"
c "(?<=(a))b", "ab"
c "(?<=^a)b", "ab\nab"
c "(?<=\\ba)b", "ab xab"
c "(?<=é)b", "éb", "b"
c "(?<=[é日])b", "éb", "日b"
c "(?<=a{2})b", "aab", "ab"
c "(?<=\\d{3})(?=(\\d{3})+$)", "123456789"
c "(\\d)(?=(\\d{3})+(?!\\d))", "1234567", "12"
c "foo\\Kbar", "foobar"
c "(foo)\\K(bar)", "foobar"
c "a\\Kb|c", "ab", "c"
c "(?>a+)b", "aab"
c "(?>a*)a", "aaa"
c "(?>a|ab)c", "abc"
c "((?>a+))b", "aab"
c "(?~abc)", "xxabcxx", "ab", ""
c "\\/\\*(?~\\*\\/)\\*\\/", "/* a */ b */", "/**/", "/* a"
c "(?~a)b", "cab"
c "(?i:a)b", "Ab", "AB"
c "a(?i)b", "aB", "AB"
c "a(?i)b|c", "aB", "aC", "C"
c "(?i)a(?-i)b", "Ab", "AB"
c "(?i-m:a.)", "A\n", "Ab"
c "(?m:a.b)", "a\nb"
c "a.b", "a\nb", "a\rb", "a\u2028b"
c "a.b", "a\nb", o: M
c "(?-m:a.b)", "a\nb", o: M
c "(?x: a b # c\n c)d e", "abcd e"
c "a b # comment\n c", "abc", "a b", o: X
c "a\\ b [ c] \\# d", "a b #d", "a b c", o: X
c "a (?#x y) +", "aa", o: X
c "a #\n+", "aa", o: X
c "[a #b]+ c", "a #bc", o: X
c "(?-x: a)b", " ab", o: X
c "a\\\nb", "a\nb", o: X
c "a(?#c\\)d)b", "ab"
c "a(?#x)*", "aaa"
c "(?x) a\n b", "ab"
c "(?:(?x) a b | c)d e", "abd e", "c d"
c "\\((?:[^()]|\\g<0>)*\\)", "x(a(b)c(d(e)))y", "((("
c "(?<p>\\((?:[^()]|\\g<p>)*\\))", "x(a(b)c)y", "(a(b(c(d(e(f(g(h)))))))"
c "(?<d>\\d+)-\\g<d>", "12-345"
c "(?<d>\\d){0}\\g<d>x", "1x"
c "(?<e>\\g<t>(?:[+-]\\g<t>)*){0}(?<t>\\d+|\\(\\g<e>\\)){0}\\A\\g<e>\\z", "1+(2-3)", "1+(2-3"
c "(a)\\g<1>", "aa"
c "(a)\\g<-1>b", "aab"
c "\\g<+1>(a)", "aa"
c "\\g<1>(a|b)", "ab", "ba"
c "(?<a>.)\\g<a>\\k<a>", "abb", "aba"
c "\\A(?<a>|.|(?:(?<b>.)\\g<a>\\k<b+0>))\\z", "reviver", "abcba", "abc", "aa"

# Classes.
["[abc]", "[^abc]", "[a-c]", "[a-cx-z]", "[a\\-c]", "[-a]", "[a-]", "[\\w-]", "[a-c-e]", "[]a]", "[^]a]", "[a\\]b]", "[\\[\\]]", "[a&&b]", "[a-z&&[^aeiou]]", "[a-z&&[^b]&&[^c]]", "[^a-z&&b]", "[a-c&&b-d]", "[[a-c]]", "[[a-c][x-z]]", "[a[b]c]", "[^[a]b]", "[[^a]b]", "[[^a]&&[^b]]", "[\\d\\s]", "[\\D]", "[^\\D]", "[\\W\\d]", "[\\x41-\\x43]", "[\\101-\\103]", "[\\u0041\\u00e9]", "[\\u{41 e9}]", "[é-ü]", "[あ-ん]", "[\\n\\t]", "[\\b]", "[.]", "[*+?]", "[$^]", "[a^]", "[\\^a]", "[ ]", "[#]", "[/]", "[&]", "[a&b]", "[~]", "[a||b]", "[a--b]", "[a~~b]", "[\\p{L}\\d]", "[\\P{L}]", "[^\\p{L}]", "[\\p{^L}]", "[[:alpha:]_]", "[^[:alpha:]]", "[[:^alpha:]]", "[[:alpha:][:digit:]]", "[[:alpha:]&&[^a]]", "[:alpha:]", "[[:alpha]", "[a-\\x63]", "[\\h]", "[\\H]", "[\\R]", "[\\X]", "[\\A]", "[\\z]", "[+--]", "[!--]", "[--a]", "[a-c\\d-]", "[&&a]", "[a&&]", "[^&&a]", "[\\e\\a\\f\\v\\r\\0]", "[\\cA-\\cC]", "[\\C-a]", "[{}]", "[()|]", "[a-zA-Z0-9_.-]", "[\\w.%+-]", "[\\/\\\\]", "[ß]", "[k]", "[^k]", "[^[^k]]", "[[^k]]", "[a-z]", "[A-Z]", "[^a-z]", "[é]", "[^é]", "[ǆ]", "[\\w]", "[^\\w]", "[[:upper:]]", "[[:lower:]]", "[^[:lower:]]", "[\\p{Lower}]", "[ſ]", "[K]", "[@-Z]", "[Z-a]", "[а-я]", "[α-ω]"].each do |k|
  subs = ["abcxyz", "B", "-", "]", "^é", "1 \n", "ü あ", "&|~", "k K \u212a s S ſ ß", "Ǆ ЖΩ", "", ".*+/\\", "\x00\x01\x1b\b".dup, "[:alph]"]
  c k, *subs
  c k, *subs, o: I
  c "#{k}+", *subs
end

# Case folding.
["k", "K", "s", "ss", "ß", "ẞ", "é", "É", "ǅ", "σ", "ς", "ﬁ", "fi", "ff", "st", "İ", "i", "ı", "μ", "straße", "STRASSE", "mass", "class", "ﬀ", "əə", "Ω", "å", "я", "\u1e9e", "ŉ", "a\u030a", "fifi", "sst", "office"].each do |k|
  c k, "k K \u212a s S ſ ss SS Ss ß ẞ", "é É ǆ Ǆ ǅ σ Σ ς", "ﬁ FI fi ﬀ ff ﬆ ST", "İ I i ı", "µ μ Μ", "strasse STRASSE straße", "mass claß CLASS", "Ω ω \u2126 Å å \u212b", "я Я", "ŉ ʼn", "oﬃce OFFICE ofﬁce", o: I
  c "#{k}+x", "ssx", "SSx", "ßx", "ﬁfix", o: I
end

# Escapes.
["\\t", "\\n", "\\r", "\\f", "\\v", "\\a", "\\e", "\\0", "\\00", "\\012", "\\12", "\\101", "\\x41", "\\x4", "\\x4g", "\\u0041", "\\u00e9", "\\u{41}", "\\u{1F600}", "\\u{41 42}", "\\cA", "\\ca", "\\C-a", "\\c?", "\\C-?", "\\.", "\\*", "\\-", "\\/", "\\#", "\\ ", "\\\"", "\\'", "\\`", "\\<", "\\>", "\\{", "\\}", "\\]", "\\,", "\\:", "\\_", "\\&", "\\~", "\\%", "\\@", "\\!", "\\=", "\\i", "\\j", "\\l", "\\m", "\\q", "\\y", "\\N", "\\O", "\\o", "\\Q", "\\E", "\\F", "\\I", "\\L", "\\U", "\\T", "\\é", "\\日", "\\xc3\\xa9", "\\303\\251", "\\xe6\\x97\\xa5+", "\\pL", "\\k", "\\g", "\\ka", "\\g1", "\\M-a", "\\M-\\C-a", "\\xff", "\\377", "\\400", "\\777", "\\8", "\\9", "\\10", "\\18", "\\81", "(a)\\10", "(a)\\1\\x30", "(a)\\11", "\\x", "\\xg", "\\u", "\\u12", "\\u{", "\\u{}", "\\u{110000}", "\\u{1234567}", "\\ud800", "\\c", "\\C", "\\C-", "\\M", "\\M-", "\\", "a\\", "[\\", "\\cé", "\\p{Foo}", "\\p{", "\\p{}", "\\p{L", "\\p{^Foo}", "\\p{Script=Han}", "\\p{ l-u_ }", "\\P{^Lu}"].each do |e|
  c e, "\t\n\r\f\v\a\e\0\x01\x7f", "AB 4g", "é \u{1F600} 日日", ".*-/# \"'`<>{}],:_&~%@!=", "ijlmqyNOoQEFILUT", "pL k g ka g1 a8 81 a0 aa0 aa1", "\x0081\x018\b\t"
  c "#{e}+", "AAA", "\t\t", "éé"
end

# Sources in bytes.
["\\xff", "[\\x80-\\xff]+", "\\xe9", "[^\\xe9]", "a\\xffb", "\\377", "\\M-a", "[\\xe0-\\xff]", "é", ".", "\\w+", "\\xe9+", "(\\xff)\\1"].each do |e|
  c e.b, "a\xFFb".b, "\xE9\xE9".b, "abc", "\xC3\xA9".b, "\xE1\xFF\xFF".b, o: N
  c e.b, "A\xFFB".b, "\xC9".b, o: N | I
end
c "\xFF[a-z]".b, "\xFFa".b
c "caf", "caf\xE9".b, "café"
c "f.$", "caf\xE9".b

# Errors.
["*", "+", "?", "{1}", "{1,2}a", "a|*", "(*)", "(?:+)", "^*a", "(", ")", "a)", "(a", "((a)", "(?", "(?:", "(?=", "(?<", "(?<=", "(?<!", "(?>", "(?~", "(?#", "(?i", "(?i:", "(?-", "(?z)", "(?s)", "(?iz)", "(?-a)", "(?P<a>x)", "(?P=a)", "(?|a)", "(?&a)", "(?@a)", "(?^i:a)", "(?(", "(?()", "(?(a)b)", "(?(1)a)", "(?(1", "(?(1a)b)", "(?(<x>)a)", "(?(<x)a)", "(a)(?(1)b|c|d)", "(a)(?(2)b)", "(?<>a)", "(?<a", "(?<a)", "(?<1>a)", "(?<1a>a)", "(?<-a>a)", "(?<a b>x)", "(?<a-b>x)", "(?''a)", "(?'a", "\\k<>", "\\k<", "\\k<a", "\\k<a>", "\\k'a'", "\\k<1>", "\\k<0>", "\\k<-1>", "\\k<-0>", "\\k<1a>", "\\k<a+>", "\\k<a+b>", "\\k<a b>", "(a)\\k<2>", "(a)\\k<-2>", "(a)\\k<99999999999>", "\\g<>", "\\g<", "\\g<a", "\\g<a>", "\\g<1>", "\\g<2>(a)", "\\g<-1>", "\\g<+1>", "(a)\\g<+1>", "\\g<1a>", "(?<a>\\g<a>)", "(?<a>a|\\g<a>)", "(?<a>a\\g<a>?)", "(?<a>a\\g<a>)", "(?<a>\\g<b>)(?<b>\\g<a>)", "\\g<0>", "a|\\g<0>", "a\\g<0>?", "(\\g<1>)", "(?<a>.)(?<a>.)\\g<a>", "(?<a>.)\\g<1>", "(?<a>.)\\1", "(?<a>.)(.)\\2", "\\1", "(a)\\2", "\\2(a)", "[", "[a", "[]", "[^]", "[]a", "[^]a", "[a-", "[b-a]", "[a-\\d]", "[\\d-a]", "[\\d-\\w]", "[[:alpha:]-z]", "[a-[:alpha:]]", "[\\w-.]", "[[:foo:]]", "[[:foo:]", "[[:Alpha:]]", "[[:alpha:", "[[:^foo:]]", "[a&&", "[[a]", "[\\", "[a\\]", "[\\x]", "a{2,1}", "a{100001}", "a{1,100001}", "a{100000}?", "a{99999999999}", "a{,100001}", "(?<=a*)b", "(?<=a+)b", "(?<=a?)b", "(?<=a{1,2})b", "(?<=(?:a|bc)d)e", "(?<=a|(?:b|cd))d", "(?<=(?i:a|bc))d", "(?<=(?i:ab))d", "(?<=(a|bc))d", "(?<!(a))b", "(?<!(?:a|bc))b", "(?<=\\z)a", "(?<=a$)b", "(?<=(?=a))b", "(?<=(?<=a))b", "(?<=(?>a))b", "(a)(?<=\\1)b", "(?<=\\R)a", "(?<=\\X)a", "(?<=(?~a))b", "(?<=\\g<1>)(a)b", "(?<=a(?#x)|b)c", "(?<=)b", "(?<!)b", "é\\xff", "(?i)*", "(?i)|*", "x{2}{3}{", "((((((((((a))))))))))", "(?<日本>a)\\k<日本>", "(?<a>x)(?<a>y)|(?<b>z)", "a**+", "a{1}{2}", "]", "}", "{", "a]", "a}", "a{b", "|", "||", "a|", "|a", "()", "(|a)", "(a|)", "(?:)", "(?:)*", "()*", "(?:|a)+", "(?!)", "(?=)", "(?<=)", "[^\\n]", "\\n*", "x*", "^", "$"].each do |p|
  c p, "", "a", "ab", "abc", "]", "}a{b", "aa", "xyz", "aaaaaa"
end
["*", "[", "a/b(", "a\\/b(", "(é", "(\t", "(\n", "(\e", "(\u200b"].each { |p| c p, o: I; c p, o: M | I | X; c p, o: N }
["a/b", "a\\/b", "\t\n\e\u200bé", "(?i)a", "(?i:a)", "(?i-x:a)", "(?mix:a)", "(?-mix:a)", "(?i:a)b", "(?i:a)(?i:b)", "(?i)(?m)a", "(?i)(?m:a)", "(?x:a b)", "(?a:b)", "(?:a)", "(?i", "(?i:)", "(?i:(a)|b)", "a\\", "(?i:a/b)"].each { |p| [0, 1, 2, 4, 7].each { |o| c p, "a", "A", "ab", "a b", o: o } }

# Searching from an offset, backwards, anchored.
["a", "ab", "é", "[aé]", "a*", "(a)(b)?", "\\w+", "\\b\\w", "^a", "a$", "\\Ga", "\\Aa", "(?<=a)b", "a|b", "x*", "日", ".", "\\S+\\s*", "(?<!a)b", "$", "\\z", "\\Z"].each do |p|
  c p, *["abab", "ab\nab", "éaéb", "日本a日"].flat_map { |s| (0..s.size).flat_map { |i| [["m", s, i], ["r", s, i], ["a", s, i]] } }
end

# Patterns as they stand in cookbooks.
COOKBOOK = [
  "rhel-7.9 x86_64", "CentOS Linux release 7.9.2009 (Core)", "ubuntu 20.04\n", "10.0.0.1", "192.168.1.254/24", "fe80::1%eth0",
  "https://example.com:8443/path/file-1.2.3.tar.gz?x=1#top", "user@example.com", "/etc/nginx/conf.d/site.conf", "C:\\Program Files\\Foo\\bar.exe",
  "net.ipv4.ip_forward = 1", "  key: value # note", "MemTotal:       16384256 kB", "root:x:0:0:root:/root:/bin/bash\n",
  "Package: nginx\nVersion: 1.18.0-6ubuntu14\nStatus: install ok installed\n", "nginx version: nginx/1.18.0", "java version \"1.8.0_292\"",
  "2024-01-31T12:34:56Z", "tcp        0      0 0.0.0.0:80   0.0.0.0:*   LISTEN   123/nginx", "/dev/sda1 on / type ext4 (rw,relatime)",
  "-A INPUT -p tcp --dport 22 -j ACCEPT", "#PermitRootLogin yes\nPermitRootLogin no\n", "export PATH=/usr/bin:$PATH", "${foo} <%= bar %>", "Active: active (running) since", "10-Gb_nic.0",
  "sha256:0123456789abcdef", "[section]\nname=value\n", "recipe[foo::bar@1.2.3],role[web]", "--opt=\"a b\" -x", "MyClassName", "some_snake_name", "HTTP/1.1 404 Not Found\r\n", "100%", "café ☕ naïve"
]
['^#?\s*PermitRootLogin\s+(.*)$', '\A\d{1,3}(?:\.\d{1,3}){3}\z', '^(\d+)\.(\d+)(?:\.(\d+))?', '(\d+)\.(\d+)\.(\d+)', '^rhel|centos', '/rhel|centos|fedora/i', '^(?<os>\w+)[ -](?<ver>[\d.]+)', 'release (\d+)\.(\d+)', '[^a-zA-Z0-9]', '[^\w.-]+', '\s+', '\s*[,:;]\s*', '^\s*#', '^\s*$', '\bnginx\b', '^nginx version: nginx/(?<v>\S+)', 'version "(\d+\.\d+)\.0_(\d+)"', '^(?:https?|ftp)://([^/:]+)(?::(\d+))?(/.*?)?(?:\?(.*?))?(?:#(.*))?$', '\A[\w+\-.]+@[a-z\d\-]+(\.[a-z\d\-]+)*\.[a-z]+\z', '^recipe\[(.+?)(?:@(.+))?\]', '(\w+)\[([^\]]+)\]', '^(\S+)\s+(\S+)\s+(\d+)', '([A-Z]+)([A-Z][a-z])', '([a-z\d])([A-Z])', '(?:^|_)([a-z])', '\.tar\.(?:gz|bz2|xz)$', '-(\d+(?:\.\d+)*)\.tar', '^MemTotal:\s+(\d+)\s*kB$', '^(\w+):[^:]*:(\d+):(\d+)', '^Version:\s*(?<v>.+)$', 'install ok installed', '^Status: .* ok ', '\$\{(\w+)\}', '<%=?\s*(.+?)\s*%>', '%', '\\\\', '[\\\\/]', '^[A-Za-z]:\\\\', '^(.*?)\s*=\s*(.*)$', '^\[(.+)\]$', '^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z?$', '\blisten\b', ':(\d+)\s', '(\d+)/(\w+)', '^-A (\w+)(?: -p (\w+))?(?: --dport (\d+))?', '^(?!#).*no$', '(?<!#)PermitRootLogin', '\Aexport (\w+)=(.*)\z', '(?i)http/(\d)\.(\d) (\d{3})', '\r?\n', '\R', '[[:space:]]+', '[^[:print:]]', '\p{Alpha}+', '^\h{8}', 'sha256:(\h+)', '(?<k>--?\w+)(?:=(?<v>"[^"]*"|\S+))?', '\A/(?:[^/]+/)*([^/]+)\z', '(\d+)%', '\W', '\s+$', '\A\s+|\s+\z', '^.*$', '.+', '(.)(.)?', '(?:[01]?\d\d?|2[0-4]\d|25[0-5])(?:\.(?:[01]?\d\d?|2[0-4]\d|25[0-5])){3}', '^\/etc\/(?<dir>[^\/]+)\/', '(\w+)::(\w+)', 'ext[234]', '\(([^)]*)\)', '\A[^:]+:\s*', 'active \((running|exited)\)', '(?m)Package:.*Status', '(?mi)package:.*?version', '^(?:(?:#|;).*)?$', '(?<=:)\d+', '\d+(?=\s*kB)', '^(?<name>[^=]+)=(?<value>.*)$', '(a|e|i|o|u)(?=\w)', '(?:(\d+)-)?Gb', "[\"']([^\"']*)[\"']", '([^,]+)(?:,|$)'].each do |p|
  c p, *COOKBOOK
  c p, *COOKBOOK.first(20), o: I if p =~ /[a-z]{4}/
end

# Alternations and their combinations, generated.
parts = ["a", "ab", "a*", "b?", "(c)", "(?=b)", "(?<!c)", "\\b", "[^a]", "(a|b)", "(?:)", "a+?", "(?>a*)", "(b)?"]
parts.product(parts).each_with_index do |(x, y), i|
  c "#{x}|#{y}c", "abc", "cab" if i.odd?
  c "(#{x})(#{y})", "aabc", "bca"
  c "(?:#{x}#{y})+c", "abcabc", "bc" if i.even?
end
