# Writes src/tables/*.rs from MRI's own data: run as `ruby tests/record/tables.rb` in the crate's folder.
KIND = {}
%w[UTF-8 UTF8-MAC UTF8-DoCoMo UTF8-KDDI UTF8-SoftBank].each { |n| KIND[n] = "Utf8" }
%w[EUC-JP eucJP-ms CP51932 EUC-JIS-2004].each { |n| KIND[n] = "EucJp" }
%w[Windows-31J Shift_JIS MacJapanese SJIS-DoCoMo SJIS-KDDI SJIS-SoftBank].each { |n| KIND[n] = "Sjis" }
%w[Big5 Big5-HKSCS Big5-UAO CP950 CP951].each { |n| KIND[n] = "Big5" }
%w[Emacs-Mule stateless-ISO-2022-JP stateless-ISO-2022-JP-KDDI].each { |n| KIND[n] = "EmacsMule" }
%w[EUC-KR GB2312 GB12345].each { |n| KIND[n] = "EucKr" }
{ "US-ASCII" => "Ascii", "CESU-8" => "Cesu8", "CP949" => "Cp949", "EUC-TW" => "EucTw", "GB18030" => "Gb18030", "GBK" => "Gbk",
  "UTF-16BE" => "Utf16Be", "UTF-16LE" => "Utf16Le", "UTF-32BE" => "Utf32Be", "UTF-32LE" => "Utf32Le", "UTF-16" => "Utf16", "UTF-32" => "Utf32" }.each { |k, v| KIND[k] = v }
SPECIAL = { "UTF-16LE" => "Utf16Le", "UTF-16BE" => "Utf16Be", "UTF-32LE" => "Utf32Le", "UTF-32BE" => "Utf32Be", "Windows-31J" => "Windows31J", "ASCII-8BIT" => "Binary", "macCentEuro" => "MacCentEuro", "eucJP-ms" => "EucJpMs", "Shift_JIS" => "ShiftJis", "EUC-JP" => "EucJp" }
def variant(name)
  return SPECIAL[name] if SPECIAL[name]
  parts = name.split(/[-_]/).map { |p| p =~ /\A[A-Z0-9]+\z/ ? p.capitalize : p[0].upcase + p[1..] }
  out = +""
  parts.each { |p| out << "_" if out =~ /\d\z/ && p =~ /\A\d/; out << p }
  out
end
dynamic = %w[locale external filesystem internal]
File.open("src/tables/names.rs", "w") do |f|
  f.puts "//! MRI's encodings with their names. Written by tests/record/tables.rb.\n"
  f.puts "macro_rules! for_each_encoding {\n    ($with:ident) => {\n        $with! {"
  Encoding.list.each do |e|
    kind = KIND[e.name] || (e.dummy? ? "Dummy" : "Single")
    f.puts "            #{variant e.name} [#{(e.names - dynamic).map(&:inspect).join(', ')}] #{kind} #{e.dummy?} #{e.ascii_compatible?};"
  end
  f.puts "        }\n    };\n}\npub(crate) use for_each_encoding;\n"
end
File.open("src/tables/single_byte.rs", "w") do |f|
  f.puts "//! Code points of bytes 0x80..=0xFF in single-byte encodings, 0 where MRI has none. Written by tests/record/tables.rb."
  f.puts "use crate::encoding::Encoding;\n"
  f.puts "/// The upper halves; the flag says that MRI's converter has another name than the encoding (it shows in messages)."
  f.puts "pub(crate) static SINGLE_BYTE: &[(Encoding, bool, [u16; 128])] = &["
  Encoding.list.each do |e|
    next if KIND[e.name] || e.dummy? || !e.ascii_compatible? || e == Encoding::BINARY
    alias_differs = false
    row = (0x80..0xff).map do |b|
      begin
        [b].pack("C").force_encoding(e).encode("UTF-8").ord
      rescue Encoding::UndefinedConversionError => x
        alias_differs = true if x.message =~ / in conversion /
        0
      rescue Encoding::ConverterNotFoundError
        nil
      end
    end
    next if row.include?(nil) || row.max > 0xffff
    begin
      [0xffff].pack("U").encode(e)
    rescue Encoding::UndefinedConversionError => x
      alias_differs = true if x.message =~ / in conversion /
    end
    f.puts "    (Encoding::#{variant e.name}, #{alias_differs}, [#{row.map { |c| '0x%x' % c }.join(', ')}]),"
  end
  f.puts "];"
end
File.open("src/tables/printable.rs", "w") do |f|
  f.puts "//! What String#inspect leaves as it is (Unicode 13, Onigmo's PRINT). Written by tests/record/tables.rb."
  ok = (0x80..0x10ffff).select { |c| !(0xd800..0xdfff).include?(c) && [c].pack("U").inspect !~ /\\/ }
  ranges = ok.slice_when { |a, b| b != a + 1 }.map { |g| [g[0], g[-1]] }
  f.puts "pub(crate) static PRINTABLE: &[(u32, u32)] = &["
  ranges.each_slice(8) { |s| f.puts "    " + s.map { |a, b| "(0x%x, 0x%x)" % [a, b] }.join(", ") + "," }
  f.puts "];"
end
# Characters whose title case is not their upper case, and whose folding is not their lower case.
def special(name, doc)
  File.open("src/tables/#{name}.rs", "w") do |f|
    f.puts "//! #{doc} Written by tests/record/tables.rb."
    f.puts "pub(crate) static #{name.upcase}: &[(char, &str)] = &["
    (0x80..0x10ffff).each do |c|
      next if (0xd800..0xdfff).include?(c)
      s = [c].pack("U")
      a, b = yield s
      f.puts "    ('\\u{%x}', \"%s\")," % [c, a.codepoints.map { |x| "\\u{%x}" % x }.join] if a != b
    end
    f.puts "];"
  end
end
special("titlecase", "Title case where it is not upper case.") { |s| [s.capitalize, s.upcase] }
special("fold", "Case folding where it is not lower case.") { |s| [s.downcase(:fold), s.downcase] }
special("swap", "Swapped case where it is neither the upper case of a letter that has one nor the lower case.") { |s| [s.swapcase, s.upcase != s ? s.upcase : s.downcase] }
