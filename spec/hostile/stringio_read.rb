# ok
require "stringio"
io = StringIO.new(+"")
io.pos = 2**62
io.read(1)
io.read
