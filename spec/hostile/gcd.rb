# NoMemoryError
a = 3**1_000_000; b = 5**600_000; 1000.times { a.gcd(b) }
