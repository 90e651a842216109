# Which blocks take a single Array apart, and what the error of a case/in with several patterns says.
p [[1, 2]].each { |a = 5, *r| p [a, r] }
p [[1, 2]].map { |a = 5| a }, [[1, 2]].map { |a = 5, b = 6| [a, b] }, [[1, 2, 3]].map { |a = 5, b = 6, *c| [a, b, c] }
p [[1, 2]].map { |*r| r }, [[1, 2]].map { |*r, a| [r, a] }, [[1, 2]].map { |a = 1, b| [a, b] }, [[1, 2]].map { |a, k: 1| a }, [[1, 2]].map { |a, **k| a }
p [[1, 2]].map { |a = 1, k: 2| a }, [[1, 2]].map { |a = 1, *| a }, [[1, 2]].map { |a = 1, b = 2, k: 3| [a, b] }, [[1, 2]].map { |a, | a }
p({ a: 1 }.map { |a = 5, *r| [a, r] }, { a: 1 }.map { |a = 5, k: 1| a }, { a: 1 }.each_with_index.map { |a = 1, *b| [a, b] })
def y = yield([1, [2, 3]])
p y { |a = 1, *r| [a, r] }, y { |a = 1, (b, c)| [a, b, c] }, y { |(a, b)| [a, b] }, y { |a = 1, **k| [a, k] }
p proc { |a = 5, *r| [a, r] }.arity, proc { |a = 5, *r| [a, r] }.lambda?, lambda(&proc { |a = 5, *r| [a, r] }).call([1, 2])
p [[1, 2]].each_with_object([]) { |a = 5, *r| p [a, r] }
p [[1, 2]].inject(0) { |a = 5, *r| p [a, r]; 1 }
def y3(e) = yield(*e)
p y3([[1, 2]]) { |o = 1, *r, k: 1| [o, r] }, y3([[1, 2]]) { |o = 1, k: 1| [o] }, y3([[1, 2]]) { |o = 1, q = 3, k: 1| [o, q] }
p proc { |o0 = 10, *r, k0: 20| [o0, r] }.call([1, 2]), proc { |o0 = 10, *r| [o0, r] }.call([1, 2], *[])
[:s, nil, "str", [1, "a"], { a: 1 }].each do |value|
  case value
  in 1 then 1
  in { b: } then 2
  end
rescue NoMatchingPatternError
  p $!, $!.message, $!.full_message(highlight: false, order: :top).lines.first
end
