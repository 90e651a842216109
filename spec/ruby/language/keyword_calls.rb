# Calls with literal keywords and with fewer arguments than parameters, over and over at one site, with methods that change under it.
def show(*given) = puts(given.map(&:inspect).join(" "))

def plain(a, b: 2, c: 3) = show(:plain, a, b, c)
def required(a:, b:, c: a + b) = show(:required, a, b, c)
def optional(a, b = a + 1, c = b + 1) = show(:optional, a, b, c)
def mixed(a, b = 5, c:, d: [a, b, c]) = show(:mixed, a, b, c, d)
def block(a, b = 2, k: 3, &body) = show(:block, a, b, k, body && body.call(k))
def yields(a, k: 1) = show(:yields, a, yield(k))
def open(a, **rest) = show(:open, a, rest)
def none(a = nil) = show(:none, a)
def no_keywords(a, **nil) = show(:no_keywords, a)
def default_returns(a, k: (a && (return show(:returned, a)))) = show(:not_returned, a, k)
def binds(a, b = a, k: binding.local_variables.sort) = show(:binds, a, b, k)
def captures(a, b = 2, k: 3) = -> { a += b + k }

3.times do |i|
  plain(i)
  plain(i, b: 1)
  plain(i, c: 1)
  plain(i, c: 1, b: 0)
  plain(i, b: 1, c: nil)
  required(a: i, b: 2)
  required(b: 2, a: i)
  required(c: 0, b: 2, a: i)
  optional(i)
  optional(i, 7)
  optional(i, 7, 8)
  mixed(i, c: 1)
  mixed(i, 2, c: 1)
  mixed(i, 2, d: 4, c: 1)
  block(i)
  block(i, k: 9)
  block(i, k: 9) { |k| k * 2 }
  block(i, 4) { |k| k * 3 }
  yields(i, k: 5) { |k| k + i }
  show(:broken, yields(i, k: 6) { |k| break k * 100 })
  open(i, x: 1, y: 2)
  open(i)
  none(x: i)
  default_returns(i)
  default_returns(i, k: 2)
  binds(i)
  lambda = captures(i, k: 1)
  show(lambda.call, lambda.call)
end

# the values are evaluated in the order of the call
def trace(name, value) = puts("#{name} ") || value
3.times { required(b: trace("b", 1), c: trace("c", 2), a: trace("a", 3)) }

def fails
  yield
rescue ArgumentError, ZeroDivisionError => e
  puts "#{e.class}: #{e.message}"
end

3.times do
  fails { plain }
  fails { plain(1, 2) }
  fails { plain(1, d: 1) }
  fails { plain(1, d: 1, e: 2, b: 3) }
  fails { required(a: 1) }
  fails { required }
  fails { required(1, a: 2, b: 3) }
  fails { mixed(c: 1) }
  fails { mixed(1, 2, 3, c: 1) }
  fails { no_keywords(1, k: 2) }
  fails { plain(1, b: 1 / 0) }
  fails { optional(1, 1 / 0) }
end

# the same site finds another method
class First
  def m(a, k: 1) = [:first, a, k]
end
class Second
  def m(a, options = {}) = [:second, a, options]
end
class Third
  def method_missing(name, *given, **keywords) = [:third, name, given, keywords]
  def respond_to_missing?(...) = true
end
class Fourth
  private def m(a, k:) = [:fourth, a, k]
end
[First.new, Second.new, Third.new, First.new, Fourth.new, Second.new].each do |one|
  show(*one.m(1, k: 2))
rescue NoMethodError => e
  puts e.message[/\A.*?'/] || e.message[0, 40]
end

2.times do |i|
  show(*First.new.m(1, k: 2))
  First.class_eval { def m(a, j: 5, k: 1) = [:redefined, a, j, k] } if i.zero?
end

class Parent
  def initialize(a, k: 1) = show(:parent, a, k)
end
class Child < Parent
  def initialize(a, b = 2, k:)
    show(:child, a, b, k)
    super(a, k: k)
  end
end
2.times { Child.new(1, k: 3) }
2.times { Child.new(1, 4, k: 3) }
show(Child.instance_method(:initialize).parameters)

def shadow(k: 1)
  k += 1
  [1].each { k += 1 }
  eval("k += 1")
  k
end
2.times { show(shadow(k: 5), shadow) }
value = nil
show(value&.plain(k: 1))
k = 7
2.times { plain(0, b: k, c: (k += 1)) }
def deep(n, k: 0) = n.zero? ? k : deep(n - 1, k: k + 1)
show(deep(2_000))
