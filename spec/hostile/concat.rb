# NoMemoryError
s = "x" * 50_000_000; s.concat(s, s, s)
