# Signs of zero, infinities and NaN in operations of Complex and Rational: Integers that change nothing leave a part as it is.
parts = [0, 1, -1, 0.0, -0.0, 1.5, -Float::INFINITY, Rational(1, 3)]
numbers = parts.product(parts).map { |real, imag| Complex(real, imag) }
# each operation with every real number, and with some of the complex ones; a line for each left side
%i[+ - * / quo fdiv].each do |name|
  numbers.each_with_index do |number, at|
    others = name == :fdiv ? parts : parts + numbers.each_slice(11).map { |some| some[at % some.size] }
    puts "#{number} #{name}: " + others.map { |other| number.send(name, other) rescue $!.class }.join(" ")
  end
end
[0, 0.0, -0.0, Rational(0), 2, 1.5, Complex(1, 2), 10**30].each do |other|
  p([Rational(1, 3), Rational(-1, 3), Rational(0)].map { |number| number.fdiv(other) rescue $!.class })
end
parts.each { |part| puts numbers.each_slice(7).map { |some| part * some.last rescue $!.class }.join(" ") }
