# NoMemoryError
require "stringio"
io = StringIO.new(+"")
io.pos = 2**40
io.write("x")
