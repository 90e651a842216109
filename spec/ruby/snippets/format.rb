require_relative "fixtures/combine"
$VERBOSE = nil
flags = ["", "5", "-5", "05", "+", " ", "#", "+08.3", ".2", "10.4", "-8", "*"]
kinds = %w[d i u f e g x o b s p c a X B E G %]
values = ["0", "42", "-42", "3.14159", "-0.5", "1e20", "2**70", "nil", '"text"', ":sym", "1r/3", '"12"', "Float::NAN", "-Float::INFINITY"]
list = []
flags.each { |flag| kinds.each { |kind| values.each_with_index { |value, i| list << (flag == "*" ? "format('%*#{kind}', 7, #{value})" : "format('%#{flag}#{kind}', #{value})") if (i + flag.size + kind.ord) % 4 == 0 } } }
list += ['format("%<a>05d|%{b}", a: 1, b: 2)', 'format("%{x}", y: 1)', 'format("%1$s %2$s %1$s", "a", "b")', 'format("%d")', 'format("%z", 1)', 'format("%s %s", 1)', 'format("%c", 10004)', 'format("%c", "hello")', 'format("%-10s|", "é")', 'format("%.3s", "日本語文")', 'format("%08b", -5)', 'format("%x", -255)', 'format("%+x", -255)', 'format("%o", -8)', 'format("%#o", 8)', 'format("%e", 0)', 'format("%.0f", 0.5)', 'format("%.0f", 1.5)', 'format("%.10g", 1.0/3)', 'format("%s", nil)', 'format("%p", nil)', 'format("%d", "abc")', 'format("%d", nil)', 'format("%f", "1.5")', 'format("%d", 1.99)', 'format("%d", "0x1f")', '"%s and %p" % ["a", "b"]', '"%d%%" % 5', '"%s" % [[1, 2]]', '"%05.1f" % 2.25', '"%+d" % 3', 'format("%-+7.2f|", 3.14159)', 'format("% d", 5)']
Combine.expressions(list)
