# A block parameter that a method only passes on (`&block`), in every way that could tell it from a Proc made at the call.

def keep(&block) = block
def give = yield(1, 2)
def pass(&block) = give(&block)
def pass_deep(&block) = [1].map { |x| [1].map { give(&block) } }
def pass_anonymous(&) = give(&)
def pass_optional(a = 10, b: 20, &block) = [a, b, give(&block)]
def pass_rest(*rest, **options, &block) = [rest, options, give(&block)]
def pass_native(&block) = [3, 1, 2].sort_by(&block)
def pass_send(&block) = send(:give, &block)

p pass { |a, b| a + b }
p pass_deep { |a| a }
p pass_anonymous { |*all| all }
p pass_optional { |a, (b)| [a, b] }
p pass_optional(1, b: 2) { 3 }
p pass_rest(1, 2, k: 3) { 4 }
p pass_native { |x| -x }
p pass_send { |a| a }
p pass(&:+)
p pass(&->(a, b) { [b, a] })
p((pass rescue $!.message))
p((pass(&nil) rescue $!.message))

# the same block, but an object of its own each time that a Proc is asked for
def twice(&block) = [keep(&block), keep(&block)]
one, two = twice { 1 }
p one == two, one.call
p twice(&one).map { |proc| proc.equal?(one) }
p keep(&nil)

# what looks at the parameter without naming it
def bound(&block) = [keep(&block), binding.local_variable_get(:block)]
one, two = bound { 2 }
p one == two, two.call, two.lambda?
def evaluated(&block)
  keep(&block)
  [1].each { keep(&block) }
  eval("block").call
end
p evaluated { 3 }
p((evaluated rescue $!.class))
def default(a = binding, &block) = [a.local_variable_get(:block).call, keep(&block).call]
p default { 4 }
def set_by_binding(&block)
  binding.local_variable_set(:block, proc { 6 })
  keep(&block).call
end
p set_by_binding { 5 }
def unset_by_binding(&block)
  binding.local_variable_set(:block, nil)
  keep(&block)
end
p unset_by_binding { 5 }
def later(&block) = -> { give(&block) }
p later { |a, b| [b, a] }.call
def later_read(&block) = proc { binding.local_variable_get(:block).call }
p later_read { 7 }.call
def assigned(&block)
  block = nil if block.arity == 0
  give(&block)
end
p((assigned { 8 } rescue $!.message))
p assigned { |a| a }
def replaced(&block)
  block ||= proc { 9 }
  give(&block)
end
p replaced, replaced { 10 }

# jumps out of the block
def outer
  pass { return :returned }
  :not_reached
end
p outer
p(pass { break :broken })
p(pass { next :next })
p [1, 2].each_with_index.map { |x, i| pass { |a| next x * 10 if i == 0; a } }
def broken_later(&block) = keep(&block)
begin
  broken_later { break 1 }.call
rescue LocalJumpError => error
  p error.reason
end

# lambda and proc
def made_lambda(&block) = lambda(&block)
def made_proc(&block) = proc(&block)
def made_new(&block) = Proc.new(&block)
$VERBOSE = nil
p made_lambda { |a| a }.lambda?, made_lambda(&-> {}).lambda?, made_proc { |a| a }.lambda?, made_new { |a| a }.lambda?
p made_proc { |a, b| [a, b] }.call([1, 2])
p lambda { |a| a }.lambda?, send(:lambda) { |a| a }.lambda?

# methods made of blocks, super, method_missing, define_method, instance_exec
class Base
  def each(&block) = [1, 2].each(&block)
  include Enumerable
  def run(&block) = instance_exec(5, &block)
  def wrap(a, &block) = [a, block ? block.call : nil]
end
class Derived < Base
  def each(&block) = super(&block)
  def wrap(a, &block) = super
  def method_missing(name, ...) = respond_to_missing?(name, true) ? wrap(name, ...) : super
  def respond_to_missing?(name, all = false) = name == :shown
  define_method(:defined) { |&block| give(&block) }
end
p Derived.new.map { |x| x * 2 }, Derived.new.each { |x| x }.class, Derived.new.run { |x| [x, self.class] }
p Derived.new.wrap(1) { 2 }, Derived.new.wrap(1), Derived.new.shown { 3 }
p Derived.new.defined { |a, b| a - b }
p Derived.new.each_slice(1).to_a, Derived.new.each_entry.to_a, Derived.new.lazy.map { |x| x + 1 }.to_a

# through fibers, threads and enumerators, which outlive the activation
def enumerated(&block) = Enumerator.new(&block)
p enumerated { |y| y << 1 << 2 }.next
def threaded(&block) = Thread.new(&block)
p threaded { 11 }.value
def fibered(&block) = Fiber.new(&block)
p fibered { |x| Fiber.yield(x); 12 }.then { |fiber| [fiber.resume(1), fiber.resume] }
def stored(&block) = Hash.new(&block)
p stored { |hash, key| hash[key] = key * 2 }[4]

# block_given?, yield and the parameter together
def both(&block) = [block_given?, yield(1, 2), give(&block)]
p both { |a, b| a * b + 1 }
def given_only(&block) = [1].map { block_given? && give(&block) }
p given_only, given_only { 13 }
p method(:pass).parameters, method(:pass).arity
def recursive(n, &block) = n.zero? ? give(&block) : recursive(n - 1, &block)
p recursive(50) { |a, b| [a, b] }
