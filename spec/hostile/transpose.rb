# NoMemoryError
([[0] * 10_000] * 100_000).transpose
