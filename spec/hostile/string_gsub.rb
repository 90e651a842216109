# NoMemoryError
("a" * 1_000_000).gsub("a", "b" * 1_000)
