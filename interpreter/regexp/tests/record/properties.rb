# Records which characters each named set holds: ruby properties.rb > ../properties.txt
# set, number of members, checksum over their runs
Encoding.default_external = Encoding::UTF_8
# Planes without assigned characters are left out.
ALL = [*0..0xd7ff, *0xe000..0x323ff, *0xe0000..0xe01ff, *0x10ff00..0x10ffff]
TEXT = ALL.pack("U*")
names = %w[alnum alpha blank cntrl digit graph lower print punct space upper xdigit word ascii].flat_map { |n| ["[[:#{n}:]]", "\\p{#{n}}"] }
names += %w[(?u)\\w (?u)\\d (?u)\\s (?u)\\h (?a)[[:alpha:]] \\w \\d \\s \\h \\W]
names += %w[Any Assigned L Lu Ll Lt Lm Lo LC M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cn Co Letter Uppercase_Letter Decimal_Number Punctuation Currency_Symbol Han Hiragana Katakana Latin Greek Cyrillic Arabic Hebrew Hangul Thai Common Devanagari Emoji Alphabetic Uppercase Lowercase White_Space Math ID_Start XID_Continue Hex_Digit Ideographic Age=6.0 Age=10.0 In_Basic_Latin InCyrillic InHiragana InArrows].map { |n| "\\p{#{n}}" }
names += ["[[:alpha:]]", "[[:lower:]]", "[[:upper:]]", "[^[:lower:]]", "\\p{Lu}", "[\\w]", "[a-z]", "[α-ω]", "[ſ]", "[^k]"].map { |n| "(?i)#{n}" }
names.each do |n|
  count = sum = 0
  TEXT.scan(Regexp.new("(?:#{n})+")) { |c| count += c.size; sum = (sum * 31 + c.ord * 7 + c.size) % 1_000_003 }
  puts "#{n}\t#{count}\t#{sum}"
rescue RegexpError => e
  puts "#{n}\terror\t#{e.message}"
end
