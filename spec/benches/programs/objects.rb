# Five million objects and Strings that live shortly: memory must stay flat. The Array and the Hash, which nothing uses, are not made, as in MRI.
class Cell
  def initialize(value) = @value = value
end
i = 0
while i < 2_500_000
  Cell.new(i)
  [i, i]
  { a: i }
  "text #{i}"
  i += 1
end
puts i
