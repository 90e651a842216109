# Archives as rubygems reads and writes them.
require "rubygems/package"
require "stringio"
require "zlib"
ENV["SOURCE_DATE_EPOCH"] = "1600000000"
out = StringIO.new("".b)
Gem::Package::TarWriter.new(out) do |tar|
  tar.mkdir("a", 0o755)
  tar.add_file_simple("a/x.txt", 0o644, 5) { |io| io.write("hello") }
  tar.add_file("a/y.bin", 0o600) { |io| io.write("\0\1\2".b * 300) }
  tar.add_file_simple("a/short", 0o644, 9) { |io| p io.write("abc") }
  tar.add_symlink("a/l", "x.txt", 0o777)
  tar.add_file_simple("#{"d" * 90}/#{"f" * 60}", 0o644, 0)
  begin
    tar.add_file_simple("a/over", 0o644, 2) { |io| io.write("abc") }
  rescue => error
    puts error.class, error.message
  end
  begin
    tar.add_file_simple("x" * 300, 0o644, 2)
  rescue => error
    puts error.class, error.message
  end
  begin
    tar.add_file_simple("x" * 120, 0o644, 2)
  rescue => error
    puts error.class, error.message
  end
end
p out.string.bytesize
good = StringIO.new("".b)
Gem::Package::TarWriter.new(good) do |tar|
  tar.mkdir("a", 0o755)
  tar.add_file_simple("a/x.txt", 0o644, 5) { |io| io.write("hello") }
  tar.add_file("a/y.bin", 0o600) { |io| io.write("\0\1\2".b * 300) }
  tar.add_symlink("a/l", "x.txt", 0o777)
  tar.add_file_simple("#{"d" * 90}/#{"f" * 60}", 0o644, 0)
end
p good.string.sum(32), good.string.bytesize
zipped = StringIO.new(Zlib.gzip(good.string))
Gem::Package::TarReader.new(Zlib::GzipReader.new(zipped)).each do |entry|
  p [entry.full_name, entry.directory?, entry.file?, entry.symlink?, entry.header.mode.to_s(8), entry.header.size, entry.header.typeflag, entry.header.linkname, entry.header.mtime, entry.header.uname]
  p entry.eof?
  p entry.read(3), entry.pos, entry.read&.bytesize, entry.eof?, entry.read, entry.read(1)
end
good.rewind
reader = Gem::Package::TarReader.new(good)
p reader.map(&:full_name), reader.rewind
reader.seek("a/x.txt") { |entry| p entry.getc, entry.read, entry.rewind, entry.read }
p reader.each_entry { |entry| break entry.full_name }
p Gem::Package::TarReader.new(StringIO.new("")).to_a, Gem::Package::TarReader.new(StringIO.new("\0" * 1024)).to_a
header = Gem::Package::TarHeader.new(name: "n", prefix: "p", mode: 0o644, size: 3)
p header.name, header.to_s.bytesize, header.to_s.sum(32), header.empty?, header.typeflag, header.magic
begin
  Gem::Package::TarHeader.new(name: "n")
rescue ArgumentError => error
  puts error.message
end
