# NoMemoryError
"%.200000000f" % Rational(1, 3)
