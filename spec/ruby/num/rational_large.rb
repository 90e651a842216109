x = Rational(15, 10) * 10**300_000
p x.to_f, x > Float::MAX, (1 / x).to_f, Rational(10**400_000, 3 * 10**400_000 + 1).to_f
