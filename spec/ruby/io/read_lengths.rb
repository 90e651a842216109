# The length of a read is a limit: a large one takes no memory for what is not there.
require "tempfile"
Tempfile.create("lengths") do |file|
  file.write("abc")
  file.flush
  open = ->(&block) { File.open(file.path, &block) }
  length = 2_000_000_000
  open.call { |io| p io.read(length), io.read(length) }
  open.call { |io| p io.readpartial(length) }
  open.call { |io| p io.sysread(length) }
  open.call { |io| p io.pread(length, 1) }
  open.call { |io| p io.read_nonblock(length) }
  p File.read(file.path, length), File.binread(file.path, length, 2)
end
File.open("/proc/self/status") { |io| p io.sysread(1 << 30).size.positive? }
reader, writer = IO.pipe
writer << "x" * 100
p reader.readpartial(1 << 30).size
