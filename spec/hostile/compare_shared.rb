# NoMemoryError
a, b = ["x"], ["x"]
40.times { a, b = [a, a], [b, b] }
a <=> b
