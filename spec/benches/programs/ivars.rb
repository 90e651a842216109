class Point
  attr_accessor :x
  attr_reader :y

  def initialize(x, y)
    @x = x
    @y = y
  end

  def step
    @x += 1
    @y = @y + @x
    self
  end
end
point = Point.new(0, 0)
1_500_000.times { point.step; point.x = point.x - 1 }
total = 0
500_000.times { |i| total += Point.new(i, i).y }
puts point.x, point.y, total
