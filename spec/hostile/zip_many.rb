# NoMemoryError
z = [0] * 1_000_000
z.zip(*([z] * 1000))
