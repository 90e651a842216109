big = 2**62
p [3, 1, 2].min, [3, 1, 2].max, [3, 1, 2].minmax, [].max, [].minmax, [5].min
p [1, big, 2**70, -big].max, [1, 2**70, -(2**70)].minmax, [1, 2.5, 2].max, [2, 2.0].max, [2.0, 2].max, [2.5, 1.5].minmax
p [0.0, -0.0].max, [-0.0, 0.0].min, [1.0, 2.0, 1.0].max, ["b", "a"].minmax, [[1, 2], [1]].max
begin; p [1, nil].max; rescue => e; p e.message; end
list = [1.0, "a"]
begin; p list.min; rescue => e; p e.message; end
p [3, 1, 2].min(2), [3, 1, 2].max { |a, b| b <=> a }, [3, 1, 2].minmax { |a, b| b <=> a }
p [1, 2, 3].sum, [big, big, big].sum, [big, big, -big].sum, [1, 2**80, -(2**80)].sum, [1, 2.5].sum, [1, 2r].sum, [1, 2].sum(0.0), [0.1] .sum(1), ["a"].sum(""), [1, 2].sum { |x| x * big }
p (1..4).sum, [1, 2i].sum, [].sum, [].sum(2**70), [-1, -big, -big, -big].sum
srand(42)
a = (0...1000).to_a
p a.sample(3, random: Random.new(1)), a.sample(12, random: Random.new(2)), a.sample(124, random: Random.new(3)).sum, a.sample(500, random: Random.new(4)).first(9), a.sample(999, random: Random.new(5)).last(4)
p (0...20000).to_a.sample(40, random: Random.new(6)), (0...20000).to_a.sample(2600, random: Random.new(7)).last(3), a.sample(1000, random: Random.new(8)).uniq.size
class Integer; def <=>(other) = other < self ? -1 : other == self ? 0 : 1; end
a = [3, 1, 2]
p a.max, a.min, a.sort, a.minmax, a.sort_by { |x| x }
