# NoMemoryError
1 << 2**36
