# NoMemoryError
eval("1\n" * 20_000_000)
