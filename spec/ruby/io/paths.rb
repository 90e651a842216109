def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end
[["a", "b"], ["a/", "/b"], ["a//", "b"], ["", "a"], ["a", ""], [], ["a", ["b", ["c"]]], ["/", "a"], ["a", "//b"]].each { |x| t { File.join(*x) } }
["/a/b", "a", "/", "", "//", "a/b/", "/a", "a//b", "//a", "/a//b//"].each { |x| t { [File.dirname(x), File.basename(x), File.split(x)] } }
["a.rb", ".a", "a.", ".a.rb", "a/b.c/d", "a.b.c", "..", "...", "a.rb/", "foo. ", "..a.b"].each { |x| t { [File.extname(x), File.basename(x, ".*"), File.basename(x, ".rb")] } }
t { File.dirname("/a/b/c/d", 2) }
t { File.dirname("a", -1) }
["/a/../b", "/..", "/a/./b//c/", "/a/b/..", "//a"].each { |x| t { File.expand_path(x) } }
t { File.expand_path("x", "/a/b") }
t { File.expand_path("../x", "/a/b") }
t { File.expand_path("~nouserxyz") }
t { File.absolute_path("~", "/r") }
t { File.absolute_path?("/a") }
t { File.join("a", nil) }
t { File.join("a\0b") }
t { File.exist?(1) }
t { File.basename(nil) }
t { File.path("a/b") }
t { File.fnmatch("*.rb", "a.rb") }
t { File.fnmatch("**/*.rb", "a/b/c.rb", File::FNM_PATHNAME) }
t { File.fnmatch("{a,b}", "a", File::FNM_EXTGLOB) }
t { File.fnmatch("*", ".a") }
t { File.fnmatch("*", ".a", File::FNM_DOTMATCH) }
t { File::SEPARATOR + File::PATH_SEPARATOR }
t { File.stat("/nonexistent") }
t { File.read("/nonexistent") }
t { File.read("/") }
t { File.write("/", "x") }
t { File.open("/nonexistent/a", "w") }
t { File.open("/etc/passwd", "zz") }
t { File.rename("/nonexistent", "/a") }
t { File.delete("/nonexistent") }
t { File.readlink("/") }
t { Dir.mkdir("/nonexistent/a") }
t { Dir.rmdir("/nonexistent") }
t { Dir.entries("/nonexistent") }
t { Dir.chdir("/nonexistent") }
t { IO.read(nil) }
t { File.new }
