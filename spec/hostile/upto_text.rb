# NoMemoryError
("a".."z" * 20).count
