# BigDecimal: powers, roots, exponentials and logarithms. Their last digits depend on how many digits each step keeps.
class BigDecimal
  def power(other, digits = nil)
    size = digits.nil? ? used_digits : place_of(digits)
    return checked_nan if nan?
    exponent = power_of(other)
    exponent = whole_power(exponent) || (return broken_power(exponent, digits, size))
    return zero_power(exponent) if zero?
    return BigDecimal.make(1, 1) if exponent == 0
    return self if exponent == 1
    return infinite_power(exponent) if infinite?
    return beyond(exponent) if exponent.bit_length > 62
    made = counted_power(exponent)
    digits.nil? ? made : made.round_places(size, BigDecimal.mode(ROUND_MODE))
  end
  def **(other) = power(other)

  def power_of(other)
    return other if other.is_a?(Integer) || other.is_a?(Float) || other.is_a?(Rational) || other.is_a?(BigDecimal)
    raise TypeError, "wrong argument type #{other.class} (expected scalar Numeric)"
  end

  # The exponent as an Integer, or nil where it is broken. A Float that is not a number is broken, a BigDecimal that is none raises.
  def whole_power(other)
    case other
    when Integer then other
    when Float then other.nan? ? nil : (other == other.round ? other.to_i : nil)
    when Rational then other.denominator == 1 ? other.numerator : nil
    else other == other.round(0) ? other.to_i : nil
    end
  end

  def zero_power(exponent)
    return BigDecimal.make(1, exponent == 0 ? 1 : 0) unless exponent < 0
    infinity(@sign < 0 && exponent.is_a?(Integer) && exponent.odd? ? -1 : 1, "in")
  end

  def infinite_power(exponent)
    odd = @sign < 0 && exponent.odd?
    exponent < 0 ? BigDecimal.make(odd ? -1 : 1, 0) : infinity(odd ? -1 : 1, "in")
  end

  # Exponents beyond the machine's words are not counted out.
  def beyond(exponent)
    order = abs <=> 1
    return BigDecimal.make(1, 1) if order == 0
    return infinity(exponent.even? ? @sign : -@sign, "in") if (order < 0) == (exponent < 0)
    BigDecimal.make(@sign < 0 && exponent.even? ? -1 : 1, 0)
  end

  def counted_power(exponent)
    size = exponent.abs
    made = BigDecimal.limit > 0 ? limited_power(size) : BigDecimal.make(@sign < 0 && size.odd? ? -1 : 1, @int**size, @exp * size)
    return made if exponent > 0
    whole, _, power = BigDecimal.make(1, 1).cut_quotient(made, (used_words * 10 * (size + 1) + 8) / 9 + 2)
    limited(BigDecimal.make(made.signum, whole, power * 9))
  end

  # Each product is rounded to the limit.
  def limited_power(exponent)
    made = limited(self)
    exponent -= 1
    while exponent > 0
      square = limited(self)
      taken = 1
      while taken * 2 <= exponent
        square *= square
        taken *= 2
      end
      exponent -= taken
      made *= square
    end
    made
  end

  def broken_power(other, digits, size)
    case other
    when Float
      power = BigDecimal(other, 0)
      size += 16 if digits.nil?
    when Rational
      power = BigDecimal(other, size)
      size += size if digits.nil?
    else
      power = other
      size += other.used_words * 9 if digits.nil?
    end
    return zero_power(other) if zero?
    if infinite?
      return BigDecimal.make(@sign, 0) if other < 0
      raise Math::DomainError, "a non-integral exponent for a negative base" if @sign < 0
      return infinity(1, "in")
    end
    BigMath.exp(power.mult(BigMath.log(self, size + 1), size + 1), size)
  end
  private :power_of, :whole_power, :zero_power, :infinite_power, :beyond, :counted_power, :limited_power, :broken_power

  def sqrt(digits)
    digits = precision_of(digits)
    return checked if zero? || infinite? == 1
    raise FloatDomainError, "sqrt of negative value" if @sign < 0
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    return self if unit?
    root(([used_words * 10, digits + 25].max + 8) / 9)
  end

  # Newton's way to the root, in words of nine digits: from the root of a Float, with twice as many words at each step.
  def root(words)
    found = float_root(words)
    size = [2, words].min
    [words * 9, 100].max.times do
      size = [size * 2, words].min
      step = ((root_quotient(found, size) - found) * BigDecimal("0.5")).fit(size)
      break if step.zero?
      found = (found + step).fit(size)
    end
    found.abs
  end

  def root_quotient(found, size)
    return fit(size) if found.unit?
    digits, _, power = cut_quotient(found, size)
    BigDecimal.make(1, digits, power * 9)
  end

  # The root of the first two words as a Float.
  def float_root(words)
    digits, held = mantissa
    part = 0.0
    unit = 1.0
    digits.to_s.rjust(held * 9, "0").scan(/.{9}/).first(2).each do |word|
      unit /= 1e9
      part += word.to_i * unit
    end
    power = words(exponent)
    half = (power / 2.0).truncate
    if power != half * 2
      part /= 1e9
      half = ((power + 1) / 2.0).truncate
    end
    float_words(Math.sqrt(part), half, words)
  end

  def float_words(part, power, words)
    while part >= 1.0
      part /= 1e9
      power += 1
    end
    while part < 1e-9
      part *= 1e9
      power -= 1
    end
    digits = count = 0
    while part > 0 && count < words
      part *= 1e9
      digits = digits * BASE + part.to_i
      part -= part.to_i
      count += 1
    end
    BigDecimal.make(1, digits, (power - count) * 9)
  end
  private :root, :root_quotient, :float_root, :float_words

  # Rounded to so many words by the first digit that is left out; a last word of zeros stays.
  def fit(size)
    return self if zero?
    digits, held = mantissa
    return self if held <= size
    kept, left = digits.divmod(BASE**(held - size))
    digit = left / BASE**(held - size - 1) / 100_000_000
    kept += 1 if kept % BASE != 0 && last_up?(@sign, kept, digit, BigDecimal.mode(ROUND_MODE))
    BigDecimal.make(@sign, kept, (words(exponent) - size) * 9)
  end
  protected :fit
end

module BigMath
  module_function

  # e**x by its series; a term has fewer digits the farther it is below the sum.
  def exp(x, digits)
    raise ArgumentError, "Zero or negative precision for exp" if digits <= 0
    x = operand(x, digits)
    return x if x.nan?
    return x.infinite? > 0 ? x : BigDecimal(0) if x.infinite?
    negative = x.sign < 0
    x = x.abs
    sum = term = one = BigDecimal(1)
    index = 0
    each_size(digits + 16, -> { [sum, term] }) do |size|
      term = (term * x).div(index += 1, size)
      sum += term
    end
    negative ? one.div(sum, digits) : sum.round(digits - sum.exponent)
  end

  # The natural logarithm by the series of artanh; powers of ten are taken out of numbers that are not between 0.1 and 1000.
  def log(x, digits)
    raise ArgumentError, "precision must be an Integer" unless digits.is_a?(Integer)
    raise ArgumentError, "Zero or negative precision for exp" if digits <= 0
    raise Math::DomainError, "Complex argument for BigMath.log" if x.is_a?(Complex)
    raise Math::DomainError, "Zero or negative argument for log" if x.is_a?(Numeric) && x <= 0
    x = operand(x, digits)
    return x if x.nan? || x.infinite?
    size = digits + 16
    powers = x.exponent
    powers = 0 if powers.between?(0, 2)
    x = x.mult(BigDecimal("1e#{-powers}"), size) if powers != 0
    sum = term = part = (x - 1).div(x + 1, size)
    square = part.mult(part, size)
    index = 1
    each_size(size, -> { [sum, term] }) do |room|
      part = square.mult(part, size)
      term = part.div(index += 2, room)
      sum += term
    end
    sum *= 2
    powers == 0 ? sum : sum + log(10, digits) * powers
  end

  def operand(x, digits)
    case x
    when BigDecimal then x
    when Integer then BigDecimal(x)
    when Float then BigDecimal(x, 0)
    when Rational then BigDecimal(x, digits)
    else raise ArgumentError, "#{x.nil? || x == true || x == false || x.is_a?(Symbol) ? x.inspect : x.class} can't be coerced into BigDecimal"
    end
  end

  # Runs the block while the term counts, with how many digits of it do.
  def each_size(size, state)
    loop do
      sum, term = state.call
      break if term.zero?
      room = size - (sum.exponent - term.exponent).abs
      break if room <= 0
      yield [room, 16].max
    end
  end
  private_class_method :operand, :each_size
end
