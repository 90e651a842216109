# NoMemoryError
m = (1 << 100_000) + 1; 3.pow((1 << 100_000) - 1, m)
