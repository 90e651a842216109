# Constants and methods of old versions warn of their use.
require "pathname"
Warning[:deprecated] = true
def Warning.warn(text, category: nil) = puts(text.sub(/\A[^:]*:\d+: /, ""))
p Fixnum, Bignum, Random::DEFAULT
path = Pathname.new("a")
p path.taint.equal?(path), path.untaint.equal?(path)
Object.new.taint
