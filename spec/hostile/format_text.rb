# NoMemoryError
s = "x" * 1_000_000; "%s" * 1_000 % ([s] * 1_000)
