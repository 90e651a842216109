# UTF8-MAC: composed and decomposed as HFS+ does, without some blocks.
def hex(text) = text.dup.force_encoding("UTF-8").codepoints.map { _1.to_s(16) }.join(" ")
def mac(text) = text.dup.force_encoding("UTF8-MAC")
puts hex mac("e\u0301 a\u0308\u0304 \u30ab\u3099 \u212b \u1100\u1161\u11a8 \u0928\u093c \u05e9\u05bc\u05c1 \u0344 \uf900 \u1e0a\u0323").encode("UTF-8")
puts hex mac("a\u0328\u0301 A\u030a \u{1d157}\u{1d165} \u00c5\u0301 \u3046\u3099\u3099 \u2adc\u0338 =\u0338 \u03b9\u0308\u0301").encode("UTF-8")
puts hex "é あ が \u2260 \u0390 \u1fd3 \u1ffb 각".encode("UTF8-MAC")
puts hex "é".encode("UTF-16LE").encode("UTF8-MAC")
p "é".encode("UTF8-MAC").encoding
p "e\u0301".encode("UTF-8", "UTF8-MAC"), mac("e\u0301").encode("ISO-8859-1")
[["a e\u0301\xff", {}], ["a e\u0301\xff", { invalid: :replace }]].each do |text, options|
  p mac(text).encode("UTF-8", **options)
rescue => e
  p e
end
p mac("\u3042").encode("ISO-8859-1", undef: :replace)
p Encoding::Converter.search_convpath("UTF8-MAC", "EUC-JP")
# all characters at once, in both directions
require "digest"
every = (0x80..0x1ffff).reject { (0xd800..0xdfff).cover?(_1) }.map { [_1].pack("U") }
p Digest::SHA256.hexdigest(every.map { _1.encode("UTF8-MAC").b }.join("\n"))
p Digest::SHA256.hexdigest(every.map { |char| mac(char.encode("UTF8-MAC")).encode("UTF-8").b }.join("\n"))
