# ok
[1].values_at(*[0] * 100)
