# Reading and writing as IO has them, of an object with `sysread` and `syswrite`.
require "openssl"
class S; def initialize(i); @in=i; @io=$stdout; @out=+""; super(); end; attr_reader :out
def sysread(n,b=nil); raise EOFError if @in.empty?; r=@in.slice!(0,[n,7].min); b ? b.replace(r) : r; end
def syswrite(s); @out << s[0,5]; [s.size,5].min; end
def sysclose; @closed=true; end
include OpenSSL::Buffering; end
s=S.new(+"hello\nworld\nthis is\nend")
p s.gets, s.read(3), s.gets, s.readpartial(100), s.getc, s.ungetc("x"), s.eof?, s.readlines, s.eof?, s.gets, s.read, s.read(1)
begin; s.readline; rescue EOFError; p :eof; end
s.sync=false; s.write("abc","def"); s << "g"; p s.out; s.flush; p s.out; s.puts "a", ["b\n"]; s.print 1,2; s.printf("%d",3); s.close; p s.out
s=S.new(+"a\nb\n"); p s.gets, s.each_byte{|b| p b}
