# Seeded samples of each size are MRI's.
list = (0...3000).to_a
[*0..14, 40, 2000].each { |count| p list.sample(count, random: Random.new(42)).first(15) }
[1, 2, 5, 9, 10, 11].each { |count| p %w(a b c d e f g h i j).sample(count, random: Random.new(7)) }
half = proc { |max| max / 2 }
class << half
  alias rand call
end
p (0...10_000).to_a.sample(4, random: half), (0...10_000).to_a.sample(10, random: half)
srand(3)
p [1, 2, 3, 4, 5].sample(4), [1, 2, 3, 4, 5].shuffle
begin
  [1, 2].shuffle(random: Object.new)
rescue NoMethodError => error
  puts error.message[/.*called/]
end
