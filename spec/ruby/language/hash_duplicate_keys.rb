# A literal key that comes again keeps its last place; the values of the others are evaluated.
$VERBOSE = nil
def t(x) = (print x, " "; x)
p({a: t(1), b: t(2), a: t(3)})
p({a: 1, b: 2, a: 3, c: 4, b: 5})
p({a: t(1), b: t(2), c: t(3), b: t(4), a: t(5)})
p({a: t(1), b: t(2), a: t(3), b: t(4)})
p({a: t(1), a: t(2), a: t(3)})
p({"x" => 1, "y" => 2, "x" => 3, "z" => 5})
p({1 => 1, 2 => 2, 1 => 3, 1.0 => 4, 1.5 => 5, 2 => 6, 1.5 => 7})
x = :a
p({x => 1, b: 2, a: 3})
h = {z: 0}
p({a: 1, b: 0, a: 2, **h, c: 2, z: 5})
p({nil => 1, 2 => 2, nil => 3, true => 4, true => 5})
def kw(*args, **keywords) = p(args, keywords)
kw(a: t(1), b: 2, a: 3)
kw(1, b: t(1), "s" => t(2), a: 4, b: t(3))
p [a: 1, b: 2, a: 3]
