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
  HALVES = { "up" => 3, "down" => 4, "even" => 7 }.freeze
  # The largest exponents, of a text and of a product.
  POWERS = (2**63 - 1) / 9
  PRODUCTS = 2**63 - 1
  private_constant :MODES, :HALVES, :NUMBER, :STRICT, :POWERS, :PRODUCTS

  class << self
    alias __allocate allocate
    private :__allocate
    undef_method :new
    def allocate = raise(TypeError, "allocator undefined for BigDecimal")

    # sign * int * 10**exp; `int` is not negative. `kind` is nil, :nan or :infinity; `room` the words that are reserved for digits.
    def make(sign, int, exp = 0, kind = nil, room = nil)
      made = __allocate
      made.__send__(:place, sign, int, exp, kind, room)
      made
    end

    # `digits` is nil where none are named. They round Floats and Rationals only.
    def from(value, digits, exception)
      case value
      when BigDecimal then digits.nil? || !value.finite? ? value.checked : make(value.__send__(:signum), value.__send__(:int), value.__send__(:exp10))
      when Integer then whole(value)
      when Float then from_float(value, digits, exception)
      when Rational
        return refuse(exception, ArgumentError, "can't omit precision for a Rational.") if digits.nil?
        whole(value.numerator).div(whole(value.denominator), digits)
      when Complex
        raise ArgumentError, "Unable to make a BigDecimal from non-zero imaginary number" unless value.imaginary == 0
        from(value.real, digits, exception)
      when String
        strict(value, digits) || refuse(exception, ArgumentError, "invalid value for BigDecimal(): \"#{value}\"")
      when nil, true, false then refuse(exception, TypeError, "can't convert #{value.inspect} into BigDecimal")
      else
        text = String.try_convert(value)
        text ? from(text, digits, exception) : refuse(exception, TypeError, "can't convert #{Kernel.instance_method(:class).bind_call(value)} into BigDecimal")
      end
    end

    def whole(value) = make(value < 0 ? -1 : 1, value.abs, 0, nil, value.bit_length > 64 ? (value.abs.to_s.size + 18) / 9 : 0)

    # A Float has sixteen digits at most: of a seventeenth nothing is left, not even a rounding.
    def from_float(value, digits, exception)
      return make(1, 0, 0, :nan).checked if value.nan?
      return make(value > 0 ? 1 : -1, 0, 0, :infinity).checked if value.infinite?
      return (@zeros ||= {})[1.0 / value < 0] ||= make(1.0 / value < 0 ? -1 : 1, 0) if value == 0
      return refuse(exception, ArgumentError, "can't omit precision for a Float.") if digits.nil?
      return refuse(exception, ArgumentError, "precision too large.") if digits > Float::DIG + 1
      text = digits == 0 ? value.to_s : format("%.#{digits - 1}e", value)
      text = format("%.16e", value).sub(/\de/, "e") if digits == 0 && text[/[\d.]+/].delete(".").sub(/\A0+/, "").size > 16
      build(NUMBER.match(text), nil)
    end
    private :from_float

    def refuse(exception, klass, message) = exception ? raise(klass, message) : nil
    private :refuse

    def strict(text, digits)
      raise ArgumentError, "string contains null byte" if text.include?("\0")
      match = STRICT.match(text) and return build(match, digits || 0)
      case text.strip
      when "NaN" then make(1, 0, 0, :nan).checked
      when "Infinity", "+Infinity" then make(1, 0, 0, :infinity).checked
      when "-Infinity" then make(-1, 0, 0, :infinity).checked
      end
    end

    # As `String#to_d` reads: what does not belong is left out.
    def parse(text)
      raise ArgumentError, "string contains null byte" if text.include?("\0")
      case text
      when /\A\s*NaN\s*\z/ then make(1, 0, 0, :nan)
      when /\A\s*([+-]?)Infinity\s*\z/ then make($1 == "-" ? -1 : 1, 0, 0, :infinity)
      else (match = NUMBER.match(text)) ? build(match, 0) : make(text.match?(/\A\s*-/) ? -1 : 1, 0)
      end
    end

    def build(match, size)
      part = (match[3] || match[4]).to_s.delete("_")
      digits = "#{match[2].to_s.delete("_")}#{part}"
      sign, power = match[1] == "-" ? -1 : 1, match[5].to_s.delete("_").to_i
      number = digits.to_i
      power = 0 if number == 0
      return power > 0 ? out_of_range(sign, "exponent overflow", EXCEPTION_OVERFLOW) : make(sign, 0) if power.abs > POWERS
      make(sign, number, power - part.size, nil, size ? [(digits.size + 8) / 9 + 1, (size + 8) / 9].max : 0)
    end
    private :build

    # An exponent that MRI's words do not hold: infinity or zero, or an exception where the mode says so.
    def out_of_range(sign, message, mode)
      raise FloatDomainError, message if exceptional?(mode)
      mode == EXCEPTION_OVERFLOW ? make(sign, 0, 0, :infinity) : make(sign, 0)
    end

    def mode(which, value = (given = false; nil))
      given = given.nil?
      which = index(which)
      if which == ROUND_MODE
        @round = rounding(value.is_a?(Hash) ? index(value) : value) if given && !value.nil?
        return @round || ROUND_HALF_UP
      end
      raise TypeError, "first argument for BigDecimal.mode invalid" unless which & EXCEPTION_ALL != 0
      @exceptions ||= 0
      return @exceptions unless given && !value.nil?
      raise ArgumentError, "second argument must be true or false" unless [true, false].include?(value)
      @exceptions = value ? @exceptions | which : @exceptions & ~which
    end

    def index(value)
      raise TypeError, "no implicit conversion from nil to integer" if value.nil?
      raise TypeError, "no implicit conversion of #{[true, false].include?(value) ? value : value.class} into Integer" unless value.respond_to?(:to_int)
      value.to_int
    end

    def exceptional?(which) = (@exceptions ||= 0) & which != 0

    def rounding(mode)
      case mode
      when Integer
        raise ArgumentError, "invalid rounding mode" unless mode.between?(1, 7)
        mode
      when Symbol then MODES[mode] || raise(ArgumentError, "invalid rounding mode")
      when Float then rounding(mode.to_i)
      when Hash
        half = mode[:half]
        half.nil? ? self.mode(ROUND_MODE) : HALVES[half.to_s.downcase] || raise(ArgumentError, "invalid rounding mode: #{half}")
      else rounding(index(mode))
      end
    end

    def limit(digits = nil)
      old = @limit || 0
      unless digits.nil?
        digits = index(digits)
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
      text = String.try_convert(text) || raise(TypeError, "no implicit conversion of #{[nil, true, false].include?(text) ? text.inspect : text.class} into String")
      raise ArgumentError, "string contains null byte" if text.include?("\0")
      digits = text[/\A\d*/]
      raise TypeError, "load failed: invalid character in the marshaled string" unless ["", ":"].include?(text[digits.size, 1].to_s)
      BigDecimal(text[digits.size + 1..].to_s)
    end
    def interpret_loosely(text) = parse(text)
  end

  def place(sign, int, exp, kind, room)
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
    @sign, @int, @exp, @kind, @room = sign, int, exp, kind, room
    freeze
  end
  private :place

  def instance_variables = []

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
  # Digits held and digits reserved, in words of nine.
  def precs = [used_digits, reserved_words * 9]
  def used_words = [words(exponent) - @exp.div(9), 1].max
  def used_digits = used_words * 9
  def reserved_words
    return 1 unless finite?
    return [@room, used_words].max if @room
    zero? || exponent.abs > 60 ? 2 : (to_s("F").delete_prefix("-").delete_suffix(".0").delete(".").size + 8) / 9 + 1
  end
  private :used_digits
  protected :used_words, :reserved_words

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
    when Integer then BigDecimal.make(other < 0 ? -1 : 1, other.abs, 0, nil, other.bit_length < 60 ? 3 : [3, (other.abs.to_s.size + 18) / 9].max)
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

  # Operators say that they come "to" such a value, checked values that they are "in" it.
  def nan(message = "Computation results to 'NaN'")
    raise FloatDomainError, message if BigDecimal.exceptional?(EXCEPTION_NaN)
    BigDecimal.make(1, 0, 0, :nan)
  end
  def checked_nan = nan("Computation results in 'NaN' (Not a Number)")
  def infinity(sign, joint = "to")
    raise FloatDomainError, "Computation results #{joint} '#{"-" if sign < 0}Infinity'" if BigDecimal.exceptional?(EXCEPTION_INFINITY)
    BigDecimal.make(sign, 0, 0, :infinity)
  end
  private :nan, :checked_nan, :infinity

  # What is no number raises where the mode says so.
  def checked = @kind.nil? ? self : (nan? ? checked_nan : infinity(@sign, "in"))

  def value_int = @sign * @int
  protected :value_int

  def +(other)
    right = operand(other) or return by_coercion(:+, other)
    return right if right.nan?
    return self if nan?
    if infinite? || right.infinite?
      return nan if infinite? && right.infinite? && @sign != right.signum
      return infinity(infinite? ? @sign : right.signum)
    end
    low = [@exp, right.exp10].min
    total = value_int * 10**(@exp - low) + right.value_int * 10**(right.exp10 - low)
    return BigDecimal.make(@sign < 0 && right.signum < 0 ? -1 : 1, 0) if total == 0
    limited(BigDecimal.make(total < 0 ? -1 : 1, total.abs, low))
  end

  def -(other)
    right = operand(other) or return by_coercion(:-, other)
    self + right.negated
  end

  def *(other)
    right = operand(other) or return by_coercion(:*, other)
    return nan if nan? || right.nan?
    sign = @sign * right.signum
    if infinite? || right.infinite?
      return zero? || right.zero? ? nan : infinity(sign)
    end
    power = @exp + right.exp10
    if power.abs > PRODUCTS && @int != 0 && right.int != 0
      return BigDecimal.out_of_range(sign, *(power > 0 ? ["Exponent overflow", EXCEPTION_OVERFLOW] : ["Exponent underflow", EXCEPTION_UNDERFLOW]))
    end
    limited(BigDecimal.make(sign, @int * right.int, power))
  end

  def limited(made)
    limit = BigDecimal.limit
    limit > 0 ? made.round_digits(limit) : made
  end
  private :limited

  def negated = BigDecimal.make(-@sign, @int, @exp, @kind)
  protected :negated
  def -@ = negated.checked
  def +@ = self
  def abs = BigDecimal.make(1, @int, @exp, @kind).checked

  # What division by zero, NaN and infinities gives; nil for ordinary numbers.
  def special_quotient(right)
    return nan if nan? || right.nan?
    sign = @sign * right.signum
    return right.infinite? ? nan : infinity(sign) if infinite?
    if right.infinite?
      infinity(-1) if BigDecimal.exceptional?(EXCEPTION_INFINITY)
      return BigDecimal.make(sign, 0)
    end
    if right.zero?
      return nan if zero?
      raise FloatDomainError, "Divide by zero" if BigDecimal.exceptional?(EXCEPTION_ZERODIVIDE)
      return infinity(sign, "in")
    end
    BigDecimal.make(sign, 0) if zero?
  end
  private :special_quotient

  # The digits as words of nine before which the point stands, and how many they are.
  def mantissa
    low = @exp.div(9)
    [@int * 10**(@exp - 9 * low), words(exponent) - low]
  end
  protected :mantissa

  # The quotient without its sign, cut to so many words (two of them stand before the point of the quotient of mantissas): a whole number, what remains of the dividend, and the power of BASE that the number is to be taken with.
  def cut_quotient(right, size)
    top, held = mantissa
    bottom, divided = right.mantissa
    shift = divided + size - 2 - held
    shift >= 0 ? top *= BASE**shift : bottom *= BASE**-shift
    whole, rest = top.divmod(bottom)
    [whole, rest, words(exponent) - words(right.exponent) - size + 2]
  end
  protected :cut_quotient

  def quotient_words(right) = ([precision, right.precision, 32].max + 26) / 9
  def leading_word(int) = (text = int.to_s)[0, (text.size - 1) % 9 + 1].to_i
  def unit? = @int == 1 && @exp == 0 && @kind.nil?
  private :quotient_words, :leading_word
  protected :unit?

  def in_room(room) = BigDecimal.make(@sign, @int, @exp, @kind, room)
  protected :in_room

  # Whether the last digit grows, by the first digit that is left out.
  def last_up?(sign, last, digit, mode)
    case mode
    when ROUND_UP then digit > 0
    when ROUND_DOWN then false
    when ROUND_HALF_UP then digit >= 5
    when ROUND_HALF_DOWN then digit > 5
    when ROUND_HALF_EVEN then digit > 5 || (digit == 5 && last.odd?)
    when ROUND_CEILING then digit > 0 && sign > 0
    else digit > 0 && sign < 0
    end
  end
  private :last_up?

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
  private :round_up?

  def words(exponent) = -(-exponent).div(9)
  private :words

  # The digit that rounds is taken from the first words of remainder and divisor, wherever they stand; it changes the last word that is not zero.
  def /(other)
    right = operand(other) or return by_coercion(:/, other)
    special = special_quotient(right) and return special
    sign = @sign * right.signum
    return limited(BigDecimal.make(sign, @int, @exp)) if right.unit?
    whole, rest, power = cut_quotient(right, quotient_words(right))
    limit = BigDecimal.limit
    return BigDecimal.make(sign, whole, power * 9).round_digits(limit) if limit > 0
    if rest > 0
      while whole % BASE == 0
        whole /= BASE
        power += 1
      end
      digit = (BASE * leading_word(rest) / leading_word(right.mantissa[0]) & 0xffff_ffff) / 100_000_000
      whole += 1 if last_up?(sign, whole, digit, BigDecimal.mode(ROUND_MODE))
    end
    BigDecimal.make(sign, whole, power * 9)
  end

  def quo(other, digits = 0)
    digits = precision_of(digits)
    digits > 0 ? div(other, digits) : self / other
  end

  def precision_of(digits)
    digits = BigDecimal.index(digits)
    raise ArgumentError, "negative precision" if digits < 0
    digits
  end
  private :precision_of

  def div(other, digits = nil)
    if digits.nil?
      whole, = divided(other, false) || (return by_coercion(:div, other))
      return whole.to_i
    end
    digits = precision_of(digits)
    return self / other if digits == 0
    right = other.is_a?(Rational) ? BigDecimal(other, digits) : operand(other)
    raise TypeError, "#{shown_operand(other)} can't be coerced into BigDecimal" unless right
    special = special_quotient(right) and return special
    sign = @sign * right.signum
    return BigDecimal.make(sign, @int, @exp).round_digits(digits) if right.unit?
    size = (digits + 35) / 9
    whole, _, power = cut_quotient(right, size)
    BigDecimal.make(sign, whole, power * 9).round_digits(digits).in_room(size)
  end

  # Quotient that is rounded down, and what is left; nil where the other is no number.
  def divided(other, both = true)
    right = operand(other) or return nil
    return [checked_nan, checked_nan] if nan? || right.nan? || (infinite? && right.infinite?)
    raise ZeroDivisionError, "divided by 0" if right.zero?
    return [both && checked_nan, infinity(@sign * right.signum, "in")].reverse if infinite?
    return [BigDecimal.make(1, 0), self] if right.infinite?
    return [BigDecimal.make(1, 0), BigDecimal.make(1, 0)] if zero?
    sign = @sign * right.signum
    whole = right.unit? ? BigDecimal.make(sign, @int, @exp).fix : whole_quotient(right, quotient_words(right), sign)
    rest = self - right * whole
    return [whole, rest] if rest.zero? || sign > 0
    [whole - 1, rest + right]
  end
  def whole_quotient(right, size, sign)
    digits, _, power = cut_quotient(right, size)
    BigDecimal.make(sign, digits, power * 9).fix
  end
  private :divided, :whole_quotient

  def divmod(other) = divided(other) || by_coercion(:divmod, other)
  def %(other)
    pair = divided(other)
    pair ? pair[1] : by_coercion(:%, other)
  end
  alias modulo %

  # With the sign of the dividend. The quotient has as many words as both have reserved: what it lacks stays in the remainder.
  def remainder(other)
    right = operand(other) or return by_coercion(:remainder, other)
    special = special_quotient(right) if !finite? || !right.finite? || right.zero?
    return nan if special
    return BigDecimal.make(@sign < 0 && right.signum > 0 ? -1 : 1, 0) if zero?
    return frac if right.unit?
    size = reserved_words + right.reserved_words
    digits, rest, power = cut_quotient(right, size)
    left = power < 0 ? digits % BASE**-power : 0
    bottom, divided = right.mantissa
    low = [mantissa[1], divided + size - 2].max
    total = rest + left * bottom * BASE**(low - divided - size + 2)
    BigDecimal.make(@sign, total, (words(exponent) - low) * 9)
  end

  def add(other, digits)
    digits = precision_of(digits)
    digits == 0 ? self + other : without_limit { self + other }.round_digits(digits).checked
  end
  def sub(other, digits)
    digits = precision_of(digits)
    digits == 0 ? self - other : without_limit { self - other }.round_digits(digits).checked
  end
  def mult(other, digits)
    digits = precision_of(digits)
    digits == 0 ? self * other : without_limit { self * other }.round_digits(digits).checked
  end
  def without_limit(&block) = BigDecimal.limit == 0 ? yield : BigDecimal.save_limit { BigDecimal.limit(0) && block.call }
  private :without_limit

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
        return Complex(self, 0).__send__(name, other) if other.is_a?(Complex)
        return false if other.is_a?(Numeric) && (nan? || (other.respond_to?(:nan?) && other.nan?))
        raise ArgumentError, "comparison of BigDecimal with #{other.is_a?(Numeric) ? other.inspect : shown_operand(other)} failed"
      end
      order.__send__(name, 0)
    end
  end

  # Rounded to so many digits after the point. A place before the first word leaves nothing, except of ROUND_CEILING and ROUND_FLOOR.
  def round_places(places, mode)
    return checked if !finite? || -@exp <= places
    return BigDecimal.make(@sign, 0) if places + 9 * words(exponent) < 0 && mode != ROUND_CEILING && mode != ROUND_FLOOR
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

  def round(places = (omitted = true; nil), mode = (given = false; nil))
    alone = given == false
    return round_places(0, BigDecimal.rounding(places)) if alone && places.is_a?(Hash)
    places = omitted ? 0 : place_of(places)
    made = round_places(places, alone ? BigDecimal.mode(ROUND_MODE) : BigDecimal.rounding(mode))
    alone && places < 1 ? made.to_i : made
  end
  def place_of(places) = BigDecimal.index(places)
  private :place_of
  def truncate(places = (omitted = true; 0)) = omitted ? whole!.round_places(0, ROUND_DOWN).to_i : round_places(place_of(places), ROUND_DOWN)
  def fix = round_places(0, ROUND_DOWN)
  def frac
    return checked if !finite? || @int == 0
    @exp >= 0 ? BigDecimal.make(@sign, 0) : BigDecimal.make(@sign, @int % 10**-@exp, @exp)
  end
  def floor(places = (omitted = true; 0)) = omitted ? whole!.round_places(0, ROUND_FLOOR).to_i : round_places(place_of(places), ROUND_FLOOR)
  def ceil(places = (omitted = true; 0)) = omitted ? whole!.round_places(0, ROUND_CEILING).to_i : round_places(place_of(places), ROUND_CEILING)

  # What does not fit in one word is rounded down, also below zero.
  def to_i
    whole!
    return value_int * 10**@exp if @exp >= 0
    exponent > 9 ? value_int / 10**-@exp : @sign * (@int / 10**-@exp)
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
    found = exponent > 310 ? @sign * Float::INFINITY : (exponent < -330 ? 0.0 : "#{"-" if @sign < 0}#{@int}e#{@exp}".to_f)
    mode = found == 0 ? EXCEPTION_UNDERFLOW : (found.infinite? ? EXCEPTION_OVERFLOW : nil)
    raise FloatDomainError, "BigDecimal to Float conversion" if mode && BigDecimal.exceptional?(mode)
    found == 0 ? (@sign < 0 ? -0.0 : 0.0) : found
  end

  def to_s(format = "")
    unless format.is_a?(String)
      format = place_of(format)
      raise ArgumentError, "argument must be positive" if format < 1
    end
    return (+"NaN").force_encoding("US-ASCII") if nan?
    text = format.to_s
    lead = @sign < 0 ? "-" : text[/\A[+ ]/].to_s
    return "#{lead}Infinity".force_encoding("US-ASCII") if infinite?
    return "#{lead}0.0".force_encoding("US-ASCII") if zero?
    # what comes after the first character that is no digit does not count
    form = text.delete_prefix(text[/\A[+ ]/].to_s).delete(" \t\n\v\f\r")[/\A\d*F?/i]
    group = form.to_i
    (form.match?(/F\z/i) ? "#{lead}#{plain(group)}" : "#{lead}0.#{grouped(digits, group)}e#{exponent}").force_encoding("US-ASCII")
  end
  alias scientific to_s
  private :scientific
  # What a program that redefines `to_s` does not change.
  def inspect = scientific

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

  def split = [nan? ? 0 : @sign, nan? ? "NaN" : (infinite? ? "Infinity" : digits), 10, exponent]
  def _dump(_level = 0) = "#{reserved_words * 9}:#{self}".b
  def to_json(*) = to_s.to_json
end

class BigDecimal
  NAN = make(1, 0, 0, :nan)
  INFINITY = make(1, 0, 0, :infinity)
end

module Kernel
  def BigDecimal(value, digits = (omitted = true; nil), exception: true)
    unless omitted
      raise TypeError, "no implicit conversion of #{digits.nil? || [true, false].include?(digits) ? digits.inspect : digits.class} into Integer" unless digits.respond_to?(:to_int)
      digits = digits.to_int
      return exception ? raise(ArgumentError, "negative precision") : nil if digits < 0
    end
    BigDecimal.from(value, digits, exception)
  end
  module_function :BigDecimal
end

require "bigdecimal/power"
