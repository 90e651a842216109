# Sites that call a core method which only looks at its receiver, and what can change what they call.

class Plain; end
class Other
  def ==(other) = :other
end
one, two = Plain.new, Plain.new
def eq(a, b) = a == b
def up(a) = [1].map { |b| a == b }
3.times { p eq(one, one), eq(one, two), eq(one, nil), eq(nil, one), eq(:a, one), eq(one, 1), eq(1, one) }
p eq(Other.new, 1), eq(one, one), eq(Other.new, 1)
p up(one), up(1), up(Other.new), up(nil)
class Holder
  def initialize(value) = @value = value
  def nil_like? = @value == nil
  def same?(other) = @value == other
  def not_same?(other) = @value != other
end
[one, nil, [], [nil], {}, "", :a, 1, 1.5, 2**70, Other.new, Float::NAN].each do |value|
  holder = Holder.new(value)
  p [holder.nil_like?, holder.same?(value), holder.same?(nil), holder.not_same?(value), holder.not_same?(nil)]
end
def one.==(other) = :singleton
p eq(one, one), eq(two, two), Holder.new(one).same?(1)
class Plain
  def ==(other) = :reopened
end
p eq(two, two), eq(one, 2), Holder.new(two).same?(1)
class Plain
  remove_method :==
end
p eq(two, two), eq(two, one)

def size(list) = [list.length, list.size, list.empty?, list.nil?]
class Fewer < Array
  def length = 99
  def empty? = :perhaps
end
class Same < Array; end
3.times { p size([1, 2]), size([]), size("abc"), size({ a: 1 }), size(Fewer[1]), size(Same[1]) }
list = [1]
def list.size = :own
p size(list), size([5])
p((size(nil) rescue $!.class))
frozen = [1].freeze
p size(frozen)
class Array
  alias old_length length
  def length = -old_length
end
p size([1, 2]), size(Fewer[1]), size(Same[1, 2])
class Array
  alias length old_length
end
p size([1, 2])
p((([1].length(2)) rescue $!.message))

def same(a, b) = a.equal?(b)
def same_in_block(a, b) = [0].map { a.equal?(b) }
def same_call(a, b) = a.equal?(b.itself)
text = "a"
3.times do
  p same(text, text), same("a", "a"), same(1, 1), same(1, 1.0), same(1.5, 1.5), same(nil, nil), same(:a, :a), same(2**70, 2**70)
  p same_in_block(text, text), same_call(text, text), same_call(text, "a")
end
class Equal
  def equal?(other) = :own
end
p same(Equal.new, 1), same(text, text), same(Equal.new, 2)
def text.equal?(other) = :singleton
p same(text, 1), same("b", 1)
p((text.dup.equal? rescue $!.message))

module Refined
  refine Array do
    def length = :refined
  end
end
p [1].length
using Refined
p [1].length, [1].size, [[1]].map(&:length)

# Ranges whose ends are evaluated
def range(a, b) = [(a..b), (a...b)]
p range(1, 3), range(1, nil), range("a", "c"), range(1.5, 2), range(nil, 4)
p((range(1, "a") rescue $!.message))
p (1..).first(2), range(2**70, 2**71).map(&:class)
p range(1, 2).map(&:frozen?)
p((range(raise("first"), 1) rescue $!.message))
# a method that changes while it runs
def each_of(list) = list.each { |x| yield x }
each_of([1, 2]) do |x|
  p x
  class Array
    def each = (yield :changed)
  end if x == 1
end
each_of([3]) { |x| p x }
# Ranges at the ends of machine integers
(-(2**63)...-(2**63)).each { p :never }
(2**63 - 1..2**63 - 1).each { |x| p x }
(2**63 - 2...2**63 - 1).each { |x| p x }
(-(2**63)..-(2**63)).each { |x| p x }
