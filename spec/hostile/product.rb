# NoMemoryError
a = [0] * 1_000; a.product(a, a)
