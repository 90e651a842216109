# Prime numbers and factorization, as prime 0.1.2 has them.
require "singleton"
require "forwardable"

class Integer
  # The primes that decide, as bases of Miller and Rabin's test, every number below WITNESSED.
  WITNESSES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41].freeze
  WITNESSED = 3_317_044_064_679_887_385_961_981
  # Bounds below which the first few of them are enough: 1, 2, 3 ... of them.
  WITNESSES_NEEDED = [2_047, 1_373_653, 25_326_001, 3_215_031_751, 2_152_302_898_747, 3_474_749_660_383, 341_550_071_728_321].freeze
  # What is divisible by neither 2, 3 nor 5 has its divisors at these distances from 7 and each thirtieth number on.
  DIVISORS = [0, 4, 6, 10, 12, 16, 22, 24].freeze
  private_constant :WITNESSES, :WITNESSED, :WITNESSES_NEEDED, :DIVISORS

  def self.from_prime_division(factors) = Prime.int_from_prime_division(factors)
  def self.each_prime(limit, &block) = Prime.each(limit, &block)

  def prime_division(generator = Prime::Generator23.new) = Prime.prime_division(self, generator)

  def prime?
    return self == 2 || self == 3 || self == 5 if self < 7
    return false if even? || self % 3 == 0 || self % 5 == 0
    return true if self < 49
    return undivided? if self < 0x1000
    # a number that passes and is too large for the witnesses alone is divided as well
    passes_witnesses? && (self < WITNESSED || undivided?)
  end

  private

  def undivided? = 7.step(Integer.sqrt(self), 30).none? { |start| DIVISORS.any? { |distance| self % (start + distance) == 0 } }

  def passes_witnesses?
    last = self - 1
    twos = (last & -last).bit_length - 1
    odd = last >> twos
    count = (WITNESSES_NEEDED.index { |bound| self < bound } || WITNESSES.size - 1) + 1
    WITNESSES.first(count).all? do |base|
      power = base.pow(odd, self)
      power == 1 || power == last || (twos - 1).times.any? { (power = power.pow(2, self)) == last }
    end
  end
end

# The set of all primes; what its instance answers, the class answers as well.
class Prime
  VERSION = "0.1.2"
  include Enumerable
  include Singleton

  class << self
    extend Forwardable
    include Enumerable

    def method_added(name) = singleton_class.def_delegator(:instance, name)
  end

  def each(limit = nil, generator = EratosthenesGenerator.new, &block)
    generator.upper_bound = limit
    generator.each(&block)
  end

  def include?(object)
    case object
    when Integer then prime?(object)
    when Module then Module.instance_method(:include?).bind_call(Prime, object)
    else false
    end
  end

  # The generator has to yield every prime, in ascending order; other numbers among them do no harm.
  def prime?(value, generator = Prime::Generator23.new)
    raise ArgumentError, "Expected a prime generator, got #{generator}" unless generator.respond_to?(:each)
    raise ArgumentError, "Expected an integer, got #{value}" unless value.respond_to?(:integer?) && value.integer?
    return false if value < 2
    generator.each do |divisor|
      quotient, rest = value.divmod(divisor)
      return true if quotient < divisor
      return false if rest == 0
    end
  end

  def int_from_prime_division(factors) = factors.inject(1) { |product, (prime, exponent)| product * prime**exponent }

  def prime_division(value, generator = Prime::Generator23.new)
    raise ZeroDivisionError if value == 0
    factors = value < 0 ? [[-1, 1]] : []
    value = value.abs if value < 0
    generator.each do |divisor|
      exponent = 0
      quotient, rest = value.divmod(divisor)
      while rest == 0
        value = quotient
        exponent += 1
        quotient, rest = value.divmod(divisor)
      end
      factors << [divisor, exponent] if exponent > 0
      break if quotient <= divisor
    end
    factors << [value, 1] if value > 1
    factors
  end

  # Yields numbers among which all primes are. Subclasses say how one moves on and starts anew.
  class PseudoPrimeGenerator
    include Enumerable

    def initialize(limit = nil)
      @ubound = limit
    end

    def upper_bound = @ubound
    def upper_bound=(limit)
      @ubound = limit
    end

    def succ = raise(NotImplementedError, "need to define `succ'")
    def next = raise(NotImplementedError, "need to define `next'")
    def rewind = raise(NotImplementedError, "need to define `rewind'")
    def size = Float::INFINITY

    # Without a block it is a copy that goes on from here; a bound makes the block's last value the result.
    def each
      return dup unless block_given?
      limit = @ubound
      last = nil
      loop do
        number = succ
        break last if limit && number > limit
        last = yield number
      end
    end

    def with_index(offset = 0, &block)
      return enum_for(:with_index, offset) { Float::INFINITY } unless block
      return each_with_index(&block) if offset == 0
      each do |number|
        yield number, offset
        offset += 1
      end
    end

    def with_object(object)
      return enum_for(:with_object, object) { Float::INFINITY } unless block_given?
      each { |number| yield number, object }
    end
  end

  # The primes, out of a sieve that all generators share.
  class EratosthenesGenerator < PseudoPrimeGenerator
    def initialize
      @last_prime_index = -1
      super
    end

    def succ = EratosthenesSieve.instance.get_nth_prime(@last_prime_index += 1)
    alias next succ
    def rewind = initialize
  end

  # The primes, out of a table that is made by division.
  class TrialDivisionGenerator < PseudoPrimeGenerator
    def initialize
      @index = -1
      super
    end

    def succ = TrialDivision.instance[@index += 1]
    alias next succ
    def rewind = initialize
  end

  # 2, 3 and all that neither of them divides: quick, and enough where one divides by what comes.
  class Generator23 < PseudoPrimeGenerator
    def initialize
      @prime = 1
      @step = nil
      super
    end

    def succ
      if @step
        @prime += @step
        @step = 6 - @step
      else
        @step = 2 if @prime == 3
        @prime += @prime == 3 ? 2 : 1
      end
      @prime
    end
    alias next succ
    def rewind = initialize
  end

  # A table of primes that grows by one division after another.
  class TrialDivision
    include Singleton

    def initialize
      @primes = [2, 3, 5]
    end

    def [](index)
      append while index >= @primes.size
      @primes[index]
    end

    private

    def append
      number = @primes.last
      number += 2 until number > @primes.last && undivided?(number)
      @primes << number
    end

    def undivided?(number)
      @primes.each do |prime|
        return true if prime * prime > number
        return false if number % prime == 0
      end
    end
  end

  # A table of primes that grows by a sieved segment of odd numbers at a time.
  class EratosthenesSieve
    include Singleton
    SEGMENT = 1_000_000
    private_constant :SEGMENT

    def initialize
      @primes = [2, 3, 5, 7]
    end

    def get_nth_prime(index)
      sieve while @primes.size <= index
      @primes[index]
    end

    private

    # The segment ends below twice the last prime, so it holds another one, and the primes up to its root are known. The table is replaced by
    # a longer one: an interruption leaves no half of a segment, and threads that sieve the same one make the same table.
    def sieve
      known = @primes
      start = known.last + 2
      stop = [known.last * 2, known.last + SEGMENT].min
      odd = start.step(stop, 2).to_a
      root = Integer.sqrt(stop)
      known.drop(1).each do |prime|
        break if prime > root
        multiple = [prime * prime, (start + prime - 1) / prime * prime].max
        multiple += prime if multiple.even?
        ((multiple - start) / 2).step(odd.size - 1, prime) { |at| odd[at] = nil }
      end
      @primes = known + odd.compact
    end
  end
end
