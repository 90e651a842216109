# A bare `super` in a String that is evaluated in a method passes on the method's arguments; in what define_method makes it raises, in blocks too.
class Above
  def all(*rest, key: 0, **others, &block) = [rest, key, others, block&.call]
  def some(first, second = 2, *rest, last) = [first, second, rest, last]
  def forwarded(...) = all(...)
  def one(value) = [value]
end

class Below < Above
  def all(first, second = 1, *rest, key: 5, **others, &block) = eval("super")
  def some(first, second = 3, *rest, last)
    first = 9
    [1].each { return eval("super") }
  end
  def forwarded(...) = eval("super")
  define_method(:one) { |value| eval("super") }
end
p Below.new.all(1), Below.new.all(1, 2, 3, key: 7, other: 8) { :block }, Below.new.some(1, 2), Below.new.some(1, 2, 3, 4), Below.new.forwarded(1, key: 3)
p((Below.new.one(1) rescue $!))

class Elsewhere < Above
  def some(first, *rest) = binding.eval("super")
  def one(value) = instance_eval("super")
  def all(value) = proc { eval("[1].map { super }") }.call
  define_method(:forwarded) { |value| [1].map { super } }
end
p Elsewhere.new.some(1, 2), Elsewhere.new.one(3), Elsewhere.new.all(4)
p((Elsewhere.new.forwarded(5) rescue $!))

class Changed < Above
  def one(value)
    here = binding
    value = 5
    here.eval("value = 6; super")
  end
  def some(first, last) = eval("super(last, first)")
  def none(value) = eval("super")
end
p Changed.new.one(1), Changed.new.some(1, 2), (eval("super") rescue $!)
puts((Changed.new.none(1) rescue $!.message.sub(/0x\h+/, "")))

class Deep < Above
  def one(value) = eval("eval('super')")
  def self.made(value) = define_method(:some) { |first| eval("super") }
end
Deep.made(1)
p Deep.new.one(8), (Deep.new.some(1) rescue $!)
