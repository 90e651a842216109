# `super` with arguments in a method made by define_method hands on the block of the enclosing method, as `yield` there does.
class Base
  def call(*) = block_given? ? yield : :none
end

class Plain < Base
  define_method(:call) { |&block| super() }
end
p Plain.new.call { 1 }

class Made < Base
  def self.make = define_method(:call) { |*args, &block| super(*args) }
  make { :of_make }
end
p Made.new.call { 2 }, Made.new.call(1) { 2 }

class Nested < Base
  define_method(:call) { |*args, &block| [1].each { return super(*args) } }
end
p Nested.new.call { 3 }

class Passed < Base
  define_method(:call) { |&block| super(&block) }
end
p Passed.new.call { 4 }

class Defined < Base
  def call(*) = [1].map { super }
end
p Defined.new.call { 5 }
