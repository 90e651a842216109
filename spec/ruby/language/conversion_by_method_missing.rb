class A
  def method_missing(n, *a)
    raise NoMethodError, "undefined method `#{n}' for X"
  end
  def to_s = "A!"
end
puts A.new
class B
  def method_missing(n, *a)
    raise NoMethodError.new("undefined method `#{n}' for X", n, a)
  end
  def to_s = "B!"
end
puts B.new
