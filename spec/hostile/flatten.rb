# NoMemoryError
a = [0] * 1000; b = [a] * 1000; ([b] * 10_000).flatten
