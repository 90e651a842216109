# The marks of $SAFE, which do nothing; and numbers that are not equal to themselves, in collections.
x = "a"
p x.taint.equal?(x), x.tainted?, x.untaint.equal?(x), x.trust.equal?(x), x.untrust.equal?(x), x.untrusted?
n = Float::NAN
p [n] == [n], { a: n } == { a: n }, [n].include?(n), [n].index(n), [n].count(n), [1, n].delete(n).equal?(n), Struct.new(:a).new(n) == Struct.new(:a).new(n), n == n, [n, n].uniq.size, { a: n }.value?(n), { a: n }.key(n), [n].each_entry.include?(n)
