# NoMemoryError
"%1000000d" * 10_000 % ([1] * 10_000)
