def t; yield; rescue Exception => e; e; end
p "hello".gsub(/l/, "L"), "hello".gsub("l", "L"), "hello".gsub(/(?<x>l)/, '<\k<x>>'), "abc".gsub(/b/, '[\0|\&|\`|\'|\\\\|\+]'), "abc".gsub(/(b)/, '\+\1\2')
p "héllo wörld".gsub(/[éö]/) { $&.upcase }, "aé".gsub("", "-"), "abc".gsub(/x*/, "-"), "abc".sub(/x*/, "-"), "".gsub(/^/, "x"), "".sub("", "y")
p "a.b.c".gsub(".", "." => "!"), "cat".gsub(/[aeiou]/, "a" => 1), "x-1".gsub(/\d/) { |d| d.to_i + 1 }
p "foo bar".gsub(/o/).with_index.map { |m, i| "#{m}#{i}" }, $~ && $~[0]
s = +"frozen"; p s.gsub!(/z/, "Z"), s, s.gsub!(/q/, ""), s.sub!(/f/) { "F" }, s
p t { "a".freeze.gsub!(/b/, "") }, t { "a".freeze.sub!(/a/, "") }, t { x = +"abc"; x.gsub!(/b/) { x << "d" } }, t { "abc".gsub }, t { "abc".gsub(/a/, 1) }
p "k=v; k2=v2".scan(/(\w+)=(\w+)/), "abc".scan(/./), "aXbX".scan("X"), "héé".scan(/é/), "abc".scan(/(?=(\w))/), "abc".scan(//)
p "abc".scan(/b/) { |m| p [m, $~, $`, $'] }, $~
p "a,b;c".split(/[,;]/), "a,b".split(/(,)/), "abc".split(//), " a  b ".split(/ /), "a,b,,".split(/,/), "a,b,,".split(/,/, -1), "a,b,c".split(/,/, 2), "héé".split(//), "".split(/,/), "abc".split(/b/) { |x| p x }
p "hello"[/l+/], "hello"[/(h)(e)/, 2], "hello"[/(?<v>[aeiou])/, :v], "hello"[/z/], t { "hello"[/h/, "q"] }, "ab"[/(a)(b)/, -1], "ab"[/(a)/, 5]
x = +"hello"; x[/l+/] = "LL"; p x; x[/(h)(e)/, 2] = "E"; p x, t { x[/z/] = "" }, t { x[/(h)/, 3] = "" }, x.slice!(/L+/), x, x.slice!(/(h)(E)/, 1), x
p "hello".index(/l/), "hello".index(/l/, 3), "hello".index(/l/, -1), "hello".index(/l/, 9), "hello".rindex(/l/), "hello".rindex(/l/, 2), "hello".rindex(/l/, -3), "héllo".index(/l/), "héllo".rindex(/l/)
p "hello".start_with?(/he/), $~, "hello".start_with?(/el/), $~, "a=b=c".partition(/=/), "a=b=c".rpartition(/=/), "abc".partition(/x/), "abc".rpartition(/x/)
p "abc" =~ /c/, $~.begin(0), "abc" !~ /d/, "abc".match(/(b)(z)?/).to_a, "abc".match(/b/, 2), "abc".match("b") { |m| m.pre_match }, "abc".match?(/b/, 1), "abc".match?("z")
def scoped; "inner" =~ /i/; end
"outer" =~ /o/; scoped; p $~[0], $&, $1
"ab" =~ /(a)(b)?(c)?/; p $+, $1, $2, $3, $4
if /(?<year>\d+)-(?<mon>\d+)/ =~ "2024-05" then p year, mon end
p "line1\nline2"[/^l.*2$/], "a\nb"[/a.b/m], "AbC"[/abc/i], "a b"[/a\ b/x], "foo.bar"[/#{Regexp.escape("o.b")}/]
case "12ab" when /^(\d+)/ then p $1.to_i end
p "äöü".gsub(/[[:alpha:]]/, "x"), "äöü" =~ /\w/, "e\u0301" =~ /\u0301/, "日本語".scan(/\p{Han}/), "日本語".sub(/本/, "-"), "ÀÉ".gsub(/[àé]/i, "_")
p t { "\xff".gsub(/a/, "") }, t { "\xff".scan("a") }, t { "\xffab".b.gsub(/b/n, "c") }, t { "é" =~ Regexp.new("\xe9".b) }
p "a\\b".gsub("\\", "\\\\\\\\"), "it's".gsub("'", "\\\\'"), "path/to".gsub("/", "::"), "snake_case_word".gsub(/_(\w)/) { $1.upcase }, "CamelCase".gsub(/([A-Z])/) { "_" + $1.downcase }
p "%{a} b".gsub(/%\{(\w+)\}/) { "<#{$1}>" }, "1,234,567".delete(",").gsub(/(\d)(?=(\d{3})+$)/, '\1,'), "  x ".gsub(/\A\s+|\s+\z/, "")
