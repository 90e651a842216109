# NoMemoryError
Time.at(0).strftime("%60000Y" * 10_000)
