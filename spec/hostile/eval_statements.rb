# NoMemoryError
eval("a=1;" * 10_000_000)
