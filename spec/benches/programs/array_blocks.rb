seed = 42
items = Array.new(200_000) { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648 }
total = 0
5.times do
  total += items.sort.first
  total += items.map { |x| x + 1 }.select { |x| x.even? }.inject(0) { |a, b| a + b }
  total += items.sort_by { |x| -x }.last
  total += items.each_slice(3).map(&:first).max
  total += items.group_by { |x| x % 10 }.size + items.partition(&:odd?).first.size + items.each_with_index.map { |x, i| x - i }.min
end
queue = items.dup
total += queue.shift while queue.size > 10
puts total
