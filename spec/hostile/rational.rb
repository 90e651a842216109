# NoMemoryError
r = Rational(3, 7); 30.times { r = r * r + 1 }; r
