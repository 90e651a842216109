require_relative "fixtures/lines"
require "ostruct"; require "delegate"; require "forwardable"; require "singleton"; require "observer"; require "tsort"; require "weakref"
each_line_of(<<'CODE')
$o = OpenStruct.new(a: 1, "b" => 2)
$o.c = 3
$o[:d] = 4
$o["e"] = 5
$o.to_h
$o.a?
$o.zzz
$o.zzz(1)
$o.zzz = 1, 2
$o.zzz
$o.respond_to?(:a)
$o.respond_to?(:a=)
$o.respond_to?(:nope)
$o.respond_to?(:nope=)
$o.method(:a).call
$o.a += 10
$o.dig(:a)
$o.dig(:zzz, 0)
$o.dig
$o.dig(1)
$o.dig("a")
$o.dig(:a, :b)
$o.delete_field(:a)
$o.delete_field("b")
$o.delete_field(:b)
$o.delete_field(:b) { :none }
$o.each_pair.to_a
$o.each_pair { |k, v| k }.equal?($o)
$o.each_pair.size
$o.inspect
$o.to_s
OpenStruct.new.to_s
OpenStruct.new(nil)
OpenStruct.new([[:a, 1]])
OpenStruct.new("x")
OpenStruct.new({ "x y" => 1 })
OpenStruct.new(a: 1) == OpenStruct.new(a: 1.0)
OpenStruct.new(a: 1).eql?(OpenStruct.new(a: 1.0))
OpenStruct.new(a: 1) == { a: 1 }
OpenStruct.new(a: 1) != OpenStruct.new(a: 2)
OpenStruct.new(a: 1).hash == OpenStruct.new(a: 1).hash
OpenStruct.new(class: 1).class
OpenStruct.new(method: 1).method
OpenStruct.new(freeze: 1).freeze
OpenStruct.new(hash: 1).hash
OpenStruct.new(a: 1).freeze.a
OpenStruct.new(a: 1).freeze.b = 1
OpenStruct.new(a: 1).freeze[:a] = 1
OpenStruct.new(a: 1).dup.tap { |x| x.a = 2 }
OpenStruct.new(a: 1).clone
OpenStruct.new(a: 1).to_h { |k, v| [k.to_s, v * 2] }
OpenStruct.new(a: 1).instance_variables
OpenStruct.new("a": OpenStruct.new(b: 1)).a.b
OpenStruct.new(a: 1).send(:a)
OpenStruct.new(a: 1).instance_of?(OpenStruct)
class OS2 < OpenStruct; def up = name.upcase; end
OS2.new(name: "x").up
OS2.new(name: "x")
OpenStruct.new(a: 1).methods(false).sort
OpenStruct.new(a: 1).a(1)
OpenStruct.new(a: 1).then { |x| x.b = 2; x.to_h }
OpenStruct.new(size: 1, count: 2).size
OpenStruct.new(puts: 1).puts
OpenStruct.new.puts
OpenStruct.new.foo { 1 }
OpenStruct.new["foo"]
OpenStruct.new(1 => 2)
OpenStruct.new(a: 1).instance_exec { a }
OpenStruct.new(then: 1, tap: 2, display: 3).to_h
Marshal.load(Marshal.dump(OpenStruct.new(a: [1])))
OpenStruct.new(if: 1).if
OpenStruct.new(a!: 1).to_h
OpenStruct.new(a: 1).a!
OpenStruct.new(a: 1)&.a
OpenStruct.new(a: 1).instance_methods
OpenStruct::VERSION
OpenStruct.new(to_s: 1).to_s
OpenStruct.new(object_id: 3).object_id
OpenStruct.new(a: 1).is_a?(Enumerable)
OpenStruct.new(a: 1) <=> 1
OpenStruct.new(a: 1).tap { _1[:b] = _1 }
OpenStruct.new(a: 1).a = 5
class D1; def initialize(x) = @x = x; def x = @x; def ==(o) = o.is_a?(D1); def kw(a, b: 1) = [a, b]; private def priv = 1; protected def prot = 2; end
$d = SimpleDelegator.new(D1.new(3))
$d.x
$d.kw(1, b: 2)
$d.priv
$d.send(:priv)
$d.nothing
$d.respond_to?(:x)
$d.respond_to?(:priv)
$d.method(:x).call
$d.public_send(:x)
$d == D1.new(1)
$d == $d
$d != D1.new(1)
$d.equal?($d)
$d.eql?($d)
$d.class
$d.is_a?(D1)
D1 === $d
$d.__getobj__.class
$d.__setobj__([1, 2, 3])
$d.sort
$d.map { |x| x + 1 }
$d + [4]
$d[0]
$d.to_s
"#{$d}"
$d.to_a
[0, *$d]
$d.first(2)
$d << 4
$d.dup << 5
$d.__getobj__
$d.clone.__getobj__.equal?($d.__getobj__)
$d.freeze.frozen?
$d.__setobj__(1)
SimpleDelegator.new("a").freeze.upcase
$d.methods.include?(:sort)
$d.public_methods(false).size
$d.instance_of?(Array)
$d.tap { |x| }.class
$d.then { |x| x.class }
$d.inspect
$d.hash == $d.__getobj__.hash
$d.itself.class
$d.object_id == $d.__getobj__.object_id
$d === [1]
!$d
$d.nil?
SimpleDelegator.new(nil).nil?
!SimpleDelegator.new(nil)
SimpleDelegator.new(nil).to_a
SimpleDelegator.new(5) + 1
5 + SimpleDelegator.new(1)
SimpleDelegator.new(5) == 5
5 == SimpleDelegator.new(5)
SimpleDelegator.new(5) <=> 4
SimpleDelegator.new({ a: 1 })[:a]
SimpleDelegator.new("s") =~ /s/
SimpleDelegator.new("s") !~ /s/
SimpleDelegator.new
SimpleDelegator.new(1, 2)
SimpleDelegator.allocate.foo
SimpleDelegator.allocate.__getobj__
SimpleDelegator.allocate.inspect
SimpleDelegator.allocate.respond_to?(:foo)
Marshal.load(Marshal.dump(SimpleDelegator.new([1]))).first
class DC < DelegateClass(String); def initialize(s) = super(s); def shout = upcase + "!"; end
DC.new("a").shout
DC.new("a").length
DC.new("a") + "b"
DC.instance_method(:upcase).owner == DC.superclass
DC.new("abc").send(:[], 1)
DC.public_method_defined?(:upcase)
DC.method_defined?(:initialize)
DelegateClass(Array) { def two = self * 2 }.new([1]).two
Class.new(DelegateClass(D1)).new(D1.new(4)).x
Delegator.new(1)
Class.new(SimpleDelegator) { def x = super + 1 }.new(D1.new(1)).x
Class.new(SimpleDelegator) { def method_missing(n, *a) = n == :zz ? 1 : super }.new(1).zz
SimpleDelegator.new(D1.new(1)).instance_variables
SimpleDelegator.new([3,1]).sort!.class
SimpleDelegator.ancestors.take(3)
Delegator::VERSION
SimpleDelegator.new("x").instance_eval { upcase }
SimpleDelegator.new(->(x) { x }).call(3)
SimpleDelegator.new(->(x) { x }).(3)
[1].map(&SimpleDelegator.new(:succ))
puts SimpleDelegator.new("put")
format("%s", SimpleDelegator.new("f"))
"a" + SimpleDelegator.new("b")
[1] + SimpleDelegator.new([2])
{ SimpleDelegator.new("k") => 1 }["k"]
case SimpleDelegator.new("k") when "k" then 1 else 2 end
case SimpleDelegator.new("k") when String then 1 else 2 end
CODE
