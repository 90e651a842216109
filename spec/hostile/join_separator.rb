# NoMemoryError
([1] * 100_000).join("x" * 1_000_000)
