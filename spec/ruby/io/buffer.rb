# IO::Buffer: memory, Strings and files, their parts, numbers in them, and what is refused.
require "tempfile"
Warning[:experimental] = false
def tell
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end
B = IO::Buffer
def shown(buffer) = puts(buffer.inspect.gsub(/0x[0-9a-f]{16}/) { |number| number =~ /\A0x0+\z/ ? "0x0" : "0x…" })

puts "constants"
p B.constants.sort.map { |name| [name, B.const_get(name)] }
p B.ancestors.first(2), B::LockedError.superclass

puts "memory"
buffer = B.new(20)
p buffer.size, buffer.internal?, buffer.mapped?, buffer.external?, buffer.readonly?, buffer.null?, buffer.empty?, B.new.size, B.new(4096).mapped?
p buffer.set_string("some text, and more", 1), buffer.get_string(1, 4), buffer.get_string.encoding, buffer.get_string(0, 4, "UTF-8").encoding
shown(buffer)
puts buffer.hexdump
p buffer.clear(46, 3, 2).get_string, buffer.clear(0).get_string
tell { buffer.set_string("x" * 30) }
tell { buffer.set_string("abc", 18) }
tell { buffer.set_string("abc", 0, 2, 4) }
tell { buffer.set_string("abc", 0, 3, 2) }
tell { buffer.get_string(10, 11) }
tell { buffer.clear(1, 15, 10) }
tell { buffer.set_string("abc", 0, 1, 2); buffer.get_string(0, 2) }
shown(B.new(0))
tell { B.new(0).get_string }
tell { B.new(0).set_string("") }
tell { B.new(3, 0) }
tell { B.new(8, B::INTERNAL | B::READONLY).set_string("") }

puts "numbers"
%i(U8 S8 u16 U16 s16 S16 u32 U32 s32 S32 u64 U64 s64 S64 f32 F32 f64 F64).each do |type|
  values = type =~ /f/i ? [-1.5, 0.25] : type =~ /u/i ? [0, 1, 200] : [-1, 0, 100]
  p [type, values.map { |value| [buffer.set_value(type, 2, value), buffer.get_value(type, 2), buffer.get_string(2, 8)] }]
end
tell { buffer.get_value(:Q, 0) }
tell { buffer.get_value(:U32, 17) }
tell { buffer.set_value(:u16, 19, 1) }
tell { buffer.set_value(:u16, 0, "1") }

puts "parts"
part = buffer.slice(2, 6)
part.set_string("inside")
p part.size, buffer.get_string(0, 10), part.slice(2, 2).get_string, part.valid?, part.external?, part.internal?
shown(part)
tell { buffer.slice(15, 6) }
buffer.free
shown(buffer)
p part.valid?
tell { part.get_string }
tell { part.set_string("a") }

puts "comparing and copying"
one, other = B.new(3), B.new(3)
one.set_string("abc")
other.set_string("abd")
p one <=> other, other > one, one == one.slice(0, 3), (one <=> B.new(2)).positive?, one.between?(B.new(1), B.new(9))
p B.new(9).tap { |all| all.copy(one, 4) }.get_string, B.new(2).tap { |all| all.copy(other, 0, 2, 1) }.get_string
tell { B.new(2).copy(other) }
tell { one <=> "abc" }

puts "sizes and owners"
all = B.new(4)
all.set_string("four")
p all.resize(6).get_string, all.resize(2).get_string, all.size
moved = all.transfer
p moved.get_string, all.null?, all.size, all.resize(2).get_string
p moved.locked { |locked| locked.equal?(moved) && moved.locked? }, moved.locked?
moved.locked do
  tell { moved.resize(9) }
  tell { moved.free }
  tell { moved.transfer }
  tell { moved.locked {} }
end

puts "strings"
text = +"some text"
tied = B.for(text)
p tied.readonly?, tied.external?, tied.size, tied.set_string("SO"), text
tell { tied.resize(3) }
fixed = B.for("fixed".freeze)
p fixed.readonly?, fixed.get_string
tell { fixed.set_value(:U8, 0, 1) }
tell { B.for(1) }

puts "files"
file = Tempfile.new
file.write("Hello World")
file.flush
mapped = B.map(file, nil, 0, B::READONLY)
p mapped.size, mapped.readonly?, mapped.mapped?, mapped.external?, mapped.get_string(6)
tell { mapped.set_string("a") }
mapped = B.map(file)
mapped.set_string("J")
file.rewind
p file.read
file.seek(0)
read = B.new(16)
p read.read(file, 5), read.get_string(0, 5), read.pread(file, 4, 6), read.get_string(0, 5)
write = B.new(3)
write.set_string("abc")
p write.pwrite(file, 2, 1), File.binread(file.path)
tell { read.read(file, 17) }
