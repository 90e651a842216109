# NoMemoryError
a = 3; 40.times { a *= a }; a
