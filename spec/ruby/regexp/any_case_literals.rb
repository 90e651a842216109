# Literals in any case that a match must contain, over texts that have them, lack them, or have characters that are equal in another case.
patterns = [/(?:^|[^A-Z0-9\-_])(?:Foo[ _]?Bar)/i, /x?kelvin/i, /\d+ mass/i, /(?:stra\u00dfe)/i, /Strasse/i, /(?i:ab)CD/, /ab(?i:CD)ef/, /(?:one|two)three/i, /a(?:bcd){2,}e/i,
            /(foo)+bar/i, /foo(?=BAR)/i, /(?<=FOO)bar/i, /\Gfoo/i, /-qz-/i]
texts = ["a foo bar", "FOOBAR", "xFOO_BAR", "; Foo_bar;", "12 KELVIN", "12 \u212Aelvin", "3 MA\u017F\u017F", "3 MASS", "STRASSE", "stra\u00dfe", "abCD", "ABCD", "abcd", "abcdEF", "abcdef", "TWOTHREE",
         "threetwo", "ABCDBCDE", "abcdbcdBCDe", "foofooBAR", "fooBar", "zfoobar", "", "-", "-QZ-", "-qz", "qz-Qz-", "caf\u00e9 FOOBAR", "FOO\xFFBAR", "\xFFfoobar"]
patterns.each do |pattern|
  found = texts.map do |text|
    text.match(pattern)&.then { |m| [m.begin(0), m[0]] }
  rescue ArgumentError, Encoding::CompatibilityError => e
    e.class
  end
  puts "#{pattern.inspect}: #{found.each_with_index.reject { |f, _| f.nil? }.map { |f, i| "#{i}:#{f.inspect}" }.join(" ")}"
  p texts.map { |text| (text.b.match?(pattern) rescue :error) }.each_with_index.filter_map { |found, i| [i, found] if found }
end
p "xxfooXXFOO".scan(/x+foo/i), "aFOObfooc".gsub(/foo/i) { |m| m.swapcase }, "some Foo".index(/foo/i, 6), "some Foo".rindex(/foo/i), "FOO".sub(/f(oo)/i, '\1')
100.times { |i| raise "#{i}" if "Mozilla/5.0 (Linux; Pixel #{i})".match?(/(?:^|[^A-Z])(?:SM-G9\d\d|galaxy s)/i) }
