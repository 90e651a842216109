# Patterns that only match at the end of a text are looked for there; what they see before it, and where they start, is the same.
LONG = "line é\n" * 3000
ENDS = ["", "\n", "\n\n", "\n\n\n", "x", "x\n", "é", "é\n", "日本", "ss", "ß", "ẞ", "a b", "ab\r\n", "abab"]
PATTERNS = [
  /\n\n\Z/, /\n\z/, /.\z/, /.\Z/m, /\Aline/, /\z/, /\Z/, /(a|bb?)\z/, /(?:x\n|é)\z/, /[^a]{1,3}\Z/, /(?<=é)\n\z/, /(?i:ss)\z/, /ß\z/i, /(?:ab){1,2}\Z/,
  /(?<!b)a?b\Z/, /\Ga\z/, /(\R)\z/, /(?>b|é)\z/, /e\K é\Z/, /\b\w{2}\Z/, /a*\z/, /(b)\1?\z/, /(?=.)b\z/, /\X\z/, /(?:b|(?<q>c))\z/, /$\z/, /\n?\Z/
]
PATTERNS.each do |pattern|
  found = ENDS.map do |tail|
    text = LONG + tail
    match = pattern.match(text)
    match && [text.size - match.begin(0), match[0], match.pre_match.size - LONG.size]
  end
  p pattern, found
end
text = LONG + "ab"
p text.index(/b\z/, -1), text.index(/ab\z/, -1), text.rindex(/b\z/), text.sub(/ab\z/, "c")[-3..], text =~ /é\nab\z/, text.match?(/b\z/, text.size), text.gsub(/b\z|\z/, "!")[-4..]
p "a\n".gsub(/\n?\z/, "-"), "ab".scan(/b?\z/), "é".b.match(/\xC3?\xA9\z/n)&.begin(0)
