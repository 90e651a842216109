# ok
[1].first(2**40)
