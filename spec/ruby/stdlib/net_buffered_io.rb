require "net/protocol"
require "socket"
# A socket of which little fits at once.
class Narrow
  attr_reader :text
  def initialize(limit, pauses) = (@limit, @pauses, @text = limit, pauses, +"")
  def to_io = self
  def write_nonblock(text, exception: true)
    return :wait_writable if (@pauses -= 1) >= 0 && @pauses.even?
    part = text.byteslice(0, @limit)
    @text << part
    part.bytesize
  end
  def wait_writable(_) = @pauses > 100 ? nil : self
end
narrow = Narrow.new(4, 5)
io = Net::BufferedIO.new(narrow)
p io.write("abcdefghij", "kl"), narrow.text, io << "x", narrow.text
begin
  Net::BufferedIO.new(Narrow.new(4, 1001)).write("abc")
rescue Net::WriteTimeout => e
  puts e.message[/\A\S+ \S+/]
end
one, two = UNIXSocket.pair
thread = Thread.new { two.read }
big = Net::BufferedIO.new(one)
p big.write("y" * 3_000_000)
one.close
p thread.value.size
# what is taken at once of a pipe and of a socket
reader, writer = IO.pipe
count = writer.write_nonblock("z" * 1_000_000)
p count, writer.write_nonblock("z", exception: false), reader.read_nonblock(count).size
p writer.write_nonblock("z" * 10), reader.readpartial(100)
one, two = UNIXSocket.pair
count = one.write_nonblock("z" * 10_000_000)
p count > 100_000, one.write_nonblock("z" * 10_000_000, exception: false)
# what is offered grows with neither the text nor what is left of it
narrow = Narrow.new(300_000, 0)
p Net::BufferedIO.new(narrow).write("x" * 5_000_000), narrow.text.bytesize
