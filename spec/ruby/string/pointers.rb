# `p` and `P` of pack: a packed String reads its own pointers back, and so does a copy of it.
def t
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end
s="hel\0lo"
t{ [s].pack("P").unpack("P10") }
t{ [s].pack("p").unpack("p") }
t{ [s].pack("P").unpack("P4") }
t{ [s].pack("P").unpack("p") }
t{ ["hello"].pack("P").unpack("p") }
t{ ["hello"].pack("P10") }
t{ ["hello"].pack("P*").size }
t{ ["hello","ab"].pack("p*").unpack("p*") }
t{ ["hello","ab"].pack("p2").unpack("p3") }
t{ ["hello","ab"].pack("pP").unpack("P2P") }
t{ ["hello",nil].pack("p*").unpack("p*") }
t{ [nil].pack("P").unpack("P") }
t{ [1].pack("p") }
t{ [1].pack("P") }
t{ [].pack("p") }
t{ "abc".unpack("p") }
t{ "abc".unpack("P") }
t{ "abcdefgh".unpack("P") }
t{ "abcdefgh".unpack("p") }
t{ x=["hello"].pack("p"); y=["other"].pack("p"); (x+y).unpack("pp") }
t{ x=["hello"].pack("p"); x << "a"; x.unpack("p") }
t{ x="hello"; y=[x].pack("P").unpack("P5")[0]; [x.equal?(y), y.encoding,y.frozen?] }
t{ x="hello"; y=[x].pack("P").unpack("P3")[0]; [x.equal?(y), y.encoding] }
t{ x="hello"; y=[x].pack("P").unpack1("P5"); [x.equal?(y), y] }
t{ x="hello"; y=[x].pack("p").unpack("p")[0]; [x.equal?(y), y] }
t{ b=+"zz"; [ "hello"].pack("p", buffer: b); b.unpack("x2p") }
t{ [ "hello"].pack("p").encoding }
t{ x=["hello"].pack("p"); x[0,8].unpack("p") }
t{ x=["hello"].pack("p"); x.clone.unpack("p") }
t{ x=["hello"].pack("p"); String.new(x).unpack("p") }
t{ x=["hello"].pack("p"); "".dup.replace(x).unpack("p") }
t{ x=["hello"].pack("p"); Marshal.load(Marshal.dump(x)).unpack("p") }
t{ ["hello"].pack("P0").unpack("P0") }
t{ ["hello"].pack("P").unpack("P*") }
t{ ["hello", 7].pack("PC").unpack("P5C") }
t{ ["hello"].pack("p<") }
