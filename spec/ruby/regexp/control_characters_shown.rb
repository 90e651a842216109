# Control characters outside ASCII are shown as they are, as other characters outside ASCII are.
["\u0081", "\u0081\u0001", "\u0085", "\u0085/", "é\x7f", "\u200b", "\u{1F600}/", "\\\u0081", "é\n", "\t/"].each do |source|
  pattern = Regexp.new(source)
  puts [pattern.inspect, pattern.to_s, pattern.source].map(&:dump).join("  ")
end
row = /[#{Regexp.escape((0x80..0x9f).to_a.pack("U*"))}]/
p "a\u0085b" =~ /^\d|#{row}/, "ab" =~ /^\d|#{row}/
p "x\u009f".gsub(/#{row}|q/) { |char| format("%x", char.ord) }
