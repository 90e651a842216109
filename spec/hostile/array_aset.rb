# NoMemoryError
a = []; a[2**36] = 1
