# coding: US-ASCII
class Foo; end
class Bar; def inspect; "x"; end; end
p "#{Foo}".encoding, "<#{Foo}>".encoding, "a#{nil}".encoding, "a#{Foo.new}".encoding, "<#{12.5}#{:a}>".encoding, "<#{[1]}>".encoding, "<#{1..2}>".encoding, "#{true}".encoding, "#{2r}".encoding, "<#{Class.new}>".encoding, "#{:a}".encoding, "<#{[1].inspect}>".encoding, "<#{({a: 1})}>".encoding, "<#{Time.at(0)}".encoding, "<#{RuntimeError.new("x")}".encoding, "<#{Comparable}".encoding
