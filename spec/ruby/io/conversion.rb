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
  # no conversion
  File.write("text", "abc\n")
  %w[r:UTF-8:UTF-7 rb:UTF-7:UTF-8].each { |mode| File.open("text", mode) { |file| p answer { file.read }, answer { file.gets }, answer { file.getc } } }

  # what was not handed out was not read
  File.write("text", "abc\ndef\n")
  File.open("text", "r+:ISO-8859-1:UTF-8") { |file| p file.gets(1), file.write("X") }
  p File.read("text")
  File.open("text", "r:ISO-8859-1:UTF-8") do |file|
    p file.gets(2), file.pos, file.dup.read, file.rewind, file.getc, file.pos, file.gets("e"), file.pos, file.gets(nil, 1), file.pos, file.seek(-1, IO::SEEK_CUR), file.read
  end
  File.binwrite("text", "ab\r\ncd\re\nf\r")
  File.open("text", "rt") { |file| p file.gets, file.pos, file.seek(0, IO::SEEK_CUR), file.gets(1), file.pos, file.gets, file.gets, file.pos, file.eof?, file.gets, file.eof? }
  File.open("text", "rt") { |file| p file.gets(1), file.read(6), file.gets }
  File.binwrite("text", "a\rb\r")
  File.open("text", "rt") { |file| p file.gets(2), file.gets(1), file.eof?, file.gets, file.eof? }
  File.binwrite("text", "a\n" * 50_000)
  File.open("text", "rt") { |file| p file.gets(1), file.read(99_000).hash == ("\n" + "a\n" * 49_499 + "a").hash, file.readlines.size, file.pos }
  File.open("text", "rt:ISO-8859-1:UTF-8") { |file| p file.each_byte.count, file.rewind, file.each_char.count, file.rewind, file.each_line("", 7).count, file.pos }

  # held by a pipe
  IO.pipe("UTF-8:EUC-JP") do |read, write|
    write << "a\nb\n"
    p read.gets, IO.select([read], nil, nil, 0)&.flatten&.size, read.getc, IO.select([read], nil, nil, 0)&.flatten&.size, read.getc, IO.select([read], nil, nil, 0)
  end

  # escape sequences
  File.binwrite("text", "abc\e$B$\"$$\e(Bdef\nx\e$B$\x80$$\e(By\n")
  File.open("text", "rb:ISO-2022-JP:ISO-8859-1", undef: :replace) { |file| p file.gets, file.pos, answer { file.gets } }
  File.open("text", "rb:ISO-2022-JP:UTF-8") { |file| p file.gets(4), file.pos, file.gets, file.pos, file.getc, answer { file.getc }, answer { file.getc }, file.gets }
  IO.pipe do |read, write|
    read.set_encoding("ISO-2022-JP:UTF-8")
    write.binmode << "a\e$B$$\e(B\nb"
    p read.gets
  end

  # the replacement has an encoding of its own
  File.binwrite("text", "a\x80b")
  File.open("text", "rb:UTF-8:UTF-16LE", invalid: :replace, replace: "?!") { |file| p file.read }
  File.open("text", "rb:UTF-8:EUC-JP", invalid: :replace, replace: "\u3042") { |file| p file.read.encode("UTF-8") }
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

# ISO-2022-JP and relatives: the state is kept between calls and after errors
def steps(text, from = "ISO-2022-JP", to = "UTF-8", **options)
  converter = C.new(from, to, **options)
  text, found = text.b, []
  until found.size > 5 || found.dig(-1, 0) == :finished
    result = converter.primitive_convert(text, out = +"")
    found << [result, out, *converter.primitive_errinfo[3..], converter.last_error&.message]
  end
  p found
end
["\e(J\\~a", "\e$B$$\n\e(Bd", "\e$B$\x80\e(Bd", "\e$B$", "\e$", "\e$x", "ab\x80cd\e$B$$\x80$$\e(Bd", "\e$B\x22\x7d\x22\x2f\e(Bx", "\e(I123\e(Bx", "a\x0e\x0fb"].each { |text| steps text }
steps "\e$B$\"\e(Bx", "ISO-2022-JP", "ISO-8859-1"
steps "abc\e$B$\"\e(Bdef", "ISO-2022-JP", "ISO-8859-1", undef: :replace
steps "\e(I123\e(Bx\xb1", "CP50221"
C.new("ISO-2022-JP", "UTF-8").then { |part| p part.convert("\e$B$"), part.convert("$\e"), part.convert("(Bd"), part.finish }
