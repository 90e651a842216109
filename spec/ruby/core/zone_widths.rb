# Offsets of zones with widths, padding and colons.
%w[+01:40 -00:09 +12:00].each do |zone|
  time = Time.new(2012, 1, 1, 0, 0, 0, zone)
  p %w(%z %:z %::z %_10z %10z %010z %-10z %_12:z %-:z %_12::z %-10::z %_z %-z %_:z %6z %_6z).map { |format| time.strftime(format) }
end
p Time.at(0).utc.strftime("%-010:z|%-_10:z|%-_10::z|%-10:z|%010:z|%-_10z|%0-10z|%10-z")
# A Lazy with indexes: pairs for a block at the end, two arguments for an operation between.
source = Enumerator.new { |yielder| yielder.yield(1, 2); yielder.yield; yielder << 3 }
source.lazy.with_index(1).each { |pair| p pair }
p source.lazy.with_index.map(&->(value, index) { [value, index] }).to_a, source.lazy.with_index.to_a, source.lazy.with_index.first(2)
p (1..3).lazy.each_entry.to_a, [4, 5].each_entry.lazy.each.to_a
