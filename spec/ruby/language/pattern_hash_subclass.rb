# A Hash of a class of its own is asked for keys by its methods.
class Loose < Hash
  def key?(key) = super(key.to_s)
  def [](key) = super(key.to_s)
  def delete(key) = super(key.to_s)
end

def loose(**pairs) = pairs.each_with_object(Loose.new) { |(key, value), made| made.store(key.to_s, value) }

case loose(a: 1, b: 2)
in { a: Integer => one } then p one
end
case { inner: loose(a: 1) }
in { inner: { b: _ } } then p :b
in { inner: { a: } } then p a
end
case loose(a: 1, b: 2)
in { a: 1, **nil } then p :none
in { a: 1, **rest } then p rest, rest.class
end
case loose(a: 1)
in { a: 1, **nil } then p :exactly
end
case loose(a: 1)
in { c: } then p c
else p :no
end
class Plain < Hash; end
case Plain[a: 1, b: 2]
in { a:, **rest } then p a, rest, rest.class
end
