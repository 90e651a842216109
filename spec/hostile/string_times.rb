# NoMemoryError
"a" * 2**40
