# A path goes on to work where another class is put in place of Pathname.
require "pathname"
path = Pathname("a")
real = Pathname
Object.send(:remove_const, :Pathname)
Pathname = Class.new(real)
p path.join("b").to_s, (path + "c").class, path.basename.to_s, path.join(Pathname.new("../x"), "y").to_s
Object.send(:remove_const, :Pathname)
Pathname = real
p path.join("b")
