# NoMemoryError
a = [0] * 100_000; a.zip(*([a] * 1_000))
