require_relative "common"
r = Recorder.new("sprintf")
srand 11
$VERBOSE = nil
ints = [0, 1, -1, 5, -5, 255, -255, -256, 8, -8, 123456, -123456, 2**70, -(2**70), 10**25]
floats = [0.0, -0.0, 0.5, 1.5, 2.5, 1.0, -0.1, 3.14159, 1e20, 1e-5, 1e10, 12345.678, -12345.678, 1e100, 5e-324, 1e-310, Float::INFINITY, -Float::INFINITY, Float::NAN, 999999.5, 0.0001, 0.00001, 123456789.0, 1.96875, 0.1]
flags = ["", "+", " ", "-", "0", "#", "+0", "-0", "#0", "# ", "-#", "+#", " 0"]
widths = ["", "3", "12", "20"]
precs = ["", ".0", ".1", ".3", ".8", ".20"]
%w[d i u o x X b B].each { |c| flags.product(widths, precs).each { |f, w, p| ints.sample(3).each { |n| r.rec("int", "%#{f}#{w}#{p}#{c}", n) { format("%#{f}#{w}#{p}#{c}", n) } } } }
%w[e E f g G a A].each { |c| flags.product(widths, precs).each { |f, w, p| floats.sample(4).each { |x| r.rec("float", "%#{f}#{w}#{p}#{c}", [x].pack("G").unpack1("H*")) { format("%#{f}#{w}#{p}#{c}", x) } } } }
flags.product(widths, precs).each { |f, w, p| ints.sample(2).each { |n| r.rec("intf", "%#{f}#{w}#{p}f", n) { format("%#{f}#{w}#{p}f", n) } }; [1/3r, -1/3r, 5/2r, 1/8r].each { |q| r.rec("rat", "%#{f}#{w}#{p}f", q.numerator, q.denominator) { format("%#{f}#{w}#{p}f", q) } } }
flags.product(widths, precs).each { |f, w, p| %w[s p c].each { |c| ["a", "", "h\u00e9llo", "\u3042\n"].each { |s| r.rec("str", "%#{f}#{w}#{p}#{c}", s) { format("%#{f}#{w}#{p}#{c}", s) } } } }
H = { a: 1, b: "two", "c d": 3 }
mixes = ["%d", "%z", "%", "%1$s %s", "%s %1$s", "%<a>d %s", "%<a>d", "%<q>d", "%<a", "%{a}", "%{b}%{a}", "%0$s", "%1$1$s", "%3$s", "%s %<a>s", "%**d", "%5*d", "%.5.5d", "%<a><b>d", "%99999999999d", "%.99999999999d", "%\n", "%5%", "% %", "%%", "100%%", "%\0", "%<a>{b}", "%*1$d", "%1$*2$d|", "%{a}5", "%-5{a}|", "%.2{b}|", "%010{b}|", "%<a>5.2f|", "%<a>-5d|", "%5<a>d|", "%*d", "%-*d|", "%.*f", "%.*s|", "%5 d", "%.5 d", "%.5+d", "%5.3-d", "%<c d>s", "%1$s %2$s %1$s", "%-+5d|", "%y", "%h", "%l", "%\u00e9", "% d%", "%5", "%.", "%1$", "%*", "%s%s%s%s", "%.-5d", "%5.d|", "", "abc", "%s\u00e9", "%c%c", "%#%"]
mixes.each do |m|
  r.rec("mix", m, "none") { format(m) }
  r.rec("mix", m, "ints") { format(m, 7, 3) }
  r.rec("mix", m, "neg") { format(m, -7, 3) }
  r.rec("mix", m, "hash") { format(m, H) }
  r.rec("mix", m, "strs") { format(m, "x", "y") }
end
