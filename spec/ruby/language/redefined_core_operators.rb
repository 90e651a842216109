# Operators of core classes that are redefined or removed, at call sites that have been used before.
def equal(a, b) = a == b
def negated(a) = !a
def sum(a, b) = a + b
def step(x) = (x += 1)
def first(list) = list[0]
2.times { equal(nil, 1); negated('s'); negated([]); negated(nil); sum(3, 5); step(1); first([7]) }

class NilClass
  def ==(_) = :equal
end
p equal(nil, 1)

class String
  def ! = :string
end
class Array
  def ! = :array
end
class NilClass
  def ! = :nil
end
class Proc
  def ! = :proc
end
p negated('s'), negated([]), negated(nil), negated(-> {}), negated(1)
p(!nil, !'x')

class Array
  alias plain []
  def [](index) = [:at, plain(index)]
end
p first([7])

class Integer
  alias plus +
  remove_method :+
end
begin
  sum(3, 5)
rescue NoMethodError => e
  p e.class, e.name
end
begin
  step(1)
rescue NoMethodError => e
  p e.class, e.name
end
