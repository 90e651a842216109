# NoMemoryError
(1..10**12).inject(:+) while true
