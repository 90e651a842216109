# NoMemoryError
1 << 1_000_000_000
