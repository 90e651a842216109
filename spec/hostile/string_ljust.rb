# NoMemoryError
"a".ljust(2**36)
