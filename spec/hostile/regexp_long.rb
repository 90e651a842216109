# NoMemoryError
1000.times do
  ("a" * 60).match?(/((a|aa)+)+\2[xy]/)
rescue RegexpError
end
