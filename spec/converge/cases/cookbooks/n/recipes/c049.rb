include_recipe 'at_once'
file '@ROOT@/t/waits'
puts "this recipe does not: #{File.exist?('@ROOT@/t/waits')}"
