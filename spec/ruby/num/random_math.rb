# Recorded from MRI 3.1; see the .out beside it.
def t(source)
  shown = begin
    eval(source).inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{source} => #{shown}"
end
<<'CASES'.each_line(chomp: true) { |line| t(line) }
r=Random.new(42);[r.rand,r.rand(10),r.rand(1.5),r.rand(1..6),r.rand(2**70),r.rand(1.0..2.0),r.rand(1...3),r.bytes(5),r.seed]
srand(5);[rand,rand(10),rand(0),rand(-5),rand(1.5),rand(nil),rand(1..3)]
srand(3);srand(4)
Random.rand(0)
Random.rand(-1)
Random.new(1).rand(0)
Random.new(1).rand(1..)
Random.new(1).rand("a")
Random.new(1).rand(nil)
rand("a")
Random.new(2**100).rand
Random.new(-5).rand
Random.new(1.9).seed
Random.new(2**32).rand(100)
[1,2,3,4,5].shuffle(random: Random.new(1))
[1,2,3,4,5].sample(random: Random.new(1))
[1,2,3,4,5].sample(3,random: Random.new(1))
(1..200).to_a.sample(20,random: Random.new(1))
Random.new(1)==Random.new(1)
r=Random.new(3);r.rand;d=r.dup;[r.rand==d.rand]
Random.new_seed.class
Random.bytes(3).size
Random.urandom(4).encoding
Random.new(3).random_number
Random.new(3).random_number(10)
Random.random_number(0).class
Random.new(3).rand(1.0)
Random.new(3).rand(2**64)
Random.new(3).rand(2**32)
Random.new(3).rand(2**33)
Random.new(1).rand(3..1)
rand(3..1)
Random.new(3).rand(-2.0)
Random.new("a")
srand(-3);rand(100)
srand(2**40);rand(100)
Random.srand(9);Random.seed
Random.new(1).rand(1...1)
Random.rand(1.5).class
Random.new(5).rand(-3..3)
Random.new(5).rand(2**70..2**71)
Random.new(7).rand(0.5...1.5)
Random.new(7).rand(Rational(3,2))
rand(1,2)
Random.new(1).bytes(-1)
Random::DEFAULT
Kernel.rand(3).class
rand(1r)
rand(2.9).class
rand(-7.5).class
Random.new(42).rand(10**30)
Math.sqrt(4)
Math.sqrt(-1)
Math.sqrt("a")
Math.sqrt(nil)
Math.log(0)
Math.log(-1)
Math.log(8,2)
Math.log(2**1000)
Math.log(10,0)
Math.log(1,-1)
Math.log("a")
Math.log(8,"a")
Math.log2(2**70)
Math.log10(1000)
Math.cbrt(-27)
Math.sin(1)
Math.cos(1)
Math.tan(1)
Math.asin(2)
Math.acos(1)
Math.atan(1)
Math.atan2(1,2)
Math.atan2(0,-1)
Math.atan2(0.0,0.0)
Math.atan2(-0.0,-1)
Math.sinh(1)
Math.cosh(1)
Math.tanh(1)
Math.asinh(1)
Math.acosh(0)
Math.acosh(2)
Math.atanh(1)
Math.atanh(2)
Math.exp(1)
Math.erf(1)
Math.erfc(1)
Math.gamma(5)
Math.gamma(-1)
Math.gamma(0.0)
Math.gamma(-0.0)
Math.frexp(1234)
Math.ldexp(0.5,3)
Math.ldexp("a",1)
Math.hypot(3,4)
Math::PI
Math::E
Math.sqrt(1r)
Math.sqrt(Object.new)
Math.sqrt(10**40)
Math.log(1,0)
Math.log10(0)
Math.log10(-1)
Math.log2(-1)
include Math;sqrt(9)
Math.frexp(Float::INFINITY)
Math.frexp(0)
Math.ldexp(1.5,2.9)
Math.gamma(-Float::INFINITY)
Math.log(-0.0)
Math.sqrt(-0.0)
Math.log(2**10000)
Math.log2(2**10000)
Math.log10(10**400)
Math.cbrt(2)
Math.log(1.1,10)
Math.erf(0.3)
Math.erfc(3)
GC.start
GC.enable
GC.disable
GC.disable
GC.enable
GC.count.class
GC.stress
ObjectSpace.garbage_collect
ObjectSpace.count_objects.class
class OA;end;class OB<OA;end;ObjectSpace.each_object(Class).select{|c| c<OA}
ObjectSpace.each_object(Class){}.class
GC.measure_total_time
GC.total_time.class
ObjectSpace.each_object(Class).class
GC.start(full_mark: true)
CASES
