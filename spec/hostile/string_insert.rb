# NoMemoryError
s = "x" * 50_000_000; s.insert(0, s).insert(0, s)
