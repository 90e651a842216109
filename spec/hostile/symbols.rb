# ok
100_000.times { |n| n.to_s.to_sym }
