# NoMemoryError
a = (1 << 20_000_000) + 1; b = (1 << 20_000_000) - 1; a.lcm(b)
