# NoMemoryError
eval("[" + "1," * 20_000_000 + "]")
