# ok
head = ["d308a385886a3f24"].pack("H*")
h = {}
50_000.times { |n| h[head + [n].pack("Q<")] = n }
h.size
