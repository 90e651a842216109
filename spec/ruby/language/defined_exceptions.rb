# Any exception of a receiver means that a call is not defined; a throw and a jump do not end there.
class Other < Exception; end
def other = raise(Other, "x")
def leave = exit
def jump = throw(:out, 1)
p defined?(other.foo), defined?(other::X), defined?(leave.foo), defined?(other.foo.bar(1)), defined?([other.foo])
p defined?(Integer("x").foo), defined?(1.foo(other)), $!
p catch(:out) { defined?(jump.foo) }
def interrupted = raise(Interrupt)
p defined?(interrupted.foo)
p defined?((raise NoMemoryError).foo)
