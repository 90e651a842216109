# NoMemoryError
a = "x" * 30_000_000
Marshal.dump([a.dup, a.dup, a.dup, a.dup, a.dup, a.dup])
