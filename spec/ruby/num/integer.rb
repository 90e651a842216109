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
1.round(half: 1)
1.round(half: "foo")
1.round(half: nil)
15.round(-1, half: :even)
1.round(1.5)
1.round("1")
1.round(nil)
2.5.round(half: :foo)
1 + nil
1 + :a
1+"a"
1+[]
1 < nil
1 < "a"
1 < :a
1 <=> "a"
1 & 1.5
1 & nil
1 & "a"
1.0 & 1
1 << "a"
1 << nil
1 << 1.9
0<<(2**64)
1>>(2**64)
-1>>(2**64)
2.pow(3,0)
2.pow(-1,5)
2.pow(1.0,5)
2.pow(1,5.0)
2.pow(3,-5)
0**-1
2**-1
(-8)**(1.0/3)
2**(2**70)
10**10000000 > 1
1**(2**70)
(-1)**(2**70)
0**(2**70)
1.digits(1)
1.digits(-1)
-1.digits
1.digits(1.5)
1.digits("a")
300.digits(2**70)
300.chr
-1.chr
300.chr("UTF-8")
0x110000.chr("UTF-8")
0xD800.chr("UTF-8")
255.chr.encoding
65.chr.encoding
(2**70).chr
300.chr(1)
1.coerce("2")
1.coerce(nil)
1.coerce(1.5)
1.coerce(2**70)
(2**70).coerce(1)
1.coerce("x")
1.coerce(:a)
(2**70).coerce(1.5)
1.to_s(1)
1.to_s(37)
1.to_s("2")
1.gcd(1.5)
1.lcm("a")
1.div(0.0)
1.div(0)
1/0
1%0
1.divmod(0)
1.divmod(0.0)
1 % 0.0
1.remainder(0)
1.fdiv(0)
1.fdiv("a")
1.fdiv(nil)
1.fdiv(Rational(1,2))
1.upto("a"){}
1.upto(nil){}
1.downto("a"){}
1.upto(2.5).to_a
1.upto
1.times.size
1[2,3]
255[0..3]
255[..3]
256[..3]
255[3..]
255[1.5]
255["a"]
255[-1..3]
Integer.sqrt(-1)
Integer.sqrt(24.9)
Integer.sqrt("a")
Integer.sqrt(10**40)
Integer.try_convert("1")
Integer.try_convert(1.5)
Integer.new
Integer.allocate
1.foo
1.dup
1.clone(freeze: false)
1.clone(freeze: true)
1.instance_variable_set(:@a,1)
1.ceil(-1)
11.floor(-1)
1.ceil(2)
1.truncate(-1)
1.bit_length
(-2**70).bit_length
(2**70).size
(2**64).size
1.allbits?(1.5)
1.allbits?("a")
1.zero?
1.rationalize(0.1)
1.rationalize(1,2)
Integer("0x1g")
Integer("")
Integer(nil)
Integer([])
Integer("1\0")
Integer("z",36)
Integer(1,2)
Integer("1", 1)
Integer("1",-2)
Integer(Float::NAN)
Integer("a", exception: false)
Integer(nil, exception: false)
Integer(Object.new, exception: false)
Integer("10", nil)
Integer(1, exception: 1)
Integer("1_000")
Integer("1__0")
Integer("0b11",2)
Integer("0x11",2)
o=Object.new; def o.to_str;"12";end; Integer(o)
o=Object.new; def o.to_i;"12";end; Integer(o)
o=Object.new; def o.to_int;nil;end; def o.to_i;4;end; Integer(o)
o=Object.new; def o.to_int;nil;end;Integer(o)
Float("1.5x")
Float("")
Float(nil)
Float([])
Float("1\0")
Float("0x1p3")
Float("1_000.5")
Float("1.")
Float(".5")
Float(:a)
Float("x", exception: false)
Float(Object.new, exception:false)
Float(1r)
Float(1i)
Rational("1/3")
Rational(1,0)
Rational("a")
Rational(nil)
Rational(1,nil)
Rational(1.5)
Rational(0.1,3)
Rational("1/0")
Rational(:a)
Rational(Object.new)
Rational("x", exception: false)
Rational(1i)
Rational(Complex(1,0), 2)
Rational("0.75")
Rational("1","2")
Rational(Complex(1,2),3)
Complex("1+2i")
Complex(1,2)
Complex(nil)
Complex("a")
Complex(1,nil)
Complex(:a)
Complex("1","2")
Complex(1.5)
Complex(1i,2i)
Complex(Object.new)
Complex("x", exception: false)
Complex(1,:a)
Array(nil)
Array({a: 1})
Array(1..2)
Hash(nil)
Hash([])
Hash([1])
Hash({a: 1})
Hash(1)
String(nil)
String(BasicObject.new)
CASES
