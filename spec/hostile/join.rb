# NoMemoryError
b = "x" * 10_000_000; ([b] * 10_000).join
