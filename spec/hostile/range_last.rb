# NoMemoryError
(1..2**62).last(2**40)
