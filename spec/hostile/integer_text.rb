# NoMemoryError
Integer("1" * 30_000_000)
