# Ten million objects that live shortly: memory must stay flat.
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
