# Cycles through curried and composed Procs are collected.
class A
  attr_accessor :x

  def f(a, b) = 1
end

def count(name)
  GC.start
  before = ObjectSpace.each_object(A).count
  50.times { yield }
  GC.start
  left = ObjectSpace.each_object(A).count - before
  puts "#{name}: #{left > 2 ? left : "collected"}"
end
count("Method#curry") { a = A.new; a.x = a.method(:f).curry[a] }
count("Proc#curry") { a = A.new; a.x = lambda { |p, q| a }.curry[a] }
count("curried by steps") { a = A.new; a.x = proc { |p, q, r| a }.curry[1][a] }
count("Method#>>") { a = A.new; a.x = a.method(:f) >> a.method(:x) }
count("Proc#<<") { a = A.new; a.x = proc { a } << ->(y) { a } }

# and they do what they did
add = ->(a, b, c = 3) { [a, b, c] }
p add.curry[1][2], add.curry(3)[1][2][4], add.curry.lambda?, add.curry.arity, proc { |a, b| [a, b] }.curry[1].lambda?
p (add.curry(5)[1] rescue $!.message), add.curry[1, 2], proc { |*a, **b| [a, b] }.curry(2)[1][2]
double = proc { |x| x * 2 }
p (double >> :to_s.to_proc).call(4), (double << ->(x) { x + 1 }).call(4), (double >> double).lambda?, (->(x) { x } >> double).lambda?
p (double >> double).parameters, double.curry == double.curry, (double >> double).inspect[0, 9]
recursive = ->(a, b) { a == 0 ? b : recursive.curry[a - 1][b + 1] }
p recursive.curry[100][0]

# copies share what they hold: it does not go with them
KEEP = lambda { |value, other| value }
def copies(value)
  made = KEEP.curry[value]
  [made, made.dup].each { |one| one.instance_variable_set(:@self, one) }
  nil
end
def keep
  value = A.new
  value.x = [7]
  copies(value)
  GC.start
  p value.x
end
keep
