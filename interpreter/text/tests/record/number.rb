require_relative "common"
r = Recorder.new("number")
srand 7
floats = [1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5, 0.0001234, -0.0, 0.0, 1e100, 1.5e-10, 100.0, 1e23, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0, 0.1, 1 / 3.0, -2.5, 12345.678, 9.5, 1e22, 123456789.123456789, 0.5, 1.5, 2.5, 0.49999999999999994, 1.005, 2.675, 0.285, 5.015, 1.15, 1.25, 1.35, 25.0, 35.0, 1e300, 1e-300, 10.0, 1.1, -1.1, 12.34, 0.30000000000000004, 42.0, 0.1 + 0.7]
floats += Array.new(150) { [rand(1 << 64)].pack("Q").unpack1("D") }.reject(&:nan?).reject(&:infinite?)
floats += Array.new(100) { (rand(2_000_000) - 1_000_000) / [10.0, 100.0, 1000.0, 8.0, 16.0].sample }
# Single precision and small binary fractions: exact values that lie between two shortest forms.
ties = Array.new(1500) { [(rand(1 << 32) & 0x9fffffff) | 0x20000000].pack("L").unpack1("f") }.reject(&:nan?) + Array.new(1500) { rand(1 << 53) / 2.0**rand(20..60) }
ties.each { |f| r.rec("to_s", [f].pack("G").unpack1("H*")) { f.to_s } }
floats.each do |f|
  bits = [f].pack("G").unpack1("H*")
  r.rec("to_s", bits) { f.to_s }
  [-20, -3, -1, 0, 1, 2, 5, 13, 15, 16, 20, 300].each do |d|
    r.rec("round", bits, d) { f.round(d) }
    r.rec("round_even", bits, d) { f.round(d, half: :even) }
    r.rec("round_down", bits, d) { f.round(d, half: :down) }
    r.rec("floor", bits, d) { f.floor(d) }
    r.rec("ceil", bits, d) { f.ceil(d) }
  end
end
[0, 5, 15, 25, -15, -25, 149, 150, 151, 12345678901234567890123, -12345678901234567890123, 5 * 10**30].each do |n|
  [-1, -2, -3, -20, -40, 0, 2].each do |d|
    r.rec("int_round", n, d) { n.round(d) }
    r.rec("int_round_even", n, d) { n.round(d, half: :even) }
    r.rec("int_round_down", n, d) { n.round(d, half: :down) }
    r.rec("int_floor", n, d) { n.floor(d) }
    r.rec("int_ceil", n, d) { n.ceil(d) }
    r.rec("int_truncate", n, d) { n.truncate(d) }
  end
  [2, 3, 8, 16, 36].each { |b| r.rec("int_to_s", n, b) { n.to_s(b) } }
end
ints = ["0x1F", "0b11", "0o17", "017", "08", "1_000", "1__0", "_1", "1_", " 12 ", "12a", "", "  ", "+5", "- 5", "--5", "0x", "0b2", "1e3", "0_8", "0_7", "\n12\n", "12\0", "1.5", "0d19", "0x_1", "0_x1", "-0x1f", "+0b1", "0", "00", "0_", "0__1", "z", "Zz", "9" * 30, "-" + "9" * 30, "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "0xg", "1 2", "\t\v\f\r1", "0B1", "0X1", "0O7", "0D9", "1-", "é", "12é", "0x1F_F", "0x1F__F"]
ints.each do |s|
  [0, 10, 2, 8, 16, 36, 37, 1].each { |b| r.rec("to_i", s, b) { s.to_i(b) } }
  r.rec("Integer", s, 0) { Integer(s) }
  [10, 2, 8, 16, 36, -8, -2, 37].each { |b| r.rec("Integer", s, b) { Integer(s, b) } }
end
fl = ["1e3", "1.5", "1.", "1.e3", ".5", "-.5", "1_0.5", "1__0", "1_", "0x1p3", "0x1.8p1", "0x1F", "-0x1p-2", "  1.5 ", "", "abc", "1e", "1e400", "-0", "1.5e+3", "1_000.0_1", "1e1_0", "1._5", "1_.5", "Infinity", "NaN", "0x", "1.5f", "0b1", "1e-400", "+1.0", "\0" + "1", "1\0", "1e+", "1e-5x", "e5", ".e5", "1.2.3", "00.5", "1e5_", "1e_5", "3.14abc", "1" * 400, "0." + "1" * 100, "2.2250738585072011e-308", "4.9e-324", "1 .5", "- 1.5", "1,5", "5e-1 x", "12e3.4"]
fl.each do |s|
  r.rec("to_f", s) { s.to_f }
  r.rec("Float", s) { Float(s) }
end
rs = ["1/3", "0.75", "1.5/2", "1/0", "1_0/3", "-1/3", " 1/3", "1 /3", "1/ 3", "1e2/3", "1e-2", "abc", "1/3abc", "1.", "1.2.3", ".5", "1/-3", "1//3", "1e1_0", "+1/2", "1/2.5", "1__0", "4/6", "0/5", "-.5", "1.e2", "", " ", "1\0", "1/", "1/.5", "1/2e1", "3.", "."]
rs.each do |s|
  r.rec("to_r", s) { s.to_r }
  r.rec("Rational", s) { Rational(s) }
end
cs = ["1+2i", "i", "-i", "2i", "1@2", "1.5-2.5i", "1/2+3/4i", "1e2+1e-2i", "abc", "1+i", "1 + 2i", " 1+2i ", "1+2", "1+2j", "1i2", "+i", "1+2ix", "3.14", "1_0+2_0i", "1@", "@1", "1@-2", "1+", "-", "1/0", "+-1i", "1e5i", "", "1.5/2", "-3.5-4i", "5", "-0.0i", "1\0"]
cs.each do |s|
  r.rec("to_c", s) { s.to_c }
  r.rec("Complex", s) { Complex(s) }
end
Array.new(60) { [rand(10**40) - 5 * 10**39, rand(10**(1 + rand(60))) + 1] }.each { |n, d| r.rec("rational_to_f", n, d) { Rational(n, d).to_f } }
[[1, 10**330], [10**320, 3], [3, 2**1076], [1, 2**1075], [2**1024 - 1, 1], [12345, 2**1080]].each { |n, d| r.rec("rational_to_f", n, d) { Rational(n, d).to_f } }
