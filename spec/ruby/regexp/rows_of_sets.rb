# Patterns that are rows of characters and classes, as lexers have them: found, matched at a place, replaced and split by, in texts of ASCII and others.
require "strscan"
PATTERNS = [
  /\w+/, /\s+/, /\d+/, /[a-z]/, /[^a-z]/, /[^a-z]+/, /./, /.+/, /[\s\S]+/, /[a-z_]\w*/, /[A-Z]\w*[!?]?/, /\d+\.\d+/, /\d{2}/, /\d{2,3}/, /\d{2,}/, /"[^"]*"/, /a+b/, /a*b/,
  /a?b/, /[ab]+b/, /[ab]*c/, /\w+\s*=\s*\d+/, /#.*/, /#.*$/, /\n/, /\r?\n/, /(?:\s+)/, /(?i:[a-z]+)/, /x/i, /1+/i, /[[:alpha:]]+/, /[[:space:]]*/, /\p{Alnum}+/, /\h+/,
  /[^\x00-\x7f]+/, /[é]+/, /[a-zé]+/, /\S+/, /\W+/, /a{0}b/, /a{2}a/, /a{1,2}a/, /[a&&[^b]]+/, /\w++/, /\w+?/, /=+>/, /-{2,3}/, /a+\w/, /a+\d*c/, /\s*;/, /\w{3}\d*/, /[^;]*;/
].freeze
TEXTS = [
  "", "a", "b", "aab", "aaab b", "abcABC_09 xyz", "  \t\n x", "12 345 6789 1.5", "say \"hi\" \"\"", "foo = 12; bar=3;", "# note\nx # y", "a\r\nb\n", "Foo? Bar! baz", "é", "aéb", "abc é def",
  "日本 abc 12", "naïve = 3;", "aaaa", "abab", "=== >", "==>", "--- --", "x" * 70, "ab" * 40, "a" * 65 + "c", " " * 64 + ";", "a1b2c3", "KELVIN \u212A", "\u00A0 ", "ſ s", "0", "\0\x7F", "a;b;;c"
].freeze
def results(pattern, text)
  scanner = StringScanner.new(text)
  scanned = []
  scanned << (scanner.scan(pattern) || scanner.getch) until scanner.eos? || scanned.size > 200
  [
    text =~ pattern, text.match?(pattern), text[pattern], text.index(pattern, 1), text.rindex(pattern), text.scan(pattern), text.gsub(pattern, "<\\0>"), text.sub(pattern) { |it| it * 2 },
    text.split(pattern), text.partition(pattern), text.slice(1..)&.match(pattern)&.begin(0), text.start_with?(pattern), text.match(pattern, [2, text.size].min)&.end(0), scanned,
    StringScanner.new(text).then { |it| [it.scan_until(pattern), it.pos, it.check(pattern), it.exist?(pattern)] }
  ]
end
PATTERNS.each do |pattern|
  found = TEXTS.map { |text| results(pattern, text) }
  p pattern, found.map { |of_text| of_text.inspect.sum }
end
p results(/[^x]+/, "ab\xFF".b), results(/\w+/, "日本 ab".encode("EUC-JP")), ("ab" =~ /\w+/n), ("\xE9a".b[/[a-z]+/n])
