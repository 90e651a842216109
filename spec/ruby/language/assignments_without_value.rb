# `x[i] = v` and `x.y = v` whose value nothing uses: order of evaluation, receivers that are assigned meanwhile, values of Arrays, Hashes and objects.
class Place
  attr_accessor :y
  def initialize = @y = 0
  def [](index) = index
  def []=(index, value)
    puts "set #{index.inspect} #{value.inspect}"
  end
  def z=(value)
    puts "z #{value.inspect}"
    :ignored
  end
end

a = [1, 2, 3]
b = a
a[0] = (a = [9, 9, 9]; 5)
a[i = 1] = i + 10
b[-1] = 7
b[5] = :far
p a, b

h = { a: 1 }
h[:a] = 2
h["b"] = h
h[nil] = 3
h["b"].delete("b")
p h

place = Place.new
place[1] = 2
place.z = 3
place.y = 4
place.y += 1
p place.y, (place.z = 6), (place[0] = 8), (place&.y = 9)
nothing = nil
nothing&.y = (raise "not evaluated")
p nothing

def log(name, value)
  puts name
  value
end
log("receiver", place)[log("index", 1)] = log("value", 2)
log("receiver", place).y = log("value", 2)

frozen = [1].freeze
begin
  frozen[0] = 2
rescue => e
  p e.class, e.message
end
other = Place.new.freeze
begin
  other.y = 1
rescue => e
  p e.class
end
class Array
  alias_method :set, :[]=
  def []=(index, value)
    puts "Array#[]= #{index}"
    set(index, value)
  end
end
a[0] = 0
p a
