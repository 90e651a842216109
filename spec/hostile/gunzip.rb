# NoMemoryError
require "zlib"
one = Zlib.gzip("\0" * 50_000_000)
Zlib.gunzip(one * 1) + Zlib.gunzip(one) + Zlib.gunzip(one)
