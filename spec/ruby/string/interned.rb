# Frozen literals and what -string gives are one object for each text.
a = "abc".freeze
p a.equal?("abc".freeze), "abc".equal?("abc"), "abc".freeze.frozen?, "a#{1}".freeze.frozen?
dynamic = %w[a b c].join
p (-dynamic).equal?(a), (-dynamic.dup.freeze).equal?(a), (-"abc".b).equal?(a), dynamic.equal?(-dynamic)
p ("abc".freeze.singleton_class rescue $!.message), (-"abc").upcase
p [-> {}, proc {}, :a.to_proc, method(:p).to_proc].map { |x| [x.to_s.encoding, x.to_s.sub(/0x\h+/, "0x")] }.map { |e, s| [e, s[/0x.*/].sub(/ \S+:\d+/, " place")] }
%w[$-0 $/ $, $;].each { |name| begin; eval("#{name} = 1"); rescue TypeError => e; p e.message; end }
$-0 = "x"
p $/, $-0
$/ = "\n"
[[1, nil], [1, "a"], [3, Object]].each { |from, to| p((from.upto(to).size rescue $!.message)) }
def t = (p yield rescue p $!)
wide = "a".encode("UTF-16LE")
t { Regexp.union(wide, "b".encode("UTF-16BE")) }
t { Regexp.union(wide, "b") }
t { Regexp.union(/b/, Regexp.new(wide)) }
t { Regexp.union(Regexp.new(wide), Regexp.new("\u00A9".encode("ISO-8859-1"))) }
t { Regexp.new(wide).encoding }
