# NoMemoryError
File.open("/dev/zero").sysread(2**40)
