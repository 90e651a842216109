# ObjectSpace::WeakMap as far as it does not depend on when a collection comes.
map = ObjectSpace::WeakMap.new
key, value = "key", Object.new
map[key] = value
other = "other"
map[other] = value
p map.size, map[key].equal?(value), map["key".dup], map.key?(key), map.keys.include?(key), map.values.size
p map.inspect[0, 24], map.class.include?(Enumerable), map.map { |a, b| [a.class, b.class] }
begin
  map.each
rescue LocalJumpError => error
  puts error.message
end
empty = ObjectSpace::WeakMap.new
p empty.each.equal?(empty), empty.inspect.size
map[1] = :a
map[nil] = 2
map[2.5] = 3
map[:s] = map
p map[1], map[nil], map[2.5], map[:s].equal?(map)
both = Object.new
map[both] = both
p map[both].equal?(both)
p ObjectSpace::WeakMap.instance_methods(false).sort
begin
  Marshal.dump(map)
rescue TypeError => error
  puts error.message
end
kept = (1..200).map { |i| "kept #{i}" }
kept.each { |text| map[text] = text }
p kept.all? { |text| map[text].equal?(text) }
