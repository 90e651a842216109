# NoMemoryError
File.open("/dev/zero").gets
