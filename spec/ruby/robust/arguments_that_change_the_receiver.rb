# Conversions of arguments that change the receiver meanwhile: what a method has read of it before no longer holds.
require "stringio"

class Changing
  def initialize(*numbers, &change)
    @numbers = numbers
    @change = change
  end

  def to_int
    @change&.call
    @numbers.size > 1 ? @numbers.shift : @numbers.first
  end
end

text = +"a"
p text.byteslice(Changing.new(0) { text.clear })
text = +"hello"
p text.byteslice(Changing.new(1) { text.replace("ab") }, 3)
text = +"hello"
p text[Changing.new(1) { text.replace("ab") }, 3]
text = +"hello"
p text.slice!(Changing.new(3) { text.replace("ab") })
text = +"hello"
text["ll"] = Class.new { define_method(:to_str) { text.replace("-ll-"); "LL" } }.new
p text

%i[read sysread readpartial read_nonblock].each do |name|
  io = StringIO.new(+"abc")
  p io.public_send(name, Changing.new(1) { io.string.clear }) rescue p $!.class
end
io = StringIO.new(+"abcdef")
p io.read(Changing.new(5) { io.string.replace("xy") })

begin
  p [1, 2, 3].each_slice(Changing.new(5, 0)).size
rescue ArgumentError, ZeroDivisionError => error
  p error.class.ancestors.include?(StandardError)
end
p [[1, [2]]].flatten(-2**31), { a: [1] }.flatten(-2**31)
