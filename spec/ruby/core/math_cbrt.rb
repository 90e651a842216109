# Math.cbrt to the last digit.
[0.0, -0.0, 1, 2, 3.5, -7, 10, 27, 1e-300, 1e300, 12.52066014107722, 0.0134312445203466, 1.0 / 3, Float::MAX, Float::MIN, Float::INFINITY, -Float::INFINITY, 5e-324].each { |x| p Math.cbrt(x) }
p 1000.times.sum { |i| Math.cbrt(i * 1.37) }
