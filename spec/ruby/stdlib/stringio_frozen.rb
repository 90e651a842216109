# A frozen StringIO gives nothing away; bytes are pushed back from Integers of any size.
require "stringio"
io = StringIO.new("foo").freeze
{ puts: ["x"], write: ["x"], read: [], getc: [], string: [], pos: [], rewind: [], reopen: [""], "string=": ["x"], ungetbyte: [1], each_line: [] }.each do |name, arguments|
  io.public_send(name, *arguments) {}
  puts "#{name} is allowed"
rescue FrozenError => error
  puts "#{name}: #{error.message[/\A[^:]*/]}"
end
io = StringIO.new(+"foo\n")
io.ungetbyte((1 << 64) + 65)
io.ungetbyte(256)
io.ungetbyte(-1)
p io.read.b
