# `x.y op= v` and `x[i] op= v`: order of evaluation, values, what is assigned meanwhile, and receivers of all kinds.
class Place
  attr_accessor :n, :text, :list
  attr_reader :read_only

  def initialize
    @n = 1
    @text = "a"
  end

  def [](*index)
    puts "get #{index.inspect}"
    10
  end

  def []=(*index, value)
    puts "set #{index.inspect} #{value.inspect}"
  end

  def own
    self.n += 1
    self.hidden += 1
    self.hidden ||= 5
    self.n
  end

  private

  attr_writer :hidden

  def hidden = 3
end

place = Place.new
3.times do |turn|
  place.n += turn
  place.n -= 0.5
  place.n *= 2
  place.text += "b"
  place.text <<= "c"
  place.list ||= []
  place.list &&= place.list + [turn]
end
p place.n, place.text, place.list, (place.n += 1), place.own
begin
  place.read_only += 1
rescue NoMethodError => error
  puts error.message[/.*'/]
end
nothing = nil
nothing&.n += (raise "not evaluated")
p nothing&.n, (nothing&.n ||= 3)
place[1] += 2
place[1, 2] -= 3
p(place[3] ||= 4)
place[] += 1
place[*[5, 6]] += 1

def log(name, value)
  puts name
  value
end
list = [1, 2, 3]
3.times { |index| list[log("index", index)] += log("value", 10) }
list[-1] += 1
list[5] ||= :new
list[0] &&= nil
list[0] ||= 7
p list, (list[1] += 1)
other = list
other[0] += (list = [0]; 1)
p other, list
grown = [1]
grown[0] += (grown.clear; 5)
p grown

counts = Hash.new(0)
%w(a b a c a).each { |word| counts[word] += 1 }
counts[:x] ||= 3
counts[:x] &&= counts[:x] + 1
groups = Hash.new { |hash, key| hash[key] = [] }
[1, 2, 3].each { |number| groups[number.odd?] <<= number }
groups[1] += [2]
plain = { "k" => 1, nil => 2, 1.5 => 3 }
plain.each_key { |key| plain[key] += 1 }
begin
  plain["missing"] += 1
rescue NoMethodError => error
  puts error.message
end
p counts, groups, plain
by_identity = {}.compare_by_identity
by_identity["a"] ||= 1
by_identity["a"] ||= 2
p by_identity.size
[[1].freeze, { a: 1 }.freeze].each do |frozen|
  frozen[frozen.is_a?(Hash) ? :a : 0] += 1
rescue => error
  p error.class
end
big = [2**62, 2**62, 1.5]
big[0] += big[1]
big[0] -= 1
big[2] -= 1
big[2] += 1.25
p big
class Integer
  alias_method :plus, :+
  def +(other) = plus(other).plus(100)
end
list[0] += 1
place.n = 1
place.n += 1
p list[0], place.n

class Named
  attr_accessor :a
  alias_method :[], :a
end
2.times do
  Named.new[1] += 1
rescue ArgumentError => error
  puts error.message
end
