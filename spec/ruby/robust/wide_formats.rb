# Widths and precisions beyond 65,535, and exact numbers.
p ("%.66000f" % 1).size, ("%.66000f" % Rational(1, 3)).size, ("%.66000f" % 0.5).size
p ("%070000d" % 7).size, ("%-70000s|" % "x").size, ("%70000.3f" % 1.5).size
p ("%x" % -(2**300_000)).size, ("%b" % -(2**70_000)).size, ("%o" % -(2**300_000)).size
p "%x" % -1, "%x" % -16, "%b" % -5, "%o" % -8, "%x" % -(2**70), "%.3x" % -255, "%X" % -(2**64)
p "%.0f" % Rational(5, 2), "%.0f" % Rational(-5, 2), "%.2f" % Rational(1999, 1000), "%.3f" % Rational(2, 3)
p "%.5f" % Rational(99999999, 10**7), "%.1f" % Rational(-1999, 100), "%+.2f" % Rational(-1, 3), "%08.2f" % Rational(7, 2)
p "%.10f" % 12345678901234567890, "%f" % 10**25, "%.0f" % 10**30, "%.20f" % Rational(1, 7), "%.40f" % Rational(2, 3)
p Time.at(0).utc.strftime("%_70z").size, Time.at(0).utc.strftime("%070z").size
