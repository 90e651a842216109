# NoMemoryError
[1].pack("@1000000000")
