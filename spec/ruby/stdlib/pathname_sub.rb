# The block of Pathname#sub sees the match, and so does the code after the call.
require "pathname"
require "nkf"
p Pathname("abc.gif").sub(/\..*/) { p $~[0]; ".png" }
def changed
  path = Pathname("abc.gif").sub("b") { $~[0].upcase }
  [path, $~ && $~[0]]
end
p changed, Pathname("a.rb").sub(/(\w)\.rb/, '\1.py'), Class.new(Pathname).new("x").sub("x", "y").class.superclass
p NKF.nkf("--oc=eucJP-nkf", "foo")
