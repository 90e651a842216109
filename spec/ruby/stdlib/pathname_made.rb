# What makes the paths that methods give: MRI's C code asks no `new` of the class, its Ruby code does; classes of them.
require "pathname"
x = Pathname.new("a/b")
def Pathname.new(*a) = (puts "  new #{a.inspect}"; super)
puts "Pathname()"; Pathname("cwd")
%i[dirname basename cleanpath parent].each { |m| puts m; x.send(m) }
puts "join"; x.join("c")
puts "sub"; x.sub("a", "b")
puts "sub_ext"; x.sub_ext(".rb")
puts "glob"; Pathname.glob("/et[c]")
puts "pwd"; Pathname.pwd
puts "ascend"; x.ascend { }
puts "rel"; x.relative_path_from(Pathname("a"))
class Pn < Pathname; end
class << Pathname; remove_method :new; end
q = Pn.new("a/b.c")
p [q.dirname, q.basename, q.cleanpath, q.parent, q.join("x"), q + "r", q.sub("a", "d"), q.sub_ext(".d"), q.expand_path("/"), q.ascend.to_a[1], q.split[0], q.relative_path_from(Pn.new("a")), Pn.pwd, Pn.new("/etc").children[0], Pn.new("/etc").glob("host*")[0], Pn.glob("/etc")[0], Pn.new("/etc").entries[0]].map(&:class)
