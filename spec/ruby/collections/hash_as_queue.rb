h = {}
100.times { |i| h[i] = i }
rng = 7
log = []
2000.times do |step|
  rng = (rng * 1103515245 + 12345) % 2**31
  case rng % 9
  when 0, 1 then log << h.shift
  when 2 then h.delete(h.first[0]) unless h.empty?
  when 3 then h[rng % 500] = step
  when 4 then h.delete(rng % 500)
  when 5 then h[h.keys.last.to_i + 1] = step
  when 6 then log << h.first << h.keys.first << h.each { |k, v| break [k, v] }
  when 7 then h.delete_if { |k, _| k % 97 == rng % 97 }
  when 8 then h.each { |k, _| h.delete(k) if k % 50 == 3 }
  end
  log << h.size
end
p log.hash == log.dup.hash, log.last(8), h.to_a.first(5), h.size, log.flatten.compact.sum { |x| x.is_a?(Integer) ? x : 0 }
h.shift until h.empty?
p h, h.first, h.shift, h.min_by { 1 }
h[1] = 2
p h, h.first
h.each { |k, v| h.clear; break }
p h, h.size
h[:a] = 1; h[:b] = 2
p h.shift, h.first, h.dup, h.clone.shift, h.any?, h.find { true }, h.sum { |_, v| v }
big = (0...40).to_h { |i| [i, i] }
big.each { |k, _| big.delete(k) if k < 30 }
p big.first, big.keys, big.shift, big.invert.first, big.sort.first, big.group_by { |_, v| v % 2 }.keys, big.each_with_index.first
lru = {}
300.times { |i| lru.delete(i % 60); lru[i % 60] = i; lru.shift if lru.size > 50 }
p lru.first, lru.size, lru.keys.last
x = { "a" => 3, "b" => 2, c: 5, d: 2, 1 => 2, 1.0 => 3 }
p x, x.keys.first.frozen?, x.key?("a"), x[:c], x.size
s = { "k" => (t = "v") }
p s.keys[0].equal?("k"), t.frozen?
a, b, c = 1, 2
p a, b, c
a, b = 3, 4, (p :seen; 5)
p a, b
a, b = b, a
p a, b
@p, q, @r = 7
p @p, q, @r
w = [1, 2, 3]
p w.values_at(0..1, 1..5, 2, -1..7, 3..4, 1...1), w.values_at(4..6), w.values_at(-2..-1)
