# Patterns and texts of bytes.
text = (0..255).map(&:chr).join.b * 3 + "h1234\xE8end".b
[
  "h....\xE8", "h....[\xE8]", "\xF0.\xF2", "\xFE\xFF\x00", "(\xFD|\xFC)\xFD", "[\xF0-\xF2]{3}", "\xE8(?=end)", "\xE8\\z", "h....\xE9", "\xE9+\xEA*\xEB", "(?i)H....\xE8END", "[^\x00-\xFE]\x00",
  "(?<=\xE7)\xE8", "\xE8?end", "(?:\xE8|\xE9)e", "\xE8{1,2}end", "\x00\x01?\x02", "...\xE8e"
].each do |source|
  pattern = Regexp.new(source.b, Regexp::MULTILINE)
  # the first searches are made otherwise than later ones
  found = Array.new(40) { text.index(pattern) }
  p [pattern, pattern.encoding, found.uniq, text.scan(pattern).size, text.rindex(pattern), text.match?(pattern, 600)]
end

# A pattern of characters in a text that is not valid.
broken = "caf\u00E9 \xFF caf\u00E9".dup
p broken.valid_encoding?
30.times.map { broken.b.index("\u00E9 ".b) }.uniq.each { |at| p at }
p "caf\u00E9".b.index(Regexp.new("f\xC3.".b)), Regexp.new("\xC7\x88".b), /\xC7\x88/n, Regexp.union("\xC7\x88".b, "a")

# Repetitions and groups of bytes and of characters of several bytes.
s = "caf\u00E9\u00E9\u00E9 x\xFFy\u00E9"
[/\u00E9{3} /, /\u00E9+ x/, /f\u00E9*\u0020/, /(?:\u00E9|\u00E8)+ /, /[\u00E9]{3}/, /\u00E9? x/, /(\u00E9\u00E9)\1?/, /\u00E9$/, /f(?i:\u00C9)+/].each do |re|
  r = Array.new(40) { s.index(re) rescue $!.class }.uniq
  t = Array.new(40) { (s.match(re)&.to_s&.b) rescue $!.class }.uniq
  b = Array.new(40) { s.scrub("?").index(re) }.uniq
  p [re, r, t, b]
end
bytes = "ab\xE9\xE9\xE9c\xE8".b
[/\xE9{3}c/n, /\xE9+c/n, /b\xE9*?c/n, /(?:\xE9|\xE8)+/n, /[\xE9\xE8]+c/n, /\xE9?c/n, /(\xE9)\1/n, /\xE8\z/n, /\xE9{2}?\xE9/n, /(?<!\xE9)\xE9/n, /(?>\xE9+)c/n, /\xE9++c/n].each do |re|
  p [re, Array.new(40) { bytes.match(re)&.to_s }.uniq, Array.new(40) { bytes.index(re) }.uniq]
end
