# NoMemoryError
("\0" * 60_000_000).inspect
