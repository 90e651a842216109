# A block with keyword parameters takes an Array apart, but not where keywords are passed, be they none.
def empty(x) = yield(x, **{})
def passed(x, h) = yield(x, **h)
def plain(x) = yield(x)
empty([]) { |v, **| p v }
empty([1, 2]) { |v, **k| p v, k }
empty([1, 2]) { |v, k: 1| p v, k }
empty([1, 2]) { |v, w| p v, w }
empty([1, 2]) { |v| p v }
empty(1) { |*v| p v }
passed([1, 2], {}) { |v, **k| p v, k }
passed([1, 2], { a: 1 }) { |v, **k| p v, k }
passed([1, 2], {}) { |v, w| p v, w }
plain([]) { |v, **| p v }
plain([1, 2]) { |v, **k| p v, k }
plain([1, 2]) { |v, k: 1| p v, k }
[[1, 2]].each { |v, **k| p v, k }
