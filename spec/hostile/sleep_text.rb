# NoMemoryError
a = []; loop { a << "x" * 1_000_000 }
