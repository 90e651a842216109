# NoMemoryError
("a" * 90_000_000).codepoints
