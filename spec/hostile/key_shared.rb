# NoMemoryError
a = ["x"]
40.times { a = [a, a] }
{ a => 1 }
