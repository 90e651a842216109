require "zlib"
require "stringio"
text = "hello zlib " * 200
packed = Zlib.deflate(text)
p Zlib.inflate(packed) == text, packed.bytesize < 100, Zlib::Inflate.inflate(Zlib::Deflate.deflate("x", 9)), Zlib.crc32("abc"), Zlib.adler32("abc"), Zlib.crc32, Zlib.crc32("c", Zlib.crc32("ab"))
gz = Zlib.gzip(text)
p Zlib.gunzip(gz) == text, gz.byteslice(0, 4).bytes
io = StringIO.new
w = Zlib::GzipWriter.new(io)
w.mtime = 1
w.orig_name = "name.txt"
w.puts "line one", "line two"
w.write "no newline"
w.close
r = Zlib::GzipReader.new(StringIO.new(io.string))
p r.mtime.to_i, r.orig_name, r.gets, r.lineno, r.read(4), r.getc, r.read, r.eof?, r.read(1)
r = Zlib::GzipReader.new(StringIO.new(io.string))
p r.each_line.to_a, r.lineno
p Zlib::GzipReader.wrap(StringIO.new(io.string)) { |each| each.readlines.size }
i = Zlib::Inflate.new
out = +""
packed.each_char.each_slice(7) { |part| out << i.inflate(part.join) }
p out == text, i.finished?, i.total_out, i.total_in == packed.bytesize
raw = Zlib::Deflate.new(Zlib::DEFAULT_COMPRESSION, -Zlib::MAX_WBITS)
body = raw.deflate("raw data", Zlib::FINISH)
p Zlib::Inflate.new(-Zlib::MAX_WBITS).inflate(body), Zlib::Inflate.new(32 + Zlib::MAX_WBITS).inflate(gz) == text, Zlib::Inflate.new(32 + Zlib::MAX_WBITS).inflate(packed) == text
[-> { Zlib.inflate("junk data") }, -> { Zlib.inflate(packed[0, 10]) }, -> { Zlib.gunzip("nonsense!!") }, -> { Zlib::GzipReader.new(StringIO.new("bad")) }, -> { Zlib.gunzip(gz[0..-9] + "12345678") }].each do |bad|
  bad.call
rescue Zlib::Error => e
  p e.class, e.message
end
d = Zlib::Deflate.new
d << "some " << "data"
p Zlib.inflate(d.finish), Zlib::Inflate.inflate(Zlib.deflate("")), Zlib::BEST_SPEED, Zlib::ZStream.instance_method(:finished?).class
