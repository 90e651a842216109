# `==`, `!=` and `when` with a String literal: the literal is not made where the other side is a String, and the answers are those of the methods.
class Sub < String
  def ==(_other) = :sub
end
p Sub.new("a") == "a", Sub.new("a") != "b"
p "a" != "b", "a" != "a", "é" == "é".b, "é".b == "é", "a".encode("UTF-16LE") == "a", "".b == "", "".encode("UTF-16LE") == ""
p :a == "a", nil != "x", 3 != "a", nil == "x"

def kind(subject)
  case subject
  when "a", "b" then 1
  when nil then 2
  when "c" then 3
  else 4
  end
end
converted = Object.new
def converted.to_str = "a"
def converted.==(_other) = true
p [Sub.new("a"), "b", "c", "d", nil, :a, 1, 1.5, [], converted, "a".encode("UTF-16LE")].map { |subject| kind(subject) }

def failing = raise("first")
begin
  failing == "a"
rescue => e
  p e.message
end

class String
  def ==(_other) = :redefined
  def ===(_other) = true
end
p "a" == "b", kind("z")
