# NoMemoryError
(1..2**40).to_a
