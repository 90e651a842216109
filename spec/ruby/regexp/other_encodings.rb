# Texts and patterns in encodings other than UTF-8: their characters are matched, not their bytes.
def said
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

euc, sjis, wide = "EUC-JP", "Shift_JIS", "UTF-16LE"
said { ["あい".encode(euc) =~ /\w/, "あい".encode(sjis) =~ /./, "あい".encode(euc).scan(/./).size, "aあ".encode(euc).match(/a./).end(0)] }
said { "あい".encode(euc).gsub(/./) { |char| char.encoding.to_s[0] } }
pattern = Regexp.new("い".encode(euc))
said { [pattern =~ "あい".encode(euc), pattern.source.encoding, pattern.fixed_encoding?, pattern.match?("ab"), pattern === "い".encode(euc)] }
said { "a,b;c".encode(wide).split(Regexp.new("[,;]".encode(wide))).map { |part| part.encode("UTF-8") } }
said { "aXbX".encode("UTF-16BE").gsub(Regexp.new("x".encode("UTF-16BE"), Regexp::IGNORECASE), "-".encode("UTF-16BE")).encode("UTF-8") }
said { ["aXbX".encode(wide).index(Regexp.new("b".encode(wide))), "aXbX".encode(wide).rindex(Regexp.new("X".encode(wide)))] }
said { ["aXbX".encode("UTF-32LE").match?(Regexp.new("Xb".encode("UTF-32LE"))), "ab".encode(wide).start_with?(Regexp.new("a".encode(wide)))] }
found = "año".encode(wide).match(Regexp.new("(ñ)(o)".encode(wide)))
said { [found.begin(0), found[1].encode("UTF-8"), found.pre_match.encode("UTF-8"), found.offset(2)] }
said { "ab".encode(wide) =~ /a/ }
said { "ab" =~ Regexp.new("a".encode(wide)) }
said { "あ".encode(euc) =~ /い/ }
said { "é".encode("ISO-8859-1") =~ /É/i }
said { "É".encode("ISO-8859-1") =~ Regexp.new("é".encode("ISO-8859-1"), Regexp::IGNORECASE) }
said { ["é".encode("ISO-8859-1") =~ /[[:alpha:]]/, "é".encode("ISO-8859-1") =~ /\w/, "é".encode("ISO-8859-1") =~ /[[:lower:]]/, "é".encode("IBM437") =~ /[[:alpha:]]/] }
said { "x é y".encode("ISO-8859-15").scan(/\w+/).map { |word| word.encode("UTF-8") } }
said { ["表示".encode(sjis) =~ /\\/, "表示".encode(sjis).split(/(?<=.)/).size, "a表".encode(sjis).sub(/\W/, "-").encode("UTF-8")] }
said { ["あA".encode(sjis).scan(/[[:print:]]/).size, "あA".encode(euc).scan(/[^[:ascii:]]/).size] }
said { "".encode(wide) =~ Regexp.new("a*".encode(wide)) }
said { ["aa\nbb".encode(wide).scan(Regexp.new("^b".encode(wide))).size, Regexp.new("a+".encode(wide)).source.encode("UTF-8")] }
said { "日本語 text".encode("GB18030").partition(/ /).map { |part| part.encode("UTF-8") } }
said { "日本語".encode("Big5").tr("日", "x") rescue "日本語".encode("Big5").sub(/.\z/, "").encode("UTF-8") }
said { "日本 語".encode(euc).split(/\s/).map { |part| part.encode("UTF-8") } }
said { "日本語".encode(euc)[/.(.)/, 1].encode("UTF-8") }
said { "日本語".encode(euc).slice(1..)[/\A./].encode("UTF-8") }
