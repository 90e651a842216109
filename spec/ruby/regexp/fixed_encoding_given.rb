# Regexp.new with FIXEDENCODING keeps the encoding of its String, that of bytes too; with NOENCODING besides it is of bytes.
["UTF-8", "US-ASCII", "EUC-JP", "BINARY", "Windows-1252"].each do |encoding|
  [0, 16, 17, 32, 48].each do |options|
    made = Regexp.new("a|b".dup.force_encoding(encoding), options)
    p [encoding, options, made, made.encoding, made.fixed_encoding?, made.options]
  end
end
made = Regexp.new("png|PNG".b, Regexp::FIXEDENCODING)
p made.match("\xff\xfepng".b), (made.match?("épng") rescue $!.class)
