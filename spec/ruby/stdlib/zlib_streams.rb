# Streams of Zlib: parts for blocks, dictionaries, copies, what is closed; headers and footers of gzip.
require "zlib"
require "stringio"
require "tempfile"

random = Random.new(1)
data = random.bytes(60_000)
parts = []
deflate = Zlib::Deflate.new
p deflate.deflate(data) { |part| parts << part }
p parts.map(&:bytesize).uniq
parts << deflate.finish
p Zlib::Inflate.inflate(parts.join) == data
sizes = []
p Zlib::Deflate.deflate("a" * 100_000) { |part| sizes << part.bytesize }
p sizes.size
whole = []
Zlib.deflate(data) { |part| whole << part }
p Zlib.inflate(whole.join) == data
inflate = Zlib::Inflate.new
sizes = []
inflate.inflate(Zlib.deflate("0" * 100_000)) { |part| sizes << part.bytesize }
p sizes
inflate = Zlib::Inflate.new
inflate.inflate(Zlib.deflate("0" * 100_000)) { break }
p inflate.finish.bytesize

first = Zlib::Deflate.new
start = first.deflate("foo")
second = first.dup
p Zlib.inflate(start + first.deflate("bar", Zlib::FINISH)), Zlib.inflate(start + second.deflate("baz", Zlib::FINISH))

deflate = Zlib::Deflate.new
p deflate.set_dictionary("foo")
packed = deflate.deflate("foofoofoo" * 3, Zlib::FINISH)
p packed.byteslice(0, 6).unpack1("H*")
inflate = Zlib::Inflate.new
begin
  inflate.inflate(packed)
rescue Zlib::NeedDict => error
  puts error.message
  inflate.set_dictionary("foo")
  p inflate.inflate("")
end
inflate = Zlib::Inflate.new
inflate.add_dictionary("foo")
p inflate.inflate(packed), inflate.finished?
inflate = Zlib::Inflate.new
begin
  inflate.inflate(packed)
rescue Zlib::NeedDict
  begin
    inflate.set_dictionary("bar")
  rescue Zlib::Error => error
    p error.class
  end
end

closed = Zlib::Deflate.new
closed.close
%i[reset finished? finish total_in adler avail_in flush close].each do |name|
  closed.public_send(name)
rescue Zlib::Error => error
  puts "#{name}: #{error.message}"
end
[-1, 7, 47, 48].each do |window|
  Zlib::Inflate.new(window)
  puts "#{window} is a window"
rescue Zlib::StreamError => error
  puts "#{window}: #{error.message}"
end

begin
  Zlib.gunzip(["1f8b08000000000000034bcbcf0700"].pack("H*"))
rescue Zlib::GzipFile::NoFooter => error
  puts error.message
end
Tempfile.create("zlib") do |file|
  Zlib::GzipWriter.open(file.path) do |gz|
    gz.orig_name = "name\0rest"
    gz.comment = "comment\0rest"
    p gz.path == file.path
    gz.write("foo")
  end
  Zlib::GzipReader.open(file.path) do |gz|
    p gz.orig_name, gz.comment, gz.read, gz.crc.to_s(16), gz.path == file.path
  end
  File.binwrite(file.path, "foo")
  p File.open(file.path) { |io| [Zlib.crc32(io).to_s(16), Zlib.adler32(io)] }
  begin
    Zlib::GzipReader.open(file.path)
  rescue Zlib::GzipFile::Error => error
    p error.message, error.input
  end
end
gz = Zlib::GzipWriter.new(StringIO.new)
p gz.close.class, gz.close, gz.respond_to?(:path)
begin
  Zlib::GzipReader.new(StringIO.new(Zlib.gzip("foo"))).readpartial(-1)
rescue ArgumentError => error
  puts error.message
end
s = Zlib.gzip("hello")
t = ->(&b) { begin; p b.call; rescue Zlib::Error => e; p [e.class, e.message]; end }
[8, 4, 1, 10, 0].each { |n|
  r = Zlib::GzipReader.new(StringIO.new(s[0...s.size-n])) rescue (p $!; next)
  t.() { r.read }
  t.() { r.eof? }
  t.() { r.unused }
  t.() { r.finish.class }
}
bad = s.dup; bad.setbyte(-6, bad.getbyte(-6) ^ 1)
r = Zlib::GzipReader.new(StringIO.new(bad))
t.() { r.read }
t.() { r.close.class }
r = Zlib::GzipReader.new(StringIO.new(bad))
t.() { r.gets }
t.() { r.gets }
t.() { r.each_byte.to_a }
t.() { Zlib::GzipReader.wrap(StringIO.new(s[0...-8])) { |g| g.read(3) } }
t.() { Zlib::GzipReader.zcat(StringIO.new(s[0...-8])) }
big = Zlib.gzip("hello" * 20000)
r = Zlib::GzipReader.new(StringIO.new(big[0...-8]))
t.() { r.read.size }
t.() { r.close.class }
# parts by offset, resets, copies, counts of what is consumed
z = Zlib::Deflate.deflate("ab" * 60_000)
sizes = []
Zlib::Inflate.new.inflate(z) { |part| sizes << part.bytesize }
p sizes.sum
i = Zlib::Inflate.new
i << z + "rest"
p i.total_in == z.bytesize, i.total_out
i.reset
p i.total_in, i.total_out, i.adler
i.close
begin; i.total_in; rescue => e; p e.class, e.message; end
d = Zlib::Deflate.new
d.set_dictionary("hello world")
first = d.deflate("hello", Zlib::FINISH)
d.reset
d.set_dictionary("hello world")
p d.deflate("hello", Zlib::FINISH) == first
begin; Zlib::Deflate.new << 5; rescue => e; p e.class, e.message; end
begin; Zlib.deflate(true); rescue => e; p e.message; end
