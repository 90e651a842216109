# NoMemoryError
[].fill(1, 0, 2**40)
