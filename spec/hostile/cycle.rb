# NoMemoryError
[1, 2].cycle.include?(3)
