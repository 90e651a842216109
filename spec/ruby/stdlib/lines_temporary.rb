require_relative "fixtures/lines"
require "find"; require "tmpdir"; require "tempfile"; require "fileutils"; require "pp"
Dir.chdir(PLACE = Dir.mktmpdir); at_exit { Dir.chdir("/"); FileUtils.rm_rf(PLACE) }
FileUtils.mkdir_p(%w[a/b a/.h c]); File.write("a/f", "1"); File.write("a/b/g", "2"); File.write("c/h", "33"); File.symlink("../c", "a/l")
each_line_of(<<'CODE')
Find.find("a").sort
Find.find("a", "c").to_a.size
Find.find("a") { |f| Find.prune if f == "a/b" }
r = []; Find.find("a") { |f| Find.prune if File.basename(f) == "b"; r << f }; r.sort
Find.find("nope").to_a
Find.find("nope") { }
Find.find
Find.find("a").class
Find.find("a", ignore_error: false).to_a.sort
Find.find("c/h").to_a
Find.find(Pathname("c")).to_a rescue Find.find("c").to_a
Find.prune
Dir.tmpdir.class
Dir.mktmpdir.start_with?(Dir.tmpdir)
Dir.mktmpdir { |d| [File.directory?(d), File.stat(d).mode.to_s(8), File.basename(d).match?(/\Ad\d{8}-\d+-\w+\z/)] }
Dir.mktmpdir("pre") { |d| File.basename(d).start_with?("pre") }
Dir.mktmpdir(["pre", ".suf"]) { |d| File.basename(d).match?(/\Apre.*\.suf\z/) }
Dir.mktmpdir(nil) { |d| File.basename(d)[0] }
Dir.mktmpdir("p", "c") { |d| d.start_with?("c/p") }
Dir.mktmpdir("a/b") { |d| d.include?("ab") }
Dir.mktmpdir(3)
d = nil; Dir.mktmpdir { |x| d = x; File.write(x + "/q", "") }; File.exist?(d)
Dir.mktmpdir { 7 }
ENV["TMPDIR"] = "/nonexistent"; Dir.tmpdir
ENV.delete("TMPDIR"); Dir.tmpdir
Dir::Tmpname.create("x") { |p| p }.match?(%r{/x\d{8}-\d+-\w+})
Dir::Tmpname.create(["x", ".y"]) { |p, n, opts| [p, n] }.end_with?(".y")
Dir::Tmpname.tmpdir == Dir.tmpdir
($t = Tempfile.new("foo")).class
$t.class
File.basename($t.path).match?(/\Afoo\d{8}-\d+-\w+\z/)
$t.path == $t.to_path
$t.write("hello\n")
$t.size
$t.rewind
$t.read
$t.puts "x"
File.stat($t.path).mode.to_s(8)
$t.inspect.sub(/:.*?(?= \(|>)/, ":P")
$t.close
$t.closed?
$t.inspect.sub(/:.*?(?= \(|>)/, ":P")
$t.size
$t.read
$t.close(true)
$t.path
$t.read
Tempfile.new(["a", ".txt"]).path.end_with?(".txt")
Tempfile.new.path.class
Tempfile.new("x", "c").path.start_with?("c/")
Tempfile.new("x", mode: File::APPEND).tap { |f| f.write("q") }.size
Tempfile.new("x", encoding: "ascii-8bit").external_encoding
Tempfile.open("y") { |f| f.write("z"); f.path.class }
p = nil; Tempfile.open("y") { |f| p = f.path }; File.exist?(p)
Tempfile.open("y").class
Tempfile.create("z") { |f| [f.class, File.basename(f.path)[0]] }
f = Tempfile.create("z"); [f.class, f.path.class, File.unlink(f.path)]
p = nil; Tempfile.create { |f| p = f.path; 5 }
File.exist?(p)
Tempfile.create(["a", ".b"]) { |f| f.path[-2..] }
Tempfile.create("x", "c") { |f| f.path[0, 3] }
t = Tempfile.new("u"); t.unlink; [t.path, t.closed?]
t = Tempfile.new("u"); t.delete; t.write("x")
t = Tempfile.new("u"); t.close!; t.closed?
t = Tempfile.new("u"); t.print("a", "b"); t.fsync; t.pos
t = Tempfile.new("u"); t << "x" << 1; t.rewind; t.gets
t = Tempfile.new("u"); t.respond_to?(:each_line)
t = Tempfile.new("u"); t.chmod(0644); t.stat.mode.to_s(8)
t = Tempfile.new("u"); FileUtils.mv(t.path, "moved"); t.unlink
t = Tempfile.new("u"); File.read(t)
t = Tempfile.new("u"); t.write("a\nb\n"); t.rewind; t.each_line.to_a
t = Tempfile.new("u"); t.puts("q"); t.close; IO.readlines(t.path)
Tempfile.new(5)
Tempfile.new("a/b").path.include?("ab")
pp({ a: 1 })
pp 1, 2
pp
pp [1, [2]]
PP.pp({ a: "x" * 50, b: "y" * 50 }, +"")
PP.pp((1..40).to_a, +"", 40)
PP.singleline_pp([1, { a: 2 }], +"")
[1, 2].pretty_inspect
Struct.new(:a, :b).new(1, 2).pretty_inspect
S9 = Struct.new(:a, :b); S9.new("x" * 60, "y" * 60).pretty_inspect
class O9; def initialize; @a = 1; @b = "z"; end; end
O9.new.pretty_inspect.gsub(/0x\h+/, "0x")
class O9; def inspect = "custom"; end
O9.new.pretty_inspect
class O8; def initialize; @a = "x" * 50; @b = "y" * 50; end; end
O8.new.pretty_inspect.gsub(/0x\h+/, "0x")
class O7; def pretty_print(q) = q.group(1, "<", ">") { q.text "a"; q.breakable; q.pp [1]; q.comma_breakable; q.text "b" }; end
O7.new.pretty_inspect
a = [1]; a << a; a.pretty_inspect
h = {}; h[:s] = h; h.pretty_inspect
(1..3).pretty_inspect
{ 1 => { 2 => { 3 => "x" * 70 } } }.pretty_inspect
["a" * 30, "b" * 30, "c" * 30].pretty_inspect
nil.pretty_inspect
Object.pretty_inspect
/x/.pretty_inspect
"multi\nline".pretty_inspect
ENV.pretty_inspect.class
Data rescue "no Data"
PP.width_for($stdout).class rescue $!.class
PrettyPrint.format(+"", 10) { |q| q.text "hello"; q.breakable; q.text "world" }
PrettyPrint.format(+"", 20) { |q| q.group(2, "(", ")") { q.text "a"; q.breakable; q.text "b" } }
PrettyPrint.singleline_format(+"") { |q| q.group(2, "(", ")") { q.text "a"; q.breakable; q.text "b" } }
PrettyPrint.format(+"", 5) { |q| q.text "abc"; q.fill_breakable; q.text "def"; q.nest(2) { q.breakable; q.text "x" } }
CODE
