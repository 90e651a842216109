# What begins with \G is only tried where the search starts.
text = "abc123 abc456"
p text.match(/\Gabc/, 7), text.match(/\Gabc/, 6), text.match?(/\G\d/, 3), text.match?(/\G\d/, 2), text.index(/\Gabc/, 1), text.index(/\Gabc/, 7)
p text.scan(/\G[a-z]/), text.gsub(/\G[a-z]/, "-"), text.match(/(?:\Gb|\Gc)1/, 2).to_a, text.match(/\Gx|1/, 0).to_a, text.match(/(?i)\GABC/).to_a
p text.rindex(/\Gabc/), text.rindex(/\Ga/, 7), text =~ /\Ab/, text.match(/\A(?:x|abc)(\d)/).to_a, text.sub(/(?<n>\G\w)/, "[\\k<n>]")
long = "x" * 200_000
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
2_000.times { long.match?(/\G\d+/, 5) || long.match?(/\G(?:==|<=>)/, 7) || long.match?(/\Gx*y{2}zz/, 199_990) }
p Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < 5
