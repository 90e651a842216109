list = (1..200_000).to_a
sum = 0
6.times do
  counts = list.each_with_object(Hash.new(0)) { |x, h| h[x % 100] += 1 }
  pairs = list.each_with_object([]) { |x, out| out << [x, x * 2] if x % 3 == 0 }
  sum += counts.size + pairs.size + pairs.to_h.size
end
puts sum
