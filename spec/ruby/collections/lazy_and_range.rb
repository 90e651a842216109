l = (1..Float::INFINITY).lazy
p l, l.map { |x| x * 2 }.select(&:even?), l.take(2), l.map {}.size, (1..10).lazy.take(3).size, (1..10).lazy.select {}.size, (1..10).lazy.drop(3).size
p l.with_index, l.each_with_index.first(2), l.with_index(3).map { |a, b| a * b }.first(2)
p l.zip(4..5).first(3), l.filter_map { |x| x * 2 if x.even? }.first(2), l.flat_map { |x| [x, x] }.first(3), l.uniq { |x| x % 3 }.first(3), l.grep(2..4).first(2)
p l.compact, l.eager, l.take_while { |x| x < 4 }.to_a, l.chunk_while { |a, b| b % 3 != 0 }.first(2)
p (1..3).lazy.to_enum(:each_slice, 2), (1..3).lazy.each_slice(2).map(&:sum).to_a, (1..3).lazy.lazy, (1..3).lazy.force
p Enumerator::Lazy.new([1, 2, 3]) { |y, x| y << x * 2 }.to_a, Enumerator::Lazy.new([1, 2, 3], 5) { |y, x| y << x * 2 }
[-> { l.map }, -> { l.select }, -> { l.zip(1) }, -> { Enumerator::Lazy.new([]) }, -> { l.take(-1) }].each do |f|
  f.call
rescue => e
  p e
end
p (1..3).lazy.take(0).to_a, (1..3).lazy.reject(&:odd?).to_a, (1..3).lazy.grep_v(2) { |x| x + 1 }.to_a, (1..4).lazy.drop_while { |x| x < 3 }.to_a
p (1..10) % 3, ((1..10) % 3).to_a, 1.0.step(2.0, 0.5).to_a, (1..2).step(0.5).to_a, (1.0...2.0).step(0.5).to_a, ('a'..'i').step(3).to_a, ((0..10).step(4)).last(2), (10..1).step(-3).to_a
p (1..10).cover?(2..3), (1...10).cover?(2..10), (1..), (..5), (nil..nil), (1..5).minmax, (1...5).max, ('a'..'e').max, (1..0).max, (1..3).sum, (1..3.5).to_a
[-> { (1.5..3).to_a }, -> { (1..).to_a }, -> { (..1).first }, -> { (1..).last }, -> { (1..3).step(0) {} }, -> { (1..3).step(-1) {} }, -> { (1...2.5).max }, -> { Range.new(1, "a") }].each do |f|
  f.call
rescue => e
  p e
end
a = [0, 1, 2, 3, 4, 5]
p a[(1..).step(2)], a[(..-2) % 3], a[-3..], a[6..], a[7..], a[2, 0], a.values_at(1..7, -1)
a[1..2] = [9]; p a
a[8] = 1; p a
a.insert(-2, :x, :y); p a
p a.fill(0, 2, 3), a.fill { |i| i * i }, a.slice!(1, 2), a, a.rotate(-2), a.delete_if(&:even?), a.bsearch { |x| x >= 9 }, a.pack("C*").bytes
