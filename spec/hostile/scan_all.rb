# NoMemoryError
("x" * 50_000_000).scan(/./)
