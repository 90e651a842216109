# encoding: utf-8
# Text that is invalid, or in an encoding that does not fit: what is found in it, and what is refused.
def t
  p yield
rescue ArgumentError, IndexError, EncodingError, RegexpError, FrozenError => error
  puts "#{error.class}: #{error.message}"
end
b="abc\xFFdef"; f="\xFF"; e1="\xA1\xA1".dup.force_encoding("EUC-JP"); e2="\xA1".dup.force_encoding("EUC-JP")
t { b.include?(f) }
t { b.index(f) }
t { b.rindex(f) }
t { b.partition(f) }
t { b.rpartition(f) }
t { b.start_with?("abc\xFF") }
t { b.end_with?("\xFFdef") }
t { b.sub(f,"-") }
t { b.gsub(f,"-") }
t { b.split(f) }
t { b[f] }
t { b.slice(f) }
t { b.count(f) }
t { b.delete(f) }
t { b.tr(f,"-") }
t { b.squeeze(f) }
t { b.scan(f) }
t { x=b.dup; x[f]="-"; x }
t { x=b.dup; x.slice!(f); x }
t { b.chomp("\xFFdef") }
t { b.each_line("\xFF").to_a }
t { b.delete_suffix("\xFFdef") }
t { b.index("b") }
t { b.split("b") }
t { b.gsub("b","x") }
t { b.upcase }
t { b.capitalize }
t { b.swapcase }
t { b.downcase }
t { b.casecmp("ABC\xFFDEF") }
t { b.casecmp?("ABC\xFFDEF") }
t { e1.include?(e2) }
t { e1.index(e2) }
t { e1.rindex(e2) }
t { e1.partition(e2) }
t { e2.upcase }
t { e2.sub(/\A[a-z]/){} }
t { e2.capitalize }
t { b.sub(/x/){} }
t { b=~/x/ }
t { b.match?(/d/) }
t { "a".force_encoding("binary").tr("\x80".b, "\x8E\xA1".dup.force_encoding("EUC-JP")) }
t { "\x80".b.insert(2,"\xA1\xA1".dup.force_encoding("EUC-JP")) }
t { "".b.slice!("".dup.force_encoding("EUC-JP")).encoding }
t { x="\u3042".dup; x["\xA4\xA2".dup.force_encoding("EUC-JP")]="a"; x }
t { "a".casecmp("\u3042".encode("EUC-JP")) }
t { "\u3042".casecmp("\u3042".encode("EUC-JP")) }
t { "\u3042".include?("\xA4\xA2".dup.force_encoding("EUC-JP")) }
t { "\uFEFF".encode("UTF-16BE").force_encoding("UTF-16").ord }
t { "%p" % ["\u3042".encode("UTF-16BE")] }
t { "ab\xFF".scrub{"\xFF"} }
t { "ab\xFF".scrub("\xFE") }
t { "\u3042".encode("UTF-16LE").scrub{ "a" } }
t { "a\u3042".encode("UTF-16LE").split(" ") }
t { " a ".encode("UTF-16LE").split.size }
t { "a#{"a".encode("UTF-16LE")}" }
t { "a".encode("UTF-16LE").casecmp("a") }
t { "a".encode("UTF-16LE").gsub(/a/,"b") }
t { "\\".encode("UTF-16LE"); Regexp.escape("\u{feff}a".encode("UTF-16LE")) }
t { "foo\n".encode("UTF-16LE").chomp.size }
t { "foo\n".encode("UTF-16LE").each_line.count }
t { "%c" % 0x3042 }
t { "\u3042".b.inspect }
t { "\xA4\xA2".dup.force_encoding("EUC-JP").inspect }
t { "\xA1\x8f\xA1\xA1".dup.force_encoding("EUC-JP").inspect }
t { "\u3042"=~ Regexp.new("\xA4\xA2".dup.force_encoding("EUC-JP")) }
t { /\p{Hiragana}/.fixed_encoding? }
t { /(?u)a/.encoding }
t { Regexp.union("\u3042", "\xA4\xA2".dup.force_encoding("EUC-JP")) }
t { Regexp.union(/\//, "") }
t { "\u3042".unicode_normalize(:nfd).size }
t { "\xFF".b.encode("UTF-8", undef: :replace) }
t { "abc\xFF".encode("UTF-16LE", invalid: :replace).bytes.size }
t { "\x00\x00\x00\xFF".dup.force_encoding("UTF-32LE").encode("UTF-8", invalid: :replace) }
t { "a\u0300\u0301".each_grapheme_cluster.size }
t { "\r\n".each_grapheme_cluster.to_a }
t { Encoding.compatible?("\u3042", "\xff".b) }
t { "\u3042".encode("utf-16").encode("utf-8") }
t { "\u{0D 0A}\u{261d 1F3FB}\u{1f600}".each_grapheme_cluster.size }
t { "a".match(Object.new.tap { |o| def o.to_str = "a" }).to_s }
frozen = Struct.new(:text) { def to_str = (text.freeze; "x") }
t { text = +"ax"; text.chomp!(frozen.new(text)) }
t { text = +"xa"; text.delete_prefix!(frozen.new(text)) }
t { "a".freeze.send(:initialize, capacity: 10) }
t { "\u3042".encode("ISO-2022-JP").rstrip }
t { "ab".insert(-4, "x") }
t { (-Class.new(String).new("a")).frozen? }
