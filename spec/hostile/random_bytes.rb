# NoMemoryError
Random.bytes(2**40)
