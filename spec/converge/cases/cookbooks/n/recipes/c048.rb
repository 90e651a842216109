file '@ROOT@/t/included'
puts "sees the included one: #{File.exist?('@ROOT@/t/included')}"
