require_relative "fixtures/lines"
require "set"
each_line_of(<<'CODE')
Set.new
Set.new([1, 2, 2, nil])
Set[3, 1, 2]
Set.new([1, 2]) { |x| x * 2 }
Set.new(nil)
Set.new(5)
Set.new(1..3)
Set.new({ a: 1 })
[1, 1, 2].to_set
{ a: 1 }.to_set
[1, 2].to_set { |x| x + 1 }
(1..3).to_set
$s = Set[1, 2, 3]
$s.size
$s.length
$s.count
$s.include?(2)
$s === 2
$s.member?(5)
$s.contain?(1)
$s | [4, 5]
$s + [4]
$s.union(Set[9])
$s & [1, 7]
$s.intersection([2])
$s - [1]
$s.difference([1, 2])
$s ^ [3, 4]
$s | 3
$s & 3
$s - nil
$s ^ nil
$s.add(4)
$s << 4
$s.add?(4)
$s.add?(5)
$s.delete(5)
$s.delete?(5)
$s.delete?(4)
$s.to_a
$s.first
$s.first(2)
$s.min
$s.sum
$s.sort_by { |x| -x }
$s.map { |x| x * 2 }
$s.select { |x| x > 1 }
$s.filter { |x| x > 1 }.class
$s.reject { |x| x > 1 }
$s.partition { |x| x > 1 }
$s.group_by(&:odd?)
$s.classify(&:odd?)
$s.divide(&:odd?)
Set[1, 3, 4, 6, 9, 10, 11].divide { |i, j| (i - j).abs == 1 }
$s.collect! { |x| x + 1 }
$s.map!(&:succ)
$s.select! { |x| x > 3 }
$s.select! { |x| x > 3 }
$s.filter! { |x| x > 4 }
$s.reject! { |x| x > 100 }
$s.reject! { |x| x == 5 }
$s.keep_if { true }
$s.delete_if { false }
$s.merge([7, 8], [9])
$s.merge(3)
$s.subtract([7])
$s.replace([1, 2])
$s.replace(1)
$s.clear
$s.empty?
Set[1, [2]].flatten
Set[1, Set[2, Set[3]]].flatten
Set[1, Set[2]].flatten!
Set[1].flatten!
Set[1, 2].subset?(Set[1, 2, 3])
Set[1, 2] <= Set[1, 2]
Set[1, 2] < Set[1, 2]
Set[1, 2, 3] >= Set[1]
Set[1, 2, 3] > Set[1]
Set[1, 2, 3].superset?(Set[1])
Set[1, 2].proper_subset?(Set[1, 2, 3])
Set[1, 2].proper_superset?(Set[1])
Set[1].subset?([1])
Set[1].superset?([1])
Set[1, 2] <=> Set[1]
Set[1] <=> Set[1, 2]
Set[1] <=> Set[1]
Set[1] <=> Set[2]
Set[1] <=> 3
Set[1].intersect?(Set[1])
Set[1].disjoint?(Set[2])
Set[1].intersect?([1])
Set[1].disjoint?(3)
Set[1, 2] == Set[2, 1]
Set[1, 2] == [1, 2]
Set[1].eql?(Set[1])
Set[1].hash == Set[1].hash
Set[1, 2].join("-")
Set[1, 2].to_s
Set[Set[1]].inspect
Set[1].freeze.frozen?
Set[1].freeze << 2
Set[1].freeze.delete(2)
Set[1].dup << 2
Set[1].clone.frozen?
Set[1].freeze.clone.frozen?
Set[1].freeze.dup.frozen?
Set[1, 2].each { }
Set[1, 2].each.class
Set[1, 2].each.size
Set[3].compare_by_identity.compare_by_identity?
Set["a", "a".dup].compare_by_identity.size
Set[3].compare_by_identity
Set[1].reset
Set[1].to_set.equal?(nil)
Set.new([1]).filter_map { |x| x }
case 1 when Set[1] then :y else :n end
Set[1, 2].delete_if.class
Set[1, 2].select!.size
Set[1, 2].classify.size
Set[1, 2].hash.class
Set[[1, 2]].to_h
Set[1, nil, false].include?(nil)
Set.new([1, 2]).disjoint?(Set[3])
Set.allocate.class
class SubSet < Set; end
SubSet[1]
SubSet[1] | [2]
SubSet.new([1]).map { |x| x }.class
SubSet.new([1]).select { true }.class
SubSet[1] == Set[1]
Set[1].instance_variables
Set[1].to_set.class
SubSet[1].to_set.class
Set[1].to_set(SubSet)
Set[3, 1, 2].sort
Set[3, 1, 2].max
Set[1, 2].inject(:+)
Set[1, 2].each_slice(1).to_a
Set[1].respond_to?(:<=>)
Set.instance_method(:add).arity
SortedSet
Enumerable.method_defined?(:to_set)
Set[1,2].zip([3,4])
Set[1].pretty_inspect
Marshal.load(Marshal.dump(Set[1, 2]))
CODE

# A subclass with a table of its own.
class Upcased < Set
  class Table < Hash
    def []=(key, value)
      super(key.upcase, value)
    end
  end

  def initialize(*)
    @hash = Table.new
    super
  end
end
p Upcased.new(%w[a b]).add("c").to_a, Upcased.new.add("x")
