root = File.expand_path("rchef-spec-#{$$}", ENV["TMPDIR"] || "/var/tmp")
Dir.mkdir(root)
at_exit { Dir.glob(root + "/**/*", File::FNM_DOTMATCH).sort.reverse.each { |x| next if x.end_with?("/."); File.directory?(x) && !File.symlink?(x) ? Dir.rmdir(x) : File.delete(x) }; Dir.rmdir(root) }
Dir.chdir(root)
p File.write("a", "one\ntwo\r\n\n\nthree")
p File.read("a"), File.read("a", 3), File.read("a", 3, 4), File.size("a"), File.zero?("a")
p IO.readlines("a"), IO.readlines("a", chomp: true), IO.readlines("a", ""), IO.readlines("a", nil), IO.readlines("a", 4), IO.readlines("a", "o")
File.open("a") do |f|
  p f.gets, f.lineno, $., f.pos, f.getc, f.ungetc("X"), f.read(3), f.readchar, f.readbyte, f.eof?
  f.rewind
  p f.readline(chomp: true), f.each_line.to_a.size, f.gets, f.eof?
  begin; f.readline; rescue EOFError => e; p e.message; end
  f.seek(-5, IO::SEEK_END); p f.read
  f.pos = 2; p f.readpartial(100).size
  begin; f.write "x"; rescue IOError => e; p e.message; end
end
File.open("b", "w+") { |f| f << "a" << 1; f.print "b", "c"; f.puts [1, [2]], nil; f.printf("%03d", 7); f.putc "xyz"; f.putc 65; p f.pos; f.rewind; p f.read; f.truncate(3); p f.size }
p File.read("b")
File.open("b", "a") { |f| f.write("x", "y"); p f.path }
p File.read("b"), IO.binread("b").encoding, File.read("b").encoding, File.binwrite("b", "\xff"), File.read("b").valid_encoding?
File.write("b", "ZZ", 0); p File.binread("b")
p File.open("b", "r", &:closed?), File.open("b").close
f = File.open("b"); f.close
begin; f.read; rescue IOError => e; p e.message; end
p f.inspect.sub(root, ""), f.closed?
File.chmod(0640, "a"); s = File.stat("a"); p s.mode.to_s(8), s.file?, s.directory?, s.size, s.ftype, s.symlink?
File.symlink("a", "l"); p File.symlink?("l"), File.readlink("l"), File.lstat("l").symlink?, File.realpath("l") == File.realpath("a"), File.ftype("l")
File.link("a", "h"); p File.identical?("a", "h"), File.stat("a").nlink
File.utime(0, 1, "a"); p File.mtime("a").to_i, File.atime("a").to_i
File.rename("h", "i"); p File.exist?("h"), File.exist?("i")
%w[d d/e d/.h].each { |x| Dir.mkdir(x) }
%w[d/x.rb d/e/y.rb d/e/z.txt d/.h/q.rb d/.dot.rb].each { |x| File.write(x, "") }
p Dir["*"], Dir["**/*.rb"], Dir["d/**/"], Dir.glob("d/*", File::FNM_DOTMATCH), Dir.glob("**/*.rb", File::FNM_DOTMATCH), Dir["d/{x,e/y}.rb"], Dir["d/[xy].rb", "d/e/?.txt"], Dir.glob("*.rb", base: "d"), Dir.glob("**/*.rb", base: "d"), Dir["nope*"], Dir.glob("d/*/"), Dir["d/**/*"], Dir["**"], Dir["d/**"], Dir["./d/*.rb"], Dir["d/../d/x*"], Dir["D/*"], Dir.glob("D/*", File::FNM_CASEFOLD)
p Dir.entries("d").sort, Dir.children("d").sort, Dir.each_child("d").to_a.sort, Dir.exist?("d"), Dir.empty?("d/.h"), Dir.new("d").each.to_a.size
Dir.chdir("d") { |x| p x, File.basename(Dir.pwd) }
p File.basename(Dir.pwd) == File.basename(root)
File.open("t", "w") { |x| x.flock(File::LOCK_EX); x.sync = true; x.write "q"; p File.read("t"), x.fsync, x.fileno > 2, x.tty?, x.sync }
r, w = IO.pipe
w.puts "hello"; w.close
p r.read, r.eof?, r.close
p IO.copy_stream("a", "c"), File.read("c") == File.read("a")
open("c") { |x| p x.class, x.gets }
p File.new("c").each_char.first(3), File.foreach("a").map(&:size), File.open("a", "rb", &:read).encoding, File.open("a", "r:iso-8859-1", &:read).encoding
p IO.select([File.open("a")], nil, nil, 0).map(&:size)
p File.umask.class, File.world_readable?("a"), File.executable?("a"), File.readable?("a"), test(?e, "a"), File.absolute_path("a") == Dir.pwd + "/a"
p $stdout.fileno, $stdin.class, STDERR.sync, $stdout.tty?
$stdout.write("a", 1, :b, "\n")
$stdout << "x" << 2 << "\n"
begin; $stdout = 1; rescue TypeError => e; p e.message; end
o = Object.new; def o.write(*x); STDOUT.write("<", *x, ">"); end
$stdout = o
print "a", "b"; p 1; $stdout = STDOUT
puts
File.mkfifo("ff"); p File.pipe?("ff")
