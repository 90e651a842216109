file '@ROOT@/t/once'
puts "at_once sees its file: #{File.exist?('@ROOT@/t/once')}"
