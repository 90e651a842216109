# NoMemoryError
a = ["x"]
40.times { a = [a, a] }
a.inspect
