# NoMemoryError
File.read("/dev/zero")
