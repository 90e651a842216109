# NoMemoryError
[1].pack("x1000000000")
