require "time"
p Time.send(:apply_offset, 2000, 1, 1, 0, 30, 0, 3600), Time.send(:force_zone!, Time.utc(2000, 1, 1), "+09:00", 32400).to_s, Time.send(:zone_utc?, "Z")
p Time.send(:force_zone!, Time.utc(2000, 1, 1), "Z").utc?, Time.send(:force_zone!, Time.utc(2000, 1, 1), "EST").utc_offset
require "strscan"
s = StringScanner.allocate
s.string = "test"
p s.scan(/te/), ScanError == StringScanner::Error
require "zlib"
require "stringio"
io = StringIO.new
w = Zlib::GzipWriter.new(io)
w.write "a"
p w.mtime.to_i > 1_000_000_000
w.close
p Zlib::GzipReader.new(StringIO.new(io.string)).mtime.to_i > 1_000_000_000, Zlib::GzipReader.new(StringIO.new(Zlib.gzip("a"))).mtime.to_i > 1_000_000_000
h = Class.new { ruby2_keywords def f(*a) = a.last }.new.f(a: 1)
p Marshal.dump(h), Hash.ruby2_keywords_hash?(Marshal.load(Marshal.dump([h]))[0])
ruby2_keywords def g(*a) = Hash.ruby2_keywords_hash?(a.last)
p g(b: 1)
