# RangeError
5.round(-4_000_000_000)
