# NoMemoryError
File.open("/dev/zero").read(2**40)
