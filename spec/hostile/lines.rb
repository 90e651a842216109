# NoMemoryError
("a\n" * 40_000_000).lines
