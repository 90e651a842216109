# Several values of a yield are one Array for the block of most methods, which only a lambda of Ruby code takes apart.
$stdout.sync = true
e = [[:a, 1], [:b, 2]].each_with_index
e2 = %w[x y z].each_with_index
p e2.group_by(&:first), e2.partition(&:first), e2.min_by(&:last), e2.max_by(&:last), e2.minmax_by(&:last), e2.sort_by(&:last), e2.select(&:first), e2.find_all(&:first), e2.reject(&:first), e2.find(&:first), e2.drop_while(&:first), e2.take_while(&:first), e2.chunk(&:first).to_a, (e2.sum(&:last)), e2.each_entry(&:first), e2.map(&:first) rescue p $!
p e2.map(&:upcase), e2.flat_map(&:upcase), e2.each_slice(2).map(&:first), (e2.count(&:first)), (e2.find_index(&:first)), (e2.all?(&:first)), (e2.any?(&:first)), (e2.none?(&:first)), (e2.one?(&:first)), e2.to_h { |x| x }, e2.uniq(&:first), e2.tally, e2.inject(:+), e2.each_cons(2).map(&:first), e2.zip(e2).map(&:first), e2.filter_map(&:upcase), e2.slice_when { |a, b| true }.to_a, e2.chunk_while { |a, b| false }.to_a rescue p $!
p({a: 1}.each_with_index.map(&:first), {a: 1}.group_by(&:first), {a: 1}.map(&:first), {a: 1}.each_with_index.group_by(&:first)) rescue p $!
def y2; yield 1, 2; yield 3, 4; end
t = enum_for(:y2)
%i[group_by partition min_by max_by minmax_by sort_by select filter find_all reject find detect drop_while take_while sum each_entry map collect flat_map count find_index all? any? none? one? uniq filter_map to_h each_with_object inject reduce zip reverse_each each_with_index collect_concat].each do |m|
  r = begin
    x = t.send(m, &:itself); x.is_a?(Enumerator) ? x.to_a : x
  rescue => err then err.class
  end
  q = begin
    x = t.send(m, &->(a) { a }); x.is_a?(Enumerator) ? x.to_a : x
  rescue => err then err.class
  end
  z = begin
    x = t.send(m) { |a| a }; x.is_a?(Enumerator) ? x.to_a : x
  rescue => err then err.class
  end
  w = begin
    x = t.send(m, &:+); x.is_a?(Enumerator) ? x.to_a : x
  rescue => err then err.class
  end
  mm = begin
    x = t.send(m, &method(:Array)); x.is_a?(Enumerator) ? x.to_a : x
  rescue => err then err.class
  end
  p [m, r, q, z, w, mm]
end
p t.lazy.map(&:itself).to_a, t.lazy.select(&:itself).to_a, t.lazy.group_by(&:first), t.chunk(&:itself).to_a, t.slice_before(&:itself).to_a, t.slice_after(&:itself).to_a, t.each_with_index.map(&:first) rescue p $!
p t.chunk_while(&:==).to_a rescue p $!
p t.lazy.reject(&:first).to_a, t.lazy.filter_map(&:first).to_a rescue p $!
p t.lazy.flat_map(&:itself).to_a rescue p $!
p t.lazy.take_while(&:first).to_a, t.lazy.uniq(&:first).to_a rescue p $!
