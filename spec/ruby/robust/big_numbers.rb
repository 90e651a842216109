# Long numbers: their text, divisors and powers.
a, b = 3**40_000, 7**30_000
p a.to_s.size, a.to_s[0, 30], a.to_s[-30, 30], (a * b).to_s.hash == (b * a).to_s.hash
p (10**100_000).to_s == "1" + "0" * 100_000, (-(10**90_000) + 1).to_s == "-" + "9" * 90_000
p (2**600_000).to_s.size, (2**600_000).to_s(7).size, (2**600_000 - 1).to_s(36)[0, 20], (2**600_000).to_s(16).size
p (a * 2**70_000).gcd(b * 2**80_000) == 2**70_000, a.lcm(b) == a * b, a.gcdlcm(a) == [a, a], 0.lcm(a), a.gcd(0) == a
p 3.pow(2**5_000 + 1, 10**200 + 7), (-3).pow(12_345, 1000), 3.pow(5, -7), 2.pow(0, 1)
p Rational(a, 3) == 3**39_999, Rational(2**70_000, 2**70_001), Rational(b, a) * Rational(a, b)
p Integer("9" * 70_000) == 10**70_000 - 1, ("1" + "0" * 70_000).to_i == 10**70_000
p "%d" % (10**70_000) == (10**70_000).to_s
