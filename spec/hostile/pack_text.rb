# NoMemoryError
["a"].pack("a1000000000")
