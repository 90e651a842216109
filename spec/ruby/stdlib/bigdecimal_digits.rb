# How many digits BigDecimal's operations keep, and how the last one is rounded.
require "bigdecimal"
require "bigdecimal/util"
require "bigdecimal/math"
$VERBOSE = nil

def show(source)
  answer = begin
    eval(source).inspect
  rescue StandardError => error
    "#{error.class}: #{error.message.lines.first}"
  end
  puts "#{source} => #{answer}"
end

a = %w[1 2 10 0.1 1.5 22.7 123.456 1e20 1e-20 1e50 99999999.99999999 3.14159265358979323846264338327950288419716939937510582097 -7 -0.3]
b = %w[3 7 9 -6 0.7 1e9 1e-9 123456789 1.00000000000000000000000001 2e30]
a.each { |left| b.each { |right| %w[/ quo % divmod remainder div].each { |name| show "BigDecimal(#{left.dump}).#{name}(BigDecimal(#{right.dump}))" unless left =~ /e[25]/ && right.size > 20 } } }
a.each { |left| [1, 2, 5, 9, 10, 30].each { |digits| show "BigDecimal(#{left.dump}).div(7, #{digits})"; show "BigDecimal(#{left.dump}).mult(2.5, #{digits})"; show "BigDecimal(#{left.dump}).abs.sqrt(#{digits})" } }
a.each { |left| [-3, -1, 0, 1, 2, 5, 0.5, 2.0, 2**64].each { |power| show "BigDecimal(#{left.dump}).power(#{power})" }; [1, 4, 20].each { |digits| show "BigDecimal(#{left.dump}).power(-2, #{digits})" } }
["2", "0.5", "10", "27.5", "0.001"].each { |x| [1, 5, 12, 20].each { |digits| %w[log exp sin cos atan sqrt].each { |name| show "BigMath.#{name}(BigDecimal(#{x.dump}), #{digits})" } } }
[1, 10, 40].each { |digits| show "BigMath.PI(#{digits})"; show "BigMath.E(#{digits})" }
show "BigMath.log(0, 5)"
show "BigMath.exp(1, 0)"
show "BigMath.sin(BigDecimal('1'), 0)"

# Rounding modes, limits and what is raised.
%i[up down half_up half_down half_even ceiling floor].each do |mode|
  %w[3 7 -3 -7].each { |right| show "BigDecimal.save_rounding_mode { BigDecimal.mode(BigDecimal::ROUND_MODE, #{mode.inspect}); [BigDecimal('2') / #{right}, BigDecimal('2').div(#{right}, 5), BigDecimal('2.5').round, BigDecimal('-2.55').round(1), BigDecimal('1.2345').mult(1, 3), BigDecimal('1e-5').round(3), BigDecimal('1e-12').round(2), BigDecimal('5').round(-1)] }" }
end
(1..12).each { |limit| show "BigDecimal.save_limit { BigDecimal.limit(#{limit}); [BigDecimal('1') / 3, BigDecimal('1.23456789') + 0, BigDecimal('1.23456789') * 2, BigDecimal('123456789.123456789') - 1, BigDecimal('1.23456789123')**2] }" }
specials = %w[1 0 -0 -2.5 Infinity -Infinity NaN].map { |text| BigDecimal(text) }
[false, true].each do |mode|
  %i[+ - * / % ** divmod div quo remainder].product(specials, specials).each do |name, left, right|
    BigDecimal.mode(BigDecimal::EXCEPTION_ALL, mode)
    answer = begin
      left.__send__(name, right).inspect
    rescue StandardError => error
      "#{error.class}: #{error.message}"
    end
    BigDecimal.mode(BigDecimal::EXCEPTION_ALL, false)
    puts "#{mode} #{left} #{name} #{right} => #{answer}"
  end
end

# What is made of other numbers, and how much room it has.
["1, 0", "2**80, 3", "1.5, 1", "0.1 + 0.2, 0", "0.1 + 0.2, 16", "1.2345678901234567, 0", "1e23, 0", "1r/3, 0", "1r/3, 5", "-7r/3, 20", "'123.456', 2", "'1', nil", "1, 'x'", "1, -1", "2i, exception: false", "nil, exception: false", "true", "1.5", "[]", "'1_0.5'", "'--1'", "\"1\\n2\""].each { |arguments| show "BigDecimal(#{arguments}).then { |made| made && [made, made.precs, made._dump] }" }
["--1", "-x", "1__2", "1._5", "12e", "-0.5"].each { |text| show "#{text.dump}.to_d" }
["-0.5", "-12345678901.5", "12.5", "-3", "NaN"].each { |text| show "BigDecimal(#{text.dump}).then { |it| [it.to_i, it.to_digits] rescue $!.message }"; show "BigDecimal(#{text.dump}).frac" }
["0", "-1", "nil", "[]", "'+5F'", "2.7"].each { |format| show "BigDecimal('-1234567.891').to_s(#{format})" }
["half: :foo", ":foo", "'up'", "nil", "8", "2.5", "half: nil", "half: 'even'"].each { |mode| show "BigDecimal('2.45').round(1, #{mode})" }
show "BigDecimal('1') < 2i"
show "BigDecimal('NaN') < nil"
show "BigDecimal.mode(256, {half: :even})"
