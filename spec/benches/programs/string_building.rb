out = +""
400_000.times { |i| out << "line " << i.to_s << " of #{i % 7}\n" }
parts = (1..200_000).map { |i| "key#{i}=#{i * 2}" }
puts out.size, parts.join("&").size, parts.map(&:upcase).sum(&:length)
