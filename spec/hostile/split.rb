# NoMemoryError
("a " * 40_000_000).split
