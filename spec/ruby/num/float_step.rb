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
1.0 % 0
1%0.0
1.0.divmod(0)
1.0.div(0)
5.0.modulo(Float::INFINITY)
-5.0 % Float::INFINITY
-5.0.divmod(Float::INFINITY)
Float::INFINITY.divmod(2)
Float::INFINITY % 2
1.0.divmod(Float::NAN)
2.5.remainder(-1)
-2.5.remainder(1.0)
5.remainder(-3.5)
1.remainder("a")
1.0.remainder("a")
Float::INFINITY.to_r
0.5.rationalize
0.333.rationalize(0.01)
0.333.rationalize(Rational(1,100))
3.14.rationalize
1e-20.rationalize
1.0.next_float
1.5.coerce("2.5")
1.5.coerce(nil)
1.1.floor(1.9)
1.1.ceil(-1)
12.5.round(half: :even)
Float::NAN.round
Float::NAN.round(2)
1e20.to_i
0.0.eql?(-0.0)
37.7.truncate(-1)
3.77.truncate(1)
-3.77.truncate(1)
1.5+"a"
1.5<"a"
1.5**"a"
1.5==:a
1.5<=>nil
(-8.0)**(1.0/3)
1.5.quo(2)
1.5.fdiv("a")
0.1.numerator
0.1.denominator
Float::INFINITY.numerator
Float::NAN.denominator
1.5.to_s.encoding
-0.0.arg
-1.0.arg
Float::NAN.arg
1.5.clone(freeze: 3)
Float::NAN<=>1
Float::INFINITY <=> 2**70
1.0.zero?
1.5.nan?
(-1.0/0).infinite?
0.0.positive?
1.5.round(400)
1.5.round(2**40)
1.5.round(-400)
Float.new
1.5.to_c
1.5.abs2
5.div(2.0)
5.fdiv(2)
10.pow(2.5)
10.divmod(-3)
10.divmod(3.5)
1.step(10,0){break}
1.step(10, "a"){}
1.0.step(2.0,0.5).to_a
1.step(by: -1, to: -2).to_a
1.step(10,4)
1.step(by: 2)
1.step(by: 2, to: 9)
1.step(3, by: 2){}
1.step("a"){}
1.step(3,nil){|x| p x}
1.0.step(by: 0.5, to: 2)
1.step(2, step: 3){}
1.step(10,3).class
"a".to_i.step(2).to_a
1.step(by: 0){break}
1.step(3, 0)
1.step(nil,2).first(2)
3.step(1).to_a
1.step(3,-1).size
1.step(10, 3) == ((1..10) % 3)
1.step(10,4).inspect
1.step(by: "a")
Rational(1,2).step(2).to_a
nil.to_s.frozen?
nil & 1
true ^ nil
nil.to_h
true & 3
false | nil
nil =~ /a/
true.to_s.frozen?
NilClass.new
TrueClass.allocate
nil.to_a
nil.rationalize(0.1)
nil.to_c
true <=> true
true <=> false
true.dup
nil.dup
!true
true !~ 1
CASES
