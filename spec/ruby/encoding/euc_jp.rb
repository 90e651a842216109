# All characters of EUC-JP, and of CP51932 both ways; digests of the tables, and some rows.
require "digest"
def written(name)
  (0x80..0xFFFF).filter_map do |code|
    next if code.between?(0xD800, 0xDFFF)
    bytes = [code].pack("U").encode(name) rescue next
    "#{code.to_s(16)} #{bytes.unpack1("H*")}\n"
  end
end
def read(name)
  (0xA1..0xFE).flat_map do |row|
    (0xA1..0xFE).flat_map do |cell|
      [[row, cell], [0x8F, row, cell]].filter_map do |bytes|
        text = bytes.pack("C*").force_encoding(name).encode("UTF-8") rescue next
        "#{bytes.pack("C*").unpack1("H*")} #{text.ord.to_s(16)}\n"
      end
    end
  end
end
%w[EUC-JP CP51932].each do |name|
  [written(name), read(name)].each { |table| puts "#{name} #{table.size} #{Digest::SHA1.hexdigest(table.join)}" }
end
p "ü—‖£©".encode("EUC-JP"), "\x8F\xAB\xE4\xA1\xBD".dup.force_encoding("EUC-JP").encode("UTF-8")
p ["\u{E000}", "\u{E3AC}", "\u{E757}"].map { |text| text.encode("eucJP-ms") }
p "\xF5\xA1\x8F\xF5\xA1".dup.force_encoding("eucJP-ms").encode("UTF-8").codepoints
