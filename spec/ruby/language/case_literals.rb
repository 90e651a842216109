# A `case` with many literals: equal values of the same class, the first clause of several, and other classes' === by chance.
def found(value)
  case value
  when 1 then :a
  when 2, 3 then :b
  when :x, :y then :c
  when "s" then :d
  when nil then :e
  when true, 1 then :f
  when 9, 10, 11 then :g
  when :x, -5 then :h
  else :z
  end
end
p [1, 2, 3, :x, :y, "s", nil, true, 9, 11, 12, -5, 1.0, 2r, 3i, :q, false, 2**64, "x", Object].map { |value| found(value) }
class Integer
  def ===(other) = self == 9 ? true : super
end
p [1, 2, 3, :x, 12, 100, nil].map { |value| found(value) }
class Symbol
  def ===(other) = self == :y ? true : super
end
p [1, 4, :x, 12].map { |value| found(value) }
