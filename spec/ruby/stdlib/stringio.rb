require "stringio"
def t; yield; rescue Exception => e; e; end
io=StringIO.new("abc".dup); p io.truncate(1), io.string, io.truncate(3), io.string; i=StringIO.new("x".dup); p i.ungetc("ab"), i.string, i.pos
p t{io.seek(-1)}, t{io.seek(1,9)}, t{io.pos=-1}, t{io.truncate(-1)}, t{io.read(-1)}, t{io.each_line(0){}}, t{io.readlines(0)}, io.gets(0), t{io.fcntl},  t{io.each_line(nil,1).to_a}, t{io.gets(1,2,3)}; io.close_read; p(t{io.close_read}, t{io.read}, t{io.eof?}); io.close; io.close; p(t{io.seek(0)},(io.pos),t{io.readline}); p t{StringIO.new.readline}, StringIO.new.read(0), StringIO.new.read(1), t{StringIO.new("a",:x)}; p t{StringIO.new("a","q")}, t{StringIO.new(nil)}
p t{StringIO.allocate.read}, t{StringIO.allocate.string}
io=StringIO.new("a\n\n\nb\n"); p io.gets(""), io.gets(""), io.pos, io.lineno, $_
io=StringIO.new("é".dup); io.binmode; p io.read.encoding, io.external_encoding, io.string.encoding;
x=StringIO.new("abc".dup); y=x.dup; x.read(1); p y.pos; p (x<<3).equal?(x), x.string; p x.print("a","b"), x.printf("%d",3), x.puts([1,[nil]]), x.string
x=StringIO.new; p x.putc("éa"), x.putc(300), x.string, x.write("a",:b,1), x.string, x.pos; x.pos=20; x.write("z"); p x.string
p x.eof?, x.rewind, x.each_char.first(2), x.each_byte.first(1), x.getc, x.getbyte, x.readchar, x.readbyte, x.each_line.to_a, t{x.readchar}, t{x.readbyte}
x=StringIO.new("a\r\nb\r\nc"); p x.gets(chomp:true), x.gets("\r\n"), x.gets(nil), x.gets; x.rewind; p x.readlines, x.lineno; x.rewind; p x.readlines(chomp: true); x.rewind; p x.each_line("b").to_a,x.tell
x.rewind; p x.gets(2), x.gets("\n",1), x.lineno; x.lineno=7; x.gets; p x.lineno
p x.sync, (x.sync=true), x.fsync, x.flush.equal?(x), x.fileno, x.tty?, x.isatty, x.pid, x.size, x.length, x.closed?, x.closed_read?, x.closed_write?
x=StringIO.new("ro".freeze); p t{x.write("a")}, x.read
x=StringIO.new("abc".dup,"a"); x.write("d"); p x.string; x=StringIO.new("abc".dup,"w"); p x.string, t{x.read}; x=StringIO.new("abc".dup,"r+"); x.write("Z"); p x.string
x=StringIO.new("abc"); b=+"zzz"; p x.read(2,b), b, x.read(5,b), x.read(1,b), b, x.read, x.read(nil,b)
x=StringIO.new("abcdef"); p x.sysread(2), x.readpartial(2), x.read_nonblock(9), t{x.sysread(1)}, t{x.readpartial(1)}, x.read_nonblock(1, exception: false), x.sysread(0)
x=StringIO.new("abc".dup); x.getc; x.ungetc("z"); p x.string, x.pos; x.ungetbyte(65); p x.string, x.pos, x.ungetc(nil); x.pos=9; x.ungetc("k"); p x.string, x.pos
x=StringIO.new("é\xffz"); p x.each_char.to_a, x.string.encoding; x.rewind; p t{x.each_codepoint.to_a}
x=StringIO.new("héllo"); p x.gets(2), x.gets(1), x.read(1).encoding
x=StringIO.new("abc"); x.set_encoding("ascii-8bit"); p x.read.encoding, x.external_encoding, x.internal_encoding; x.set_encoding(nil); p x.external_encoding
x=StringIO.new("\ufeffabc"); p x.set_encoding_by_bom, x.read
x=StringIO.new("abc"); y=StringIO.new; y.reopen(x); p y.read, x.read
p StringIO.new("a\nb\n").each_with_index.to_a, StringIO.new("x").each_codepoint.to_a,  StringIO.new("a b").each(" ").to_a
x=StringIO.new(+""); x.write("é".encode("iso-8859-1")); p x.string; $stdout=x; puts "hey"; print 1; $stdout=STDOUT; p x.string
x=StringIO.new(+"abc"); x.seek(1); x.seek(1,1); p x.pos; x.seek(-1,2); p x.pos, x.syswrite("QQ"), x.string, x.write_nonblock("k")
x.close; p t{x.write "a"}, t{x.gets}, t{x.puts}, x.closed?, t{x.string}, t{x.size}
x=StringIO.new("a"); def x.write(*a); p a; super; end; x.puts "b", "c\n"; x.print "d"; x << "e"
p StringIO.new.external_encoding, StringIO.new("a".b).read.encoding
class Sub < StringIO; def initialize(a); super(a*2); end; end; p Sub.new("ab").read, Sub.open("q"){|z| z.class}
p StringIO.ancestors.take(4)
