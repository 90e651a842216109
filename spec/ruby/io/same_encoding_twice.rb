# An internal encoding that is the external one, or "-", turns the default internal encoding off.
require "tempfile"
file = Tempfile.new("x")
file.write("h\u3078\n")
file.close
Encoding.default_internal = Encoding::IBM437
def encoding(path, *words, **options) = File.open(path, *words, **options) { |io| [io.external_encoding, io.internal_encoding, io.read.encoding] }
["rb:utf-8:utf-8", "r:utf-8:utf-8", "r:utf-8:-"].each { |mode| p encoding(file.path, mode) }
["r:utf-8", "rb:utf-8", "r"].each { |mode| p((encoding(file.path, mode) rescue $!.class)) }
p encoding(file.path, encoding: "utf-8:utf-8"), encoding(file.path, external_encoding: "utf-8", internal_encoding: "utf-8")
p encoding(file.path, external_encoding: "utf-8", internal_encoding: "-"), encoding(file.path, "rb")
File.open(file.path) do |io|
  io.set_encoding("utf-8", "utf-8")
  p io.internal_encoding, io.gets.encoding
  io.rewind
  io.set_encoding("utf-8:-")
  p io.internal_encoding, io.each_line.map(&:encoding)
end
