# redo runs a body again without assigning the index; blocks that an `each` keeps do nothing after its end; chains of lazy enumerators.
sum = 0
for i in 1..3
  sum += i
  i -= 1
  redo if i > 0
end
p sum
pairs = []
for a, b in [[1, 2], [3, 1]]
  pairs << [a, b]
  b -= 1
  redo if b > 0
end
p pairs
turns = 0
[3].each { |n| turns += n; n -= 1; redo if n > 0 }
p turns
text = +"vt100"
count = 0
while count < 3
  count += 1
  before = text
  text = text.gsub("vt100", "VT100")
  if before != text
    text.gsub!("VT100", "Vt100")
    redo
  end
end
p count, text

kept = Object.new
kept.extend(Enumerable)
class << kept
  attr_reader :block
  def each(&block) = (@block = block; self)
end
kept.grep(//)
p kept.block.call
kept.take_while { true }
p kept.block.call

some = (10..).lazy.select(&:even?)
both = some + (20..).lazy.select(&:odd?)
p both.class, both.first(3), some.chain([1]).class, some.take(2).+([7]).to_a
p [1].each_entry.to_a, 1.step(by: nil).step, 1.step(by: nil).end, 1.step(10, nil).first(2)
source = Enumerator.new { |to| to.yield 1; to.yield 2, 3 }
seen = []
source.each_entry(&->((x, y)) { seen << [x, y] })
source.each_with_index.zip([:a, :b], &->((x, at), other) { seen << [x, at, other] })
p seen
regexp = Regexp.new("x")
def regexp.===(_) = true
p [1, :b].grep(regexp)
p([1, 2, 3].sample(random: Object.new.tap { |o| def o.rand(n) = n - 1 }))
list = [1, 2, 3, 42]
begin
  list.keep_if { list.freeze; false }
rescue FrozenError => e
  puts e.class
end
p list
begin
  [0].freeze.insert
rescue ArgumentError => e
  puts e.message
end
b = [1]; c = [2, b]; b << c
p b.flatten(2).size
hash = { a: 1, b: 2, c: 3 }
begin
  hash.update({ a: 10, b: 20 }) { |key, _, new| hash.freeze if key == :b; new }
rescue FrozenError
  p hash
end
hash = { a: 1, b: 2, c: 3 }
begin
  hash.transform_values! { |value| hash.freeze if value == 2; value.succ }
rescue FrozenError
  p hash
end
puts ["a" * 80].pack("u70"), ["abc"].pack("u3")
