# Threads that have ended hold nothing: more of them than a process may have mappings.
40_000.times { Thread.new {}.join }
p Thread.list.size
sum = 0
40_000.times { |i| sum += Thread.new(i) { |n| Fiber.new { n }.resume }.value }
p sum
