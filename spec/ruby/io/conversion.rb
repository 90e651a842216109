# Text that is converted while it is read: encodings, line ends, errors in the middle, bytes beside characters.
require "tmpdir"

def answer
  yield
rescue SystemCallError, IOError, ArgumentError, EncodingError => error
  [error.class, error.message]
end

Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  text = "first \u3042\r\nsecond\n\u3044 third"
  %w[UTF-16LE UTF-16BE UTF-32LE EUC-JP Shift_JIS ISO-2022-JP].each do |name|
    File.binwrite("text", text.encode(name))
    File.open("text", "rb:#{name}:UTF-8") do |file|
      p [name, file.gets, file.lineno, file.getc, file.gets(chomp: true), file.eof?, file.read, file.gets, file.eof?]
    end
    p File.readlines("text", mode: "rb:#{name}:UTF-8", chomp: true), File.foreach("text", mode: "rb:#{name}:UTF-8").count
    File.open("text", "rt:#{name}:UTF-8") { |file| p file.readlines, file.pos, file.rewind, file.each_char.to_a.size }
    File.open("text", "rb:#{name}:UTF-8") { |file| p file.gets("cond"), file.gets(nil, 3), file.gets("\u3044"), file.gets("") }
    next if name == "ISO-2022-JP"
    # without an internal encoding lines are lines as well
    File.open("text", "rb:#{name}") { |file| p file.gets.encoding, file.gets.encode("UTF-8"), file.gets(chomp: true).bytesize, file.gets }
  end
  File.binwrite("text", "\uFEFFa\nb\n".encode("UTF-16LE"))
  p File.read("text", mode: "rb:BOM|UTF-16LE:UTF-8"), File.open("text", "rb:BOM|UTF-8:UTF-8") { |file| [file.external_encoding, file.gets.bytes] }

  # errors: what comes after them can be read
  File.binwrite("text", "ab\x80cd\nef\n")
  File.open("text", "r:UTF-8:EUC-JP") { |file| p answer { file.gets }, file.gets, file.gets, file.gets }
  File.open("text", "r:UTF-8:EUC-JP") { |file| p file.getc, file.getc, answer { file.getc }, file.getc, answer { file.read(1) }, file.read }
  File.open("text", "r:UTF-8:EUC-JP") { |file| p answer { file.read }, file.read }
  File.open("text", "r:UTF-8:EUC-JP", invalid: :replace, replace: "<>") { |file| p file.read }
  File.write("text", "x\u2665y")
  File.open("text", "r:UTF-8:ISO-8859-1") { |file| p answer { file.read }, file.read }
  File.open("text", "r:UTF-8:ISO-8859-1", undef: :replace) { |file| p file.read, file.dup.tap(&:rewind).read }

  # bytes and characters
  File.binwrite("text", "\u3042\r\nb\rc\n".encode("EUC-JP"))
  File.open("text", "rt:EUC-JP:UTF-8") do |file|
    p file.getc, file.read(1), file.readpartial(2), file.getbyte, file.gets, file.gets
    p file.rewind, file.getc, file.getc, file.binmode.getc, file.external_encoding, file.internal_encoding, file.read
  end
  File.open("text", "rt:EUC-JP:UTF-8") { |file| p file.getc, file.ungetc("x\u3042"), answer { file.read(1) }, file.gets, file.ungetbyte(0x61), file.getbyte, file.pos }
  File.open("text", "rt") { |file| p file.read(4), file.gets, file.gets }
  File.open("text", "r", textmode: true, universal_newline: false) { |file| p file.read.bytesize }
  File.open("text", "r:EUC-JP") { |file| p answer { file.gets("\u3042") }, file.gets("\r\n", chomp: true).bytes }
  File.open("text", "r:EUC-JP") { |file| p file.getc.encoding, file.set_encoding("EUC-JP:UTF-8").getc, file.getc, file.getc, file.set_encoding("EUC-JP").getc }

  # put back more than was read
  File.open("text", "rb") { |file| p file.ungetbyte(65), file.pos, file.getbyte, file.pos }

  pipe = IO.pipe(binmode: true)
  p pipe.map(&:binmode?), pipe.map(&:external_encoding)
  read, write = IO.pipe("UTF-8:EUC-JP", undef: :replace)
  write << "a\u2665b\n"
  p read.gets, read.internal_encoding
  p answer { IO.new(read.fileno, "w") }
  Dir.chdir("/")
end

# Markup and newlines of Encoding::Converter.
C = Encoding::Converter
p "<&\"'>\u2665".encode("US-ASCII", xml: :attr), "<&\"'>\u2665".encode("US-ASCII", xml: :text), "<&\"'>".encode("UTF-8", xml: :attr)
p C.new("", "amp_escape").convert("&<>\"'"), C.new("", "xml_text_escape").convert("&<>\"'"), C.new("", "xml_attr_content_escape").convert("&<>\"'")
quote = C.new("", "xml_attr_quote")
p quote.convert("a"), quote.convert("<"), quote.finish, C.new("", "xml_attr_quote").finish
p C.new("UTF-8", "ISO-8859-1", C::UNDEF_HEX_CHARREF).convert("a\u2665&"), answer { C.new("UTF-8", "ISO-8859-1", C::XML_TEXT_DECORATOR).convert("&\u2665") }
p answer { C.new("", "", universal_newline: true, crlf_newline: true) }.first, C.new([]).convpath
p answer { "abc\xa4".encode("ISO-8859-1", "EUC-JP") }, ("\xa4".encode("UTF-8", "EUC-JP") rescue [$!.readagain_bytes, $!.incomplete_input?])
