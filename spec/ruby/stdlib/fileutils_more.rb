$n = 0
def t(*_)
  $n += 1
  r = yield
  puts "#{$n}: #{r.is_a?(String) ? r.dump + " " + r.encoding.to_s : r.inspect}"
rescue Exception => e
  puts "#{$n}: !#{e.class}: #{e.message.to_s.lines.first.to_s.chomp.gsub(/0x\h+/, "0x")}"
end
require 'fileutils'; require 'tmpdir'; require 'tempfile'; require 'pathname'; require 'find'; require 'stringio'
D = Dir.mktmpdir("fu"); Dir.chdir(D)
def out; o=$stderr; $stderr=StringIO.new; r=yield; [r.is_a?(Array)||r.nil?||r==true||r==false||r.is_a?(Integer)||r.is_a?(String) ? r : r.class, $stderr.string]; ensure $stderr=o; end
def tree = Dir.glob("**/*", File::FNM_DOTMATCH).reject { |x| x =~ /(^|\/)\.$/ }.sort.map { |f| [f, File.lstat(f).ftype[0], "%o" % (File.lstat(f).mode & 07777)] }
F = FileUtils
[->{F.mkdir("a")}, ->{F.mkdir("a")}, ->{F.mkdir(%w(b c), mode: 0700)}, ->{F.mkdir_p("x/y/z", mode: 0711)}, ->{F.mkdir_p("x/y")}, ->{F.touch("f1")}, ->{F.touch(%w(f2 f3), mtime: Time.at(0))}, ->{F.touch("nf", nocreate: true)}, ->{F.cp("f1","f4")}, ->{F.cp("nope","q")}, ->{F.cp("f1","a")}, ->{F.cp(%w(f1 f2),"a")}, ->{F.cp(%w(f1 f2),"nodir")}, ->{F.cp("a","b")}, ->{F.cp_r("a","a2")}, ->{F.cp_r("a","b")}, ->{F.cp_r("a/.","c")}, ->{F.mv("f4","f5")}, ->{F.mv("f5","a")}, ->{F.mv("nope","x")}, ->{F.mv(%w(f2 f3),"x")}, ->{F.ln("f1","l1")}, ->{F.ln("f1","l1")}, ->{F.ln("f1","l1", force: true)}, ->{F.ln_s("f1","s1")}, ->{F.ln_s("f1","s1")}, ->{F.ln_sf("f1","s1")}, ->{F.ln_s("f1","a")}, ->{F.ln_s("f1","s1", force: true)}, ->{F.rm("f1")}, ->{F.rm("f1")}, ->{F.rm("f1", force: true)}, ->{F.rm_f("f1")}, ->{F.rm("a")}, ->{F.rmdir("a")}, ->{F.rmdir("x/y/z", parents: true)}, ->{F.rm_r("a2")}, ->{F.rm_r("nope")}, ->{F.rm_rf("nope")}, ->{F.rm_rf("b")}, ->{F.install("l1","inst", mode: 0755)}, ->{F.install("l1","inst2", mode: "u=rw,g=r")}, ->{F.install("nope","inst3")}, ->{F.install("l1","a", preserve: true)}, ->{F.chmod(0600,"l1")}, ->{F.chmod("u+x,g=r","l1")}, ->{F.chmod("a+X","l1")}, ->{F.chmod("+w","l1")}, ->{F.chmod("bogus","l1")}, ->{F.chmod("u=rwx,go-rwx",%w(l1 a))}, ->{F.chmod_R(0750,"a")}, ->{F.chmod_R("u=rwX,g=rX,o=","a")}, ->{F.chmod(0600,"nope")}, ->{F.chown(nil,nil,"l1")}, ->{F.chown("nosuchuser",nil,"l1")}, ->{F.chown(Process.uid,Process.gid.to_s,"l1")}, ->{F.chown_R(nil,nil,"a")}, ->{F.compare_file("l1","inst")}, ->{F.cmp("l1","a/f1")}, ->{F.identical?("l1","nope")}, ->{F.uptodate?("l1",%w(nope))}, ->{F.uptodate?("nope",%w(l1))}, ->{F.pwd == Dir.pwd}, ->{F.cd("a"){|x| x}}, ->{F.chdir("a"){Dir.pwd.end_with?("/a")}}, ->{F.cd("nope")}, ->{F.copy_file("l1","cf")}, ->{F.copy_entry("a","ce")}, ->{F.copy_stream(StringIO.new("x"), s=StringIO.new); s.string}, ->{F.remove_file("cf")}, ->{F.remove_file("cf")}, ->{F.remove_file("cf",true)}, ->{F.remove_dir("ce"); 1}, ->{F.remove_entry("nope")}, ->{F.remove_entry_secure("c")}, ->{F.remove("inst2")}, ->{F.rmtree("x")}, ->{F.move("inst","moved")}, ->{F.copy("moved","copied")}, ->{F.makedirs("mk/d")}, ->{F.mkpath("mk/e")}, ->{F.safe_unlink("copied")}, ->{F.symlink("moved","sy")}, ->{F.link("moved","li")}, ->{F.cp_lr("mk","mk2"); 1 }, ->{F.cp("moved","moved")}, ->{F.mv("moved","moved")}, ->{F.cp("moved","cp2", preserve: true); 1}, ->{F.cp_r("mk","mk3", remove_destination: true)}].each_with_index { |l,i| t { out(&l) }; t { tree } }
%i(cp mv ln ln_s rm rm_r rm_rf mkdir mkdir_p rmdir touch chmod chmod_R chown chown_R install cp_r ln_sf rm_f cd copy move remove).each { |m|
 a = { chmod: [0644,"v1"], chmod_R: ["u+x","v1"], chown: ["root","root","v1"], chown_R: [nil,"x","v1"], rm: ["v1"], rm_r: [%w(v1 v2)], rm_rf: ["v1"], mkdir: [%w(v1 v2)], mkdir_p: ["v1"], rmdir: ["v1"], touch: [%w(v1 v2)], rm_f: ["v1"], cd: ["."], remove: ["v1"] }[m] || ["v1","v2"]
 t { out { F.send(m, *a, noop: true, verbose: true) } }
 t { out { F.send(m, *a, noop: true) } }
 t { F.send(m, *a, bogus: true) }
}
t { out { F.mkdir("w1", mode: 0755, verbose: true) } }; t { out { F.mkdir_p("w2/x", mode: 0700, verbose: true) } }; t { out { F.install("moved","w3", mode: 0755, owner: Process.uid, group: Process.gid, preserve: true, verbose: true) } }; t { out { F.cp("moved","w4", preserve: true, verbose: true); 1 } }; t { out { F.cp_r("w2","w5", preserve: true, remove_destination: true, verbose: true); 1 } }; t { out { F.touch("w6", nocreate: true, verbose: true) } }; t { out { F.touch("w6", mtime: Time.utc(2020), verbose: true) } }; t { out { F.ln_s("moved","w7", force: true, verbose: true) } }; t { out { F.rm("w4", force: true, verbose: true) } }; t { out { F.rmdir("w1", parents: true, verbose: true) } }; t { out { F.chmod("u+x","moved", verbose: true) } } ; t { out { F.rm_r("w5", secure: true, verbose: true) } }; t { out { F.mv("w3","w8", force: true, verbose: true) } }
t { F::DryRun.mkdir("zz") rescue $!.class }; t { out { F::Verbose.mkdir("zz1") } }; t { out { F::NoWrite.mkdir("zz2") } }; t { out { F::DryRun.rm_rf("zz1") } }
t { F.commands.sort }; t { F.options.sort }; t { F.have_option?(:cp, :noop) }; t { F.options_of(:rm).sort }; t { F.collect_method(:preserve).sort }
include FileUtils
t { out { touch "incl"; rm "incl" } }
pn = Pathname.new("mk")
[->{pn.mkpath}, ->{pn.children.map(&:to_s).sort}, ->{(pn+"d").exist?}, ->{pn.join("a","../b").to_s}, ->{pn.relative_path_from(Pathname("x/y")).to_s}, ->{pn.mountpoint?}, ->{Pathname("/").mountpoint?}, ->{Pathname("/proc").mountpoint?}, ->{pn.rmtree.class}, ->{pn.exist?}, ->{Pathname("q/w").mkpath; Pathname("q").find.map(&:to_s)}, ->{Pathname("q/f").write("hi\n")}, ->{Pathname("q/f").read}, ->{Pathname("q/f").readlines}, ->{Pathname("q/f").each_line.to_a}, ->{Pathname("q/f").binread}, ->{Pathname("q/f").size}, ->{Pathname("q/f").delete}, ->{Pathname("q").entries.map(&:to_s).sort}, ->{Pathname("q").each_child.map(&:to_s)}, ->{Pathname("q").each_entry.map(&:to_s).sort}, ->{Pathname("a//b/../c/.").cleanpath.to_s}, ->{Pathname("a/../..").cleanpath.to_s}, ->{Pathname("/../a").cleanpath.to_s}, ->{Pathname("a/b.rb").basename(".rb").to_s}, ->{Pathname("a/b.rb").sub("b","c").to_s}, ->{Pathname("a/b.rb").sub_ext(".py").to_s}, ->{Pathname("/a/b").each_filename.to_a}, ->{Pathname("/a/b").descend.map(&:to_s)}, ->{Pathname("/a/b").ascend.map(&:to_s)}, ->{Pathname("a").absolute?}, ->{Pathname("/").root?}, ->{Pathname("a/b").parent.to_s}, ->{Pathname("a") <=> Pathname("b")}, ->{Pathname("a") == Pathname("a")}, ->{Pathname.new("a\0b")}, ->{Pathname.new(nil)}, ->{Pathname.glob("*").size.class}, ->{Pathname("q").glob("*").map(&:to_s)}, ->{Pathname("q").realpath.to_s == File.realpath("q")}, ->{Pathname("nope").realdirpath.class}, ->{Pathname("q").rmdir}, ->{Pathname("q/w").rmdir}, ->{Pathname("x").open("w"){|f| f<<"z"}.class}, ->{Pathname("x").unlink}, ->{Pathname("a").frozen?}, ->{Pathname("/a") + "/b"}, ->{Pathname("a") / "b"}, ->{Pathname("a/b").relative?}, ->{Pathname("/a/b").relative_path_from(Pathname("c"))}, ->{Pathname("../a").relative_path_from(Pathname("b/c")).to_s}, ->{Pathname("a.tar.gz").extname}, ->{Pathname("a").expand_path("/x").to_s}, ->{Pathname.pwd.class}, ->{Pathname("~").expand_path.class}, ->{Pathname("x").make_symlink("y") }, ->{Pathname("x").readlink.to_s}, ->{Pathname("x").symlink?}, ->{Pathname("x").empty?}, ->{Pathname("dd").mkdir}, ->{Pathname("dd").empty?}, ->{Pathname("dd").directory?}, ->{Pathname("dd").chmod(0700)}, ->{Pathname("dd").rename("ee")}, ->{Pathname("ee").utime(0,0)}, ->{Pathname("ee").mtime.to_i}, ->{Pathname("ee").stat.class}, ->{Pathname("ee").fnmatch?("e*")}, ->{Pathname("ee").to_path}, ->{"#{Pathname("ee")}"}, ->{File.join(Pathname("a"),"b")}, ->{Pathname("a").hash == Pathname("a").hash}, ->{Pathname("ee").opendir.class}, ->{Pathname("a").eql?("a")}].each { |l| t(&l) }
t { Tempfile.create("x") { |f| [f.class, File.exist?(f.path), File.basename(f.path).start_with?("x"), "%o" % (f.stat.mode & 0777)] } }
t { p0=nil; Tempfile.create("x") { |f| p0=f.path }; File.exist?(p0) }
t { f = Tempfile.new("x"); f.write("abc"); f.flush; f.rewind; r=[f.read, f.size, f.length]; f.close; r << File.exist?(f.path); f.unlink; r << f.path }
t { f = Tempfile.new(["a",".txt"], D); r=[File.dirname(f.path)==D, File.extname(f.path)]; f.close!; r << f.path }
t { Tempfile.open("q") { |f| f.puts "x"; f.class } }
t { f = Tempfile.new; f.close(true); f.path }
t { f = Tempfile.new; f.delete; [f.path, f.inspect =~ /unlinked|closed|Tempfile/] }

t { Tempfile.create(anonymous: true) { |f| f.class } }
t { Dir.mktmpdir { |d| [File.directory?(d), "%o" % (File.stat(d).mode & 0777), File.basename(d).start_with?("d")] } }
t { d0=nil; Dir.mktmpdir("p") { |d| d0=d; File.write(d+"/x","") }; File.exist?(d0) }
t { Dir.mktmpdir(["p",".s"]) { |d| File.basename(d)[/\Ap.*\.s\z/] ? 1 : 0 } }
t { Dir.mktmpdir("x", D) { |d| File.dirname(d) == D } }

t { Dir.tmpdir }
t { Find.find("w2").to_a } ; t { Find.find("nope") {} } ; t { r=[]; Find.find(".") { |f| Find.prune if f == "./w2"; r << f }; r.size.class }
t { File.write("x1","a"); File.write("x2","a"); FileUtils.compare_stream(File.open("x1"), File.open("x2")) }
Dir.chdir("/"); FileUtils.rm_rf(D)
