strings = {}
200_000.times { |i| strings["key#{i}"] = i }
sum = 0
200_000.times { |i| sum += strings["key#{i}"] }
numbers = {}
200_000.times { |i| numbers[i * 7] = i }
200_000.times { |i| sum += numbers[i * 7] }
symbols = %i[a b c d e f].to_h { |name| [name, name.to_s] }
500_000.times { |i| sum += symbols[:d].size if symbols.key?(:c) }
puts sum
