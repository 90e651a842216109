# frozen_string_literal: true
# Frozen literals stay one object each, however many are evaluated in between.
def same = "same"
kept = same
40_000.times { |i| eval("'x#{i}'") if i % 4 == 0 }
p same.equal?(kept), same.frozen?, "same".equal?(kept)
big = (0...2000).map { |i| "'lit#{i}'" }.join(",")
lists = Array.new(3) { eval("# frozen_string_literal: true\n[#{big}]") }
p lists[0].zip(lists[1], lists[2]).all? { |a, b, c| a.equal?(b) && b.equal?(c) }, lists[0].last
