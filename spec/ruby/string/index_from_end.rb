# Characters counted, and indexes from the end, in long texts with characters of several lengths.
PARTS = %w[a é 日 😀 zz]
[0, 1, 7, 8, 9, 63, 64, 65, 300, 2040, 2041, 5000].each do |count|
  text = Array.new(count) { |i| PARTS[i * i % 5] }.join
  chars = text.each_char.to_a
  wrong = [1, 2, 3, 8, 63, 64, 65, 100, chars.size - 1, chars.size, chars.size + 1].reject do |back|
    text[-back] == (back.zero? || back > chars.size ? (chars[0] if back.zero?) : chars[-back]) &&
      text[-back, 2] == chars[-back, 2]&.join &&
      text.index("é", -back) == (back > chars.size ? nil : chars.each_index.find { |at| at >= chars.size - back && chars[at] == "é" })
  end
  p [count, text.size, chars.size, text[-1], text[-1, 1], text[-2..], wrong]
end
text = "日本語\xFFé"
p text[-1], text[-2], text[-3, 2], text[-5], text[-6], "añb".encode("UTF-16LE")[-2].encode("UTF-8"), "añb".b[-2], "日本".encode("EUC-JP")[-1].encode("UTF-8")
text = "é" * 3000
text[-1] = "x"
text[-3000, 2] = ""
p text.size, text.bytesize, text.rindex("é", -5), text.slice!(-2, 2), text.insert(-2, "y")[-4..], text.byteindex("y") rescue p $!.class
p text.match(/é/, -3)&.begin(0), (text =~ /x/), text.index(/é/, -2)
# a match from beyond the end begins at the end, unlike `match?` and `index`
p "".match(/x*/, 2), "ab".match(/x*/, 5), "ab".match(/b/, -5), "é".match(/x*/, 5)&.begin(0), /x*/.match("ab", 9), "ab".match("b", 9), "ab".match?(/x*/, 9), "ab".index(/x*/, 3)
