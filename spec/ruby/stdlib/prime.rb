# Primes, factorizations and the generators behind them.
require "prime"

def try(label)
  puts "#{label}: #{yield.inspect}"
rescue StandardError, NotImplementedError => error
  puts "#{label}: #{error.class}: #{error.message.lines.first.chomp}"
end

(-12..130).each { |n| try(n) { [n.prime?, Prime.prime?(n), Prime.include?(n), n == 0 ? 0 : n.prime_division] } }
[4093, 4097, 5000, 65_537, 1_373_653, 25_326_001, 3_215_031_751, 4_759_123_141, 2_152_302_898_747, 3_474_749_660_383, 341_550_071_728_321,
 3_825_123_056_546_413_051, 318_665_857_834_031_151_167_461, 2**31 - 1, 2**61 - 1, 10**12 + 39, (10**9 + 7) * (10**9 + 9), 10**40].each { |n| try(n) { n.prime? } }
try("many") { (4000..20_000).select(&:prime?).sum }
[2**32, 10**12 + 39, 3**5 * 7**2 * 11 * 13 * 17 * 19 * 23, -360, 2**20 * 3**7].each { |n| try(n) { [n.prime_division, Integer.from_prime_division(n.prime_division)] } }

try("each") { Prime.each(100).to_a }
try("block") { Prime.each(30) { |prime| prime * 2 } }
try("none") { Prime.each(1) { |prime| prime } }
try("first") { Prime.first(30) }
try("lazy") { Prime.lazy.select { |prime| prime % 4 == 1 }.first(10) }
try("with_index") { Prime.each.with_index(3).first(4) }
try("size") { Prime.each.with_index.size }
try("with_object") { Prime.each(20).with_object([]) { |prime, all| all << prime } }
try("each_prime") { Integer.each_prime(20) { |prime| print prime, " " } }
try("sum") { Prime.each(200_000).sum }

[nil, 3.0, 3.5, "x", :a, Enumerable, Kernel, Prime, 1r, 7].each do |value|
  try("include? #{value.inspect}") { Prime.include?(value) }
  try("prime? #{value.inspect}") { Prime.prime?(value) }
  try("generator #{value.inspect}") { Prime.prime?(7, value) }
  try("bound #{value.inspect}") { Prime.each(value).first(3) }
end
try("zero") { 0.prime_division }
try("parts") { [Prime.int_from_prime_division([]), Prime.int_from_prime_division([[2, -1], [5, 2]])] }

[Prime::EratosthenesGenerator, Prime::TrialDivisionGenerator, Prime::Generator23].each do |generator|
  made = generator.new
  try(generator) { [Array.new(12) { made.succ }, made.next, made.upper_bound = 60, made.upper_bound, made.size] }
  try(generator) { [made.each.equal?(made), made.each { |number| number + 1 }, made.to_a, made.rewind, made.upper_bound, made.next] }
  try(generator) { [Prime.each(30, generator.new).to_a, Prime.prime?(91, generator.new), 91.prime_division(generator.new)] }
  try(generator) { generator.new(3) }
end
%i(succ next rewind).each { |name| try(name) { Prime::PseudoPrimeGenerator.new(3).public_send(name) } }
try("tables") { [Prime::TrialDivision.instance[200], Prime::EratosthenesSieve.instance.get_nth_prime(5000)] }
class Prime
  def twice(number, more: 1) = [number * 2, more]
end
try("added") { Prime.twice(3, more: 4) }
