# Floats beside a half: MRI rounds them to the even digit.
[2.675, 1.005, 8.345, 0.0455, 0.1585, 0.995, 9.995, 99.95, 2.5, 3.5, 0.125, 0.375, 1.45, 1.55, 1e15 + 0.5, 49805.0, 100.05, 20.05, 2.0005, 1e-300 * 1.5, 1.5e300, 12345678.5].each do |number|
  (0..6).each { |digits| puts format("%.#{digits}f %.#{digits}e %.#{digits}g %#.#{digits}g", number, number, number, number) } if number < 1e20
  puts format("%.1e %.3g %.15e", number, number, number)
end
