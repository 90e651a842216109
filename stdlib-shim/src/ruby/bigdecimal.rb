# BigDecimal: decimal numbers of any length, kept as a whole number and a power of ten.
class BigDecimal < Numeric
  VERSION = "3.1.1"
  BASE = 1_000_000_000
  EXCEPTION_ALL = 255
  EXCEPTION_INFINITY = 1
  EXCEPTION_NaN = 2
  EXCEPTION_UNDERFLOW = 4
  EXCEPTION_OVERFLOW = 1
  EXCEPTION_ZERODIVIDE = 16
  ROUND_MODE = 256
  ROUND_UP = 1
  ROUND_DOWN = 2
  ROUND_HALF_UP = 3
  ROUND_HALF_DOWN = 4
  ROUND_CEILING = 5
  ROUND_FLOOR = 6
  ROUND_HALF_EVEN = 7
  SIGN_NaN = 0
  SIGN_POSITIVE_ZERO = 1
  SIGN_NEGATIVE_ZERO = -1
  SIGN_POSITIVE_FINITE = 2
  SIGN_NEGATIVE_FINITE = -2
  SIGN_POSITIVE_INFINITE = 3
  SIGN_NEGATIVE_INFINITE = -3
  MODES = {
    up: 1, down: 2, truncate: 2, half_up: 3, default: 3, half_down: 4, half_even: 7, banker: 7, ceiling: 5, ceil: 5, floor: 6
  }.freeze
  NUMBER = /\A\s*([+-]?)(?:(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*)?)?|\.(\d+(?:_\d+)*))(?:[eEdD]([+-]?\d+(?:_\d+)*)?)?/
  STRICT = /\A\s*([+-]?)(?:(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*))?|\.(\d+(?:_\d+)*))(?:[eEdD]([+-]?\d+(?:_\d+)*))?_?\s*\z/
  private_constant :MODES, :NUMBER, :STRICT

  class << self
    alias __allocate allocate
    private :__allocate
    undef_method :new
    undef_method :allocate

    # sign * int * 10**exp; `int` is not negative. `kind` is nil, :nan or :infinity.
    def make(sign, int, exp = 0, kind = nil)
      made = __allocate
      made.__send__(:place, sign, int, exp, kind)
      made
    end

    def from(value, digits, exception)
      case value
      when BigDecimal then return digits > 0 ? value.round_digits(digits) : value
      when Integer then made = make(value < 0 ? -1 : 1, value.abs)
      when Float
        return make(1, 0, 0, :nan) if value.nan?
        return make(value > 0 ? 1 : -1, 0, 0, :infinity) if value.infinite?
        return refuse(exception, ArgumentError, "can't omit precision for a Float.") if digits < 0
        return refuse(exception, ArgumentError, "precision too large.") if digits > Float::DIG + 1
        made = parse(value.to_s)
        made = make(1.0 / value < 0 ? -1 : 1, 0) if value == 0
      when Rational
        return refuse(exception, ArgumentError, "can't omit precision for a Rational.") if digits <= 0
        return make(value < 0 ? -1 : 1, value.numerator.abs).div(make(1, value.denominator), digits)
      when Complex
        return refuse(exception, ArgumentError, "Unable to make a BigDecimal from non-zero imaginary number") unless value.imaginary == 0
        return from(value.real, digits, exception)
      when String
        made = strict(value) or return refuse(exception, ArgumentError, "invalid value for BigDecimal(): #{value.inspect}")
      when nil then return refuse(exception, TypeError, "can't convert nil into BigDecimal")
      else
        text = value.respond_to?(:to_str) ? value.to_str : (return refuse(exception, TypeError, "can't convert #{value.class} into BigDecimal"))
        return from(text, digits, exception)
      end
      digits > 0 ? made.round_digits(digits) : made
    end

    def refuse(exception, klass, message) = exception ? raise(klass, message) : nil
    private :refuse

    def strict(text)
      raise ArgumentError, "string contains null byte" if text.include?("\0")
      case text.strip
      when "NaN" then make(1, 0, 0, :nan)
      when "Infinity", "+Infinity" then make(1, 0, 0, :infinity)
      when "-Infinity" then make(-1, 0, 0, :infinity)
      else
        match = STRICT.match(text)
        match && build(match)
      end
    end

    # As `String#to_d` reads: what does not belong is left out.
    def parse(text)
      raise ArgumentError, "string contains null byte" if text.include?("\0")
      case text
      when /\A\s*NaN\s*\z/ then make(1, 0, 0, :nan)
      when /\A\s*([+-]?)Infinity\s*\z/ then make($1 == "-" ? -1 : 1, 0, 0, :infinity)
      else (match = NUMBER.match(text)) ? build(match) : make(1, 0)
      end
    end

    def build(match)
      part = (match[3] || match[4]).to_s.delete("_")
      digits = "#{match[2].to_s.delete("_")}#{part}"
      make(match[1] == "-" ? -1 : 1, digits.to_i, match[5].to_s.delete("_").to_i - part.size)
    end
    private :build

    def mode(which, value = (given = false; nil))
      given = given.nil?
      raise TypeError, "no implicit conversion of #{which.class} into Integer" unless which.is_a?(Integer)
      if which == ROUND_MODE
        @round = rounding(value) if given && value
        return @round || ROUND_HALF_UP
      end
      raise TypeError, "first argument for BigDecimal.mode invalid" unless which & EXCEPTION_ALL != 0
      @exceptions ||= 0
      return @exceptions unless given && !value.nil?
      raise ArgumentError, "second argument must be true or false" unless [true, false].include?(value)
      @exceptions = value ? @exceptions | which : @exceptions & ~which
    end

    def exceptional?(which) = (@exceptions ||= 0) & which != 0

    def rounding(mode)
      case mode
      when Integer
        raise ArgumentError, "invalid rounding mode" unless mode.between?(1, 7)
        mode
      when String, Symbol then MODES[mode.to_s.downcase.to_sym] || raise(ArgumentError, "invalid rounding mode")
      when nil then ROUND_HALF_UP
      when Hash
        half = mode[:half]
        case half
        when nil then self.mode(ROUND_MODE)
        else { "up" => 3, "down" => 4, "even" => 7 }[half.to_s.downcase] || raise(ArgumentError, "invalid rounding mode (#{half})")
        end
      else raise ArgumentError, "invalid rounding mode (#{mode.class})"
      end
    end

    def limit(digits = nil)
      old = @limit || 0
      unless digits.nil?
        raise ArgumentError, "argument must be positive" if digits < 0
        @limit = digits
      end
      old
    end
    def double_fig = 16
    def save_rounding_mode
      old = mode(ROUND_MODE)
      yield
    ensure
      @round = old
    end
    def save_exception_mode
      old = @exceptions
      yield
    ensure
      @exceptions = old
    end
    def save_limit
      old = @limit
      yield
    ensure
      @limit = old
    end
    def _load(text)
      text = String.try_convert(text) || raise(TypeError, "no implicit conversion of #{text.nil? ? "nil" : text.class} into String")
      digits = text[/\A\d*/]
      raise TypeError, "load failed: invalid character in the marshaled string" unless ["", ":"].include?(text[digits.size, 1].to_s)
      BigDecimal(text[digits.size + 1..].to_s)
    end
    def interpret_loosely(text) = parse(text)
  end

  def place(sign, int, exp, kind)
    if int == 0
      exp = 0
    else
      while int % 1_000_000_000 == 0
        int /= 1_000_000_000
        exp += 9
      end
      while int % 10 == 0
        int /= 10
        exp += 1
      end
    end
    @sign, @int, @exp, @kind = sign, int, exp, kind
    freeze
  end
  private :place

  def int = @int
  def exp10 = @exp
  def signum = @sign
  protected :int, :exp10, :signum

  def nan? = @kind == :nan
  def infinite? = @kind == :infinity ? @sign : nil
  def finite? = @kind.nil?
  def zero? = @kind.nil? && @int == 0
  def nonzero? = zero? ? nil : self
  def negative? = !nan? && @sign < 0 && !zero?
  def positive? = !nan? && @sign > 0 && !zero?
  def sign
    return SIGN_NaN if nan?
    @sign * (infinite? ? 3 : (zero? ? 1 : 2))
  end
  def clone = self
  def dup = self
  def hash = zero? ? 0.hash : [@sign, @int, @exp, @kind].hash

  def digits = @int.to_s
  private :digits
  def exponent = @int == 0 ? 0 : digits.size + @exp
  def n_significant_digits = @int == 0 ? 0 : digits.size
  def precision = zero? || !finite? ? 0 : (exponent > 0 ? [exponent, digits.size].max : -@exp)
  def scale = zero? || !finite? ? 0 : [-@exp, 0].max
  def precision_scale = [precision, scale]
  # Digits held and digits reserved, in groups of nine.
  def precs = [used_digits, reserved_digits]
  def used_digits = [(exponent + 8).div(9) - @exp.fdiv(9).floor, 1].max * 9
  # Groups for the digits as written, and one more.
  def reserved_digits
    return 9 unless finite?
    return 18 if zero? || exponent.abs > 60
    ((to_s("F").delete_prefix("-").delete_suffix(".0").delete(".").size + 8) / 9 + 1) * 9
  end
  private :used_digits, :reserved_digits

  def coerce(other)
    [operand(other) || refuse_operand(other), self]
  end

  # How an operand shows that is no number.
  def shown_operand(other) = other.nil? || other == true || other == false || other.is_a?(Symbol) ? other.inspect : other.class
  def refuse_operand(other) = raise(TypeError, "#{shown_operand(other)} can't be coerced into BigDecimal")
  private :shown_operand, :refuse_operand

  # The other operand as a BigDecimal, or nil where it is none.
  def operand(other)
    case other
    when BigDecimal then other
    when Integer then BigDecimal.make(other < 0 ? -1 : 1, other.abs)
    when Float then BigDecimal(other, 0)
    when Rational then BigDecimal(other, used_digits)
    end
  end
  private :operand

  def by_coercion(operator, other)
    refuse_operand(other) unless other.respond_to?(:coerce)
    left, right = other.coerce(self)
    left.__send__(operator, right)
  end
  private :by_coercion

  def nan = not_a_number("Computation results in 'NaN' (Not a Number)")
  def not_a_number(message)
    raise FloatDomainError, message if BigDecimal.exceptional?(EXCEPTION_NaN)
    BigDecimal.make(1, 0, 0, :nan)
  end
  def infinity(sign)
    raise FloatDomainError, "Computation results in '#{"-" if sign < 0}Infinity'" if BigDecimal.exceptional?(EXCEPTION_INFINITY)
    BigDecimal.make(sign, 0, 0, :infinity)
  end
  private :nan, :not_a_number, :infinity

  def value_int = @sign * @int
  protected :value_int

  def +(other)
    right = operand(other) or return by_coercion(:+, other)
    return nan if nan? || right.nan?
    if infinite? || right.infinite?
      return nan if infinite? && right.infinite? && @sign != right.signum
      return infinite? ? self : right
    end
    low = [@exp, right.exp10].min
    total = value_int * 10**(@exp - low) + right.value_int * 10**(right.exp10 - low)
    return BigDecimal.make(@sign < 0 && right.signum < 0 ? -1 : 1, 0) if total == 0
    limited(BigDecimal.make(total < 0 ? -1 : 1, total.abs, low))
  end

  def -(other)
    right = operand(other) or return by_coercion(:-, other)
    self + -right
  end

  def *(other)
    right = operand(other) or return by_coercion(:*, other)
    return nan if nan? || right.nan?
    sign = @sign * right.signum
    if infinite? || right.infinite?
      return zero? || right.zero? ? nan : infinity(sign)
    end
    limited(BigDecimal.make(sign, @int * right.int, @exp + right.exp10))
  end

  def limited(made)
    limit = BigDecimal.limit
    limit > 0 ? made.round_digits(limit) : made
  end
  private :limited

  def -@ = BigDecimal.make(-@sign, @int, @exp, @kind)
  def +@ = self
  def abs = BigDecimal.make(1, @int, @exp, @kind)

  # What division by zero, NaN and infinities gives; nil for ordinary numbers.
  def special_quotient(right)
    return nan if nan? || right.nan?
    sign = @sign * right.signum
    return right.infinite? ? nan : infinity(sign) if infinite?
    return BigDecimal.make(sign, 0) if right.infinite?
    if right.zero?
      raise ZeroDivisionError, "divided by 0" if BigDecimal.exceptional?(EXCEPTION_ZERODIVIDE)
      return nan if zero?
      return BigDecimal.make(sign, 0, 0, :infinity)
    end
    BigDecimal.make(sign, 0) if zero?
  end
  private :special_quotient

  # Quotient with so many digits after the point, rounded by the present mode.
  def quotient(right, places)
    shift = places + @exp - right.exp10
    top, bottom = shift >= 0 ? [@int * 10**shift, right.int] : [@int, right.int * 10**-shift]
    whole, rest = top.divmod(bottom)
    whole += 1 if round_up?(@sign * right.signum, whole, rest * 2 <=> bottom, rest == 0, BigDecimal.mode(ROUND_MODE))
    BigDecimal.make(@sign * right.signum, whole, -places)
  end

  def round_up?(sign, whole, half, exact, mode)
    return false if exact
    case mode
    when ROUND_UP then true
    when ROUND_DOWN then false
    when ROUND_HALF_UP then half >= 0
    when ROUND_HALF_DOWN then half > 0
    when ROUND_HALF_EVEN then half > 0 || (half == 0 && whole.odd?)
    when ROUND_CEILING then sign > 0
    else sign < 0
    end
  end
  private :quotient, :round_up?

  def words(exponent) = -(-exponent).div(9)
  private :words

  def /(other)
    right = operand(other) or return by_coercion(:/, other)
    special = special_quotient(right) and return special
    size = [2 * [n_significant_digits, right.n_significant_digits].max, 32].max
    count = -(-size).div(9) + 1
    limited(quotient(right, 9 * (count - (words(exponent) - words(right.exponent) + 1))))
  end

  def quo(other, digits = 0) = digits.to_i > 0 ? div(other, digits) : self / other

  def div(other, digits = nil)
    right = operand(other) or (digits.nil? ? (return by_coercion(:div, other)) : raise(TypeError, "#{other.class} can't be coerced into BigDecimal"))
    if digits.nil?
      raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if nan? || right.nan?
      raise FloatDomainError, "Computation results in '#{"-" if @sign * right.signum < 0}Infinity'" if infinite?
      raise ZeroDivisionError, "divided by 0" if right.zero?
      return 0 if right.infinite?
      return floor_quotient(right)
    end
    raise ArgumentError, "negative precision" if digits < 0
    return self / right if digits == 0
    special = special_quotient(right) and return special
    quotient(right, digits - (exponent - right.exponent) + 2).then { |rough| quotient(right, digits - rough.exponent) }
  end

  def floor_quotient(right)
    low = [@exp, right.exp10].min
    (value_int * 10**(@exp - low)).div(right.value_int * 10**(right.exp10 - low))
  end
  private :floor_quotient

  def divmod(other)
    right = operand(other) or return by_coercion(:divmod, other)
    return [nan, nan] if nan? || right.nan? || infinite?
    raise ZeroDivisionError, "divided by 0" if right.zero?
    return zero? || @sign == right.signum ? [BigDecimal.make(1, 0), self] : [BigDecimal.make(-1, 1), right] if right.infinite?
    whole = operand(floor_quotient(right))
    rest = self - right * whole
    [whole, rest.zero? ? BigDecimal.make(1, 0) : rest]
  end
  def %(other)
    operand(other) ? divmod(other)[1] : by_coercion(:%, other)
  end
  alias modulo %
  def remainder(other)
    right = operand(other) or return by_coercion(:remainder, other)
    return nan if nan? || right.nan? || infinite? || right.zero?
    return nan if right.infinite?
    low = [@exp, right.exp10].min
    rest = (value_int * 10**(@exp - low)).remainder(right.value_int * 10**(right.exp10 - low))
    BigDecimal.make(rest < 0 ? -1 : 1, rest.abs, low)
  end

  def add(other, digits) = with_digits(self + other, digits)
  def sub(other, digits) = with_digits(self - other, digits)
  def mult(other, digits) = with_digits(self * other, digits)
  def with_digits(made, digits)
    digits = digits.to_int
    raise ArgumentError, "negative precision" if digits < 0
    digits == 0 ? made : made.round_digits(digits)
  end
  private :with_digits

  def **(other) = power(other)
  def power(other, digits = nil)
    return nan if nan? && !other.is_a?(Numeric)
    raise TypeError, "wrong argument type #{other.class} (expected scalar Numeric)" unless other.is_a?(Numeric)
    raise TypeError, "wrong argument type Complex (expected scalar Numeric)" if other.is_a?(Complex)
    return nan if nan?
    if other.respond_to?(:nan?) && other.nan?
      raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if other.is_a?(BigDecimal)
      return nan
    end
    whole = other.is_a?(Integer) ? other : (other == other.to_i ? other.to_i : nil)
    return fractional_power(other, digits) if whole.nil?
    if infinite?
      return BigDecimal.make(@sign < 0 && whole.odd? ? -1 : 1, 0) if whole < 0
      return whole == 0 ? BigDecimal.make(1, 1) : infinity(@sign < 0 && whole.odd? ? -1 : 1)
    end
    if zero?
      return BigDecimal.make(1, 1) if whole == 0
      return whole < 0 ? infinity(@sign < 0 && whole.odd? ? -1 : 1) : BigDecimal.make(1, 0)
    end
    sign = @sign < 0 && whole.odd? ? -1 : 1
    made =
      if whole >= 0 then BigDecimal.make(sign, @int**whole, @exp * whole)
      else
        size = digits.to_i > 0 ? digits + 2 : (n_significant_digits + 16) * whole.abs
        BigDecimal.make(1, 1).div(BigDecimal.make(sign, @int**-whole, @exp * -whole), [size, 20].max)
      end
    digits.to_i > 0 ? made.round_digits(digits) : made
  end

  def fractional_power(other, digits)
    return other < 0 ? infinity(1) : BigDecimal.make(1, 0) if zero?
    if infinite?
      return BigDecimal.make(@sign, 0) if other < 0
      raise Math::DomainError, "a non-integral exponent for a negative base" if @sign < 0
      return self
    end
    raise Math::DomainError, "Zero or negative argument for log" if @sign < 0
    require "bigdecimal/math"
    size = digits.to_i > 0 ? digits : [n_significant_digits, 16].max + 7
    power = operand(other) || BigDecimal(other, size + 4)
    BigMath.exp(BigMath.log(self, size + 8).mult(power, size + 8), size)
  end
  private :fractional_power

  def sqrt(digits = 0)
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    raise ArgumentError, "negative precision" if digits.to_int < 0
    raise FloatDomainError, "sqrt of negative value" if @sign < 0 && !zero?
    return self if infinite? || zero?
    size = [digits.to_int, n_significant_digits, 16].max + 10
    shift = 2 * size + ((@exp - 2 * size).odd? ? 1 : 0)
    BigDecimal.make(1, Integer.sqrt(@int * 10**shift), (@exp - shift) / 2)
  end

  def <=>(other)
    right = operand(other)
    if right.nil?
      return nil unless other.respond_to?(:coerce)
      left, right = other.coerce(self) rescue (return nil)
      return left <=> right
    end
    return nil if nan? || right.nan?
    return (infinite? || 0) <=> (right.infinite? || 0) if infinite? || right.infinite?
    low = [@exp, right.exp10].min
    value_int * 10**(@exp - low) <=> right.value_int * 10**(right.exp10 - low)
  end
  def ==(other)
    return false if other.nil?
    order = self <=> other
    order.nil? ? false : order == 0
  end
  alias === ==
  alias eql? ==
  %i(< <= > >=).each do |name|
    define_method(name) do |other|
      order = self <=> other
      if order.nil?
        return false if nan? || (other.respond_to?(:nan?) && other.nan?)
        raise NoMethodError, "undefined method `#{name}' for #{Complex(self, 0)}:Complex" if other.is_a?(Complex)
        raise ArgumentError, "comparison of BigDecimal with #{other.is_a?(Numeric) ? other.inspect : shown_operand(other)} failed"
      end
      order.__send__(name, 0)
    end
  end

  # Rounded to so many digits after the point.
  def round_places(places, mode)
    return self if !finite? || -@exp <= places
    unit = 10**(-@exp - places)
    whole, rest = @int.divmod(unit)
    whole += 1 if round_up?(@sign, whole, rest * 2 <=> unit, rest == 0, mode)
    BigDecimal.make(@sign, whole, -places)
  end
  def round_digits(digits) = zero? || !finite? ? self : round_places(digits - exponent, BigDecimal.mode(ROUND_MODE))
  protected :round_places
  public :round_digits

  def whole!
    raise FloatDomainError, nan? ? "Computation results in 'NaN' (Not a Number)" : "Computation results in '#{"-" if @sign < 0}Infinity'" unless finite?
    self
  end
  private :whole!

  def round(places = (omitted = true; nil), mode = nil)
    if places.is_a?(Hash)
      mode = places
      places = nil
    elsif !omitted
      raise TypeError, "no implicit conversion from nil to integer" if places.nil?
      raise TypeError, "no implicit conversion of #{places.class} into Integer" unless places.respond_to?(:to_int)
    end
    integer = mode.nil?
    mode = mode.nil? ? BigDecimal.mode(ROUND_MODE) : BigDecimal.rounding(mode)
    return whole!.round_places(0, mode).to_i if places.nil?
    made = round_places(places.to_int, mode)
    integer && places.to_int <= 0 && finite? ? made.to_i : made
  end
  def truncate(places = nil) = places.nil? ? whole!.to_i : round_places(places.to_int, ROUND_DOWN)
  def fix = round_places(0, ROUND_DOWN)
  def frac = finite? ? self - fix : self
  def floor(places = nil) = places.nil? ? whole!.round_places(0, ROUND_FLOOR).to_i : round_places(places.to_int, ROUND_FLOOR)
  def ceil(places = nil) = places.nil? ? whole!.round_places(0, ROUND_CEILING).to_i : round_places(places.to_int, ROUND_CEILING)

  def to_i
    whole!
    @sign * (@exp >= 0 ? @int * 10**@exp : @int / 10**-@exp)
  end
  alias to_int to_i
  def to_r
    whole!
    @exp >= 0 ? Rational(value_int * 10**@exp, 1) : Rational(value_int, 10**-@exp)
  end
  def to_f
    return Float::NAN if nan?
    return @sign * Float::INFINITY if infinite?
    return @sign < 0 ? -0.0 : 0.0 if @int == 0
    return @sign * Float::INFINITY if exponent > 310
    return @sign < 0 ? -0.0 : 0.0 if exponent < -330
    "#{"-" if @sign < 0}#{@int}e#{@exp}".to_f
  end
  def to_d = self

  def to_s(format = "")
    raise TypeError, "no implicit conversion from nil to integer" if format.nil?
    return (+"NaN").force_encoding("US-ASCII") if nan?
    text = format.to_s
    lead = @sign < 0 ? "-" : text[/\A[+ ]/].to_s
    return "#{lead}Infinity".force_encoding("US-ASCII") if infinite?
    return "#{lead}0.0".force_encoding("US-ASCII") if zero?
    group = text[/\d+/].to_i
    (text.match?(/F\z/i) ? "#{lead}#{plain(group)}" : "#{lead}0.#{grouped(digits, group)}e#{exponent}").force_encoding("US-ASCII")
  end
  alias inspect to_s

  def grouped(text, size) = size > 0 ? text.scan(/.{1,#{size}}/).join(" ") : text
  def plain(size)
    whole, part =
      if @exp >= 0 then ["#{digits}#{"0" * @exp}", "0"]
      elsif exponent > 0 then [digits[0, exponent], digits[exponent..]]
      else ["0", "#{"0" * -exponent}#{digits}"]
      end
    if size > 0
      whole = grouped(whole, size)
    end
    "#{whole}.#{grouped(part, size)}"
  end
  private :grouped, :plain

  def to_digits = nan? || infinite? || zero? ? to_s : to_s("F")
  def split = [nan? ? 0 : @sign, nan? ? "NaN" : (infinite? ? "Infinity" : digits), 10, exponent]
  def _dump(_level = 0) = "#{reserved_digits}:#{self}"
  def to_json(*) = to_s.to_json
end

class BigDecimal
  NAN = make(1, 0, 0, :nan)
  INFINITY = make(1, 0, 0, :infinity)
end

module Kernel
  def BigDecimal(value, digits = (omitted = true; 0), exception: true)
    raise ArgumentError, "negative precision" if digits < 0
    BigDecimal.from(value, omitted && value.is_a?(Float) ? -1 : digits, exception)
  end
  module_function :BigDecimal
end
