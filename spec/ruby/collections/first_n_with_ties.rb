# What max(n), min(n), max_by(n) and min_by(n) keep of equal elements, and in which order.
random = Random.new(5)
rows = []
60.times do
  list = Array.new(1 + random.rand(30)) { |index| [random.rand(4), index] }
  count = 1 + random.rand(6)
  rows << list.max_by(count, &:first) << list.min_by(count, &:first)
  rows << list.max(count) { |a, b| a[0] <=> b[0] } << list.min(count) { |a, b| a[0] <=> b[0] }
  rows << list.each_entry.max(count) { |a, b| a[0] <=> b[0] } << list.each_entry.min(count) { |a, b| a[0] <=> b[0] }
end
rows.each { |row| puts row.map { |value, index| "#{value}:#{index}" }.join(" ") }
def try = p(yield) rescue puts("#{$!.class}: #{$!.message}")
try { [3, nil, "a"].max(0) }
try { [3, nil, "a", :b].max(2) }
try { [1, 2, 3].min(-1) }
try { [1, 2, 3].max(1) { 1 } }
try { [1, 2, 3].min(2) { |a, b| b <=> a } }
try { (1..100).max(3) }
try { %w[pear fig apple kiwi].max_by(2, &:size) }
try { { a: 2, b: 2, c: 1 }.min_by(2) { |_, value| value } }
try { [0.5, 2, 1r].max(5) }
