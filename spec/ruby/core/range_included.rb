# Range#include? compares where one of the ends has `to_int`, as for numbers.
class Version
  include Comparable
  def initialize(number) = @number = number
  def to_int = @number
  def <=>(other) = @number <=> other.to_int
end
range = Version.new(1)...Version.new(5)
p range.include?(Version.new(3)), range.include?(Version.new(5)), range === Version.new(3), range.member?(Version.new(9))
p ("a".."c").include?("b"), (nil..3).include?(2), (:a..:c).include?(:b)
