# IO::Buffer: numbers that C types do not hold, files that cannot be mapped, and what calls of the system refuse.
require "tempfile"

def told
  yield.inspect
rescue Exception => error
  "#{error.class}: #{error.message.lines.first.chomp}"
end

$VERBOSE = nil
buffer = IO::Buffer.new(8)

puts "numbers"
{
  U8: [-1, 256, -2**31, 2**32, -2**31 - 1, 2**70, 1.9, nil, "1", true],
  S8: [300, 2**31, -2**31 - 1, 2**64],
  u16: [-1, 70_000, 2**32],
  S16: [70_000, -40_000, 2**31],
  u32: [-1, 2**32],
  S32: [2**31 - 1, 2**31],
  u64: [-1, -2**63, -2**63 - 1, 2**64 - 1, 2**64, -2**64, 1e15, nil, "3", true],
  S64: [-2**63, 2**63 - 1, 2**63, -2**63 - 1],
  F32: [1, 1.5, nil, "1", true, false, :a],
  f64: [2**60, 1r, nil],
}.each do |type, numbers|
  numbers.each { |number| puts "#{type} #{number.inspect} #{told { buffer.set_value(type, 0, number); buffer.get_value(type, 0) }}" }
end

puts "sizes"
puts told { IO::Buffer.new(-1) }, told { IO::Buffer.new(2**70) }, told { IO::Buffer.new(nil) }, told { IO::Buffer.new("3") }, told { IO::Buffer.new(8, 2**40) }
puts told { buffer.slice(nil, 2) }, told { buffer.slice(true, 2) }, told { buffer.slice(2**64, 2) }
puts told { buffer.clear(300).get_string }, told { buffer.clear(2**70) }, told { buffer.clear(1, nil) }
puts told { buffer.get_value(:U8, nil) }, told { buffer.get_value(:U8, "1") }, told { buffer.set_string("abc", nil) }

puts "files"
file = Tempfile.new("mapped")
file.write("hello world" * 1000)
file.flush
reading, writing = File.open(file.path), File.open(file.path, "a")
puts told { IO::Buffer.map(reading, 10, 0, IO::Buffer::READONLY).get_string }, told { IO::Buffer.map(reading, 10) }
puts told { IO::Buffer.map(writing, 10) }, told { IO::Buffer.map(writing, 10, 0, IO::Buffer::READONLY) }
puts told { IO::Buffer.map(file, 10, 4096).get_string }, told { IO::Buffer.map(file, 10, 3) }, told { IO::Buffer.map(file, 10, -4096) }
puts told { IO::Buffer.map(file, 0) }, told { IO::Buffer.map(file, -1) }, told { IO::Buffer.map(file, 2**50) }, told { IO::Buffer.map(file, "x") }
puts told { IO::Buffer.map(file, 10, 0, 2**33) }

puts "calls of the system"
puts told { buffer.read(writing, 8) }, told { buffer.write(reading, 8) }, told { buffer.pwrite(reading, 3, 2) }
puts told { buffer.pread(file, 2, -3) }, told { buffer.pwrite(file, 2, -3) }, told { buffer.pread(file, 3, 2**70) }
puts told { buffer.read("x", 8) }, told { buffer.write(3.5, 8) }

puts "a dump"
puts IO::Buffer.for("\x00 ~\x7F\xFFabcdefghijklmnop").hexdump, IO::Buffer.for("a" * 1_000_000).hexdump.lines.size
