require_relative "fixtures/combine"
$VERBOSE = nil
receivers = ['""', '"a"', '"hello world"', '"Ünïcode ß"', '"  pad\t\n"', '"a,b,,c"', '"line1\nline2\r\nline3"', '"\xff\xfe".b', '"abc".freeze', '"日本語"']
calls = %w[upcase downcase capitalize swapcase reverse chop chomp chomp! chop! strip lstrip rstrip strip! squeeze squeeze! succ next upcase! downcase! capitalize! swapcase!
           reverse! dump inspect to_sym to_s to_i to_f to_r to_c hex oct ord chr sum hash.class length size bytesize empty? ascii_only? valid_encoding? encoding b
           bytes chars codepoints lines each_char.to_a each_byte.first(2) each_line.to_a each_grapheme_cluster.to_a unicode_normalize(:nfd).length scrub clear dup +@ -@ frozen? undump]
calls += Combine.with(%w[chomp delete_prefix delete_suffix start_with? end_with? include? index rindex byteindex partition rpartition split count delete squeeze concat prepend <<
                         + casecmp casecmp? <=> == eql? each_line(chomp:\ true).to_a], ['"a"', '"l"', '""', '" "', '"\n"', 'nil', '1', ':a']) - []
calls.reject! { |call| call.start_with?("each_line(") || call.start_with?("byteindex") || call.start_with?("unicode_normalize") }
calls += Combine.with(%w[* center ljust rjust [] slice slice! byteslice getbyte to_i insert], ['0', '1', '-1', '3', '100', 'nil', '"x"', '1.9', '(1..2)']) - []
calls += Combine.with(%w[[] slice byteslice slice!], ['0, 2', '-3, 2', '2, 0', '5, 1', '1..', '..1', '-2..-1', '/l+/', '/(h)(e)/, 2', '"el"', '20, 1'])
calls += Combine.with(%w[center ljust rjust], ['8, "ab"', '8, ""', '-1, "x"', '4, "é"'])
calls += Combine.with(%w[insert], ['0, "X"', '-1, "X"', '2, "XY"', '99, "X"'])
Combine.each(receivers, calls)
