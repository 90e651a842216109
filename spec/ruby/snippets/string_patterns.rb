require_relative "fixtures/combine"
$VERBOSE = nil
receivers = ['""', '"hello world"', '"a1b22c333"', '"Ünïcode ß"', '"a,b;c  d"', '"path/to/file.rb"', '"x=1\ny=2\n"', '"2020-01-31"']
calls = Combine.with(%w[sub gsub sub! gsub!], ['/o/, "0"', '"l", "L"', '/(\w)(\d)/, "\\\\2\\\\1"', '/\d+/ ) { |m| (m.to_i + 1).to_s }.to_s.itself( ', '/[aeiou]/, "a" => "A", "e" => "E"', '/(?<x>\w)$/, "<\\\\k<x>>"', '"", "-"', '/\b/, "|"', '/x*/, "-"', '"."', 'nil, ""', '1, ""', '/a/, nil', '/l/, "\\\\0\\\\0"', '/o/, "\\\\&\\\\`"'].reject { |a| a.include?("itself") })
calls += Combine.with(%w[scan match match? =~ index rindex partition rpartition split slice grep_v].reject { |n| n == "grep_v" }, ['/o/', '/\d+/', '/(\w)(\d)/', '/(?<k>\w)=(?<v>\d)/', '"o"', '/^/', '/$/', '//', '/[[:alpha:]]+/', '/\p{L}/', '/\s*/'])
calls += Combine.with(%w[split], ['",", 2', '/[,;]/', '/(,)/', '"", 3', '" "', 'nil', '/\s+/, -1', '"b", 0', '"o", -1', '/,/, 1'])
calls += Combine.with(%w[tr tr_s delete count squeeze], ['"a-y", "b-z"', '"^a-z", "*"', '"lo", ""', '"el", "ip"', '"a-c1-3", "A-C"'].map { |a| a })
calls += Combine.with(%w[delete count squeeze], ['"a-z"', '"^a-z"', '"l-o", "o"', '"\\\\-"', '"z-a"', ''])
calls += Combine.with(%w[index rindex], ['"o", 5', '/o/, -3', '"", 3', '"o", 99', '"o", -99'])
calls += Combine.with(%w[unpack unpack1], ['"a*"', '"C*"', '"b8"', '"H*"', '"U*"', '"n"', '"m"', '"w"', '"A3 x2 a2"', '"N2"'])
calls += Combine.with(%w[% crypt encode force_encoding sum upto each_grapheme_cluster].first(1), ['1', '[]', '{a: 1}', 'nil'])
calls += ['encode("UTF-16LE").bytes.first(4)', 'encode("US-ASCII", undef: :replace)', 'encode("ISO-8859-1", invalid: :replace, undef: :replace, replace: "?").bytes', 'encode("US-ASCII")', 'encode(xml: :attr)', 'encode(universal_newline: true)', 'force_encoding("BINARY")', 'force_encoding("nope")', 'unicode_normalize(:nfc)', 'casecmp?("HELLO WORLD")', 'each_char.with_index.map { |c, i| c * i }.join', 'tr("a-z", "A-Z")', 'sub(/(?<first>\w)/) { $~[:first].upcase }', 'gsub(/\w/) { |c| c.ord.to_s + $&.to_s }', 'gsub(/o/).with_index.map { |m, i| m + i.to_s }', 'each_line("o").to_a', 'each_line("").to_a', 'upto("zz").first(3)', 'between?("a", "z")', 'clamp("b", "c")']
Combine.each(receivers, calls)
