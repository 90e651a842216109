# In a fiber, methods call each other as deep as in one of MRI.
def down(left) = left.zero? ? 0 : 1 + down(left - 1)
def blocks(left) = left.zero? ? 0 : 1 + [left].map { |each| blocks(each - 1) }.first
p Fiber.new { down(1_100) }.resume
p Fiber.new { blocks(200) }.resume
p Enumerator.new { |values| values << down(1_100) }.next
p Thread.new { down(9_000) }.value
begin
  Fiber.new { def forever(n) = forever(n + 1); forever(0) }.resume
rescue SystemStackError => e
  puts e.class
end
