# NoMemoryError
(1..2**62).first(2**40)
