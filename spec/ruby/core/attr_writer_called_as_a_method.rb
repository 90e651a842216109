# A writer that is called by another name, or with `send`, gives the value also where the call site has been used before.
class Box
  attr_writer :content
  alias put content=
  alias << content=
  def initialize = @content = 0
end

box = Box.new
def put(box, value) = box.put(value)
def push(box, value) = box << value
def assign(box, value) = (box.content = value)
p 4.times.map { |i| put(box, i) }
p 4.times.map { |i| push(box, i) }
p 4.times.map { |i| assign(box, i) }
p 4.times.map { |i| box.send(:content=, i) }
