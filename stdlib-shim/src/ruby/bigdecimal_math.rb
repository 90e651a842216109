# Functions on BigDecimal.
require "bigdecimal"

module BigMath
  module_function

  def sqrt(x, digits) = x.sqrt(digits)

  # e**x by the series, after halving x until it is small.
  def exp(x, digits)
    raise ArgumentError, "Zero or negative precision for exponential" if digits <= 0
    x = BigDecimal(x, digits + 10) unless x.is_a?(BigDecimal)
    return BigDecimal::NAN if x.nan?
    return x.infinite? > 0 ? BigDecimal::INFINITY : BigDecimal(0) if x.infinite?
    halvings = 0
    size = digits + 10 + [x.exponent, 0].max * 2
    rest = x
    while rest.abs > BigDecimal("0.1")
      rest = rest.div(2, size)
      halvings += 1
    end
    size += halvings
    sum = term = BigDecimal(1)
    (1..).each do |index|
      term = term.mult(rest, size).div(index, size)
      break if term.zero? || term.exponent < sum.exponent - size
      sum = sum.add(term, size)
    end
    halvings.times { sum = sum.mult(sum, size) }
    sum.round(digits - sum.exponent)
  end

  # The natural logarithm: by the series of artanh, after taking powers of ten and square roots out.
  def log(x, digits)
    raise ArgumentError, "Zero or negative precision for logarithm" if digits <= 0
    raise Math::DomainError, "Complex argument for BigMath.log" if x.is_a?(Complex)
    x = BigDecimal(x, digits + 10) unless x.is_a?(BigDecimal)
    return BigDecimal::NAN if x.nan?
    raise Math::DomainError, "Zero or negative argument for log" if x <= 0
    return BigDecimal::INFINITY if x.infinite?
    return BigDecimal(0) if x == 1
    size = digits + 12
    powers = x.exponent
    ten = powers == 0 ? 0 : near_one(BigDecimal(10), size) * powers
    (near_one(x * BigDecimal(10)**-powers, size) + ten).round(digits - [powers.abs.to_s.size, 1].max + 1)
  end

  def near_one(x, size)
    roots = 0
    while (x - 1).abs > BigDecimal("0.1")
      x = x.sqrt(size).round(size)
      roots += 1
    end
    y = (x - 1).div(x + 1, size)
    square = y.mult(y, size)
    sum = term = y
    (3..).step(2) do |index|
      term = term.mult(square, size)
      break if term.zero? || term.exponent < -size
      sum = sum.add(term.div(index, size), size)
    end
    sum * 2 * 2**roots
  end
  private_class_method :near_one

  def E(digits)
    raise ArgumentError, "Zero or negative precision for E" if digits <= 0
    exp(BigDecimal(1), digits)
  end

  # By Machin's formula.
  def PI(digits)
    raise ArgumentError, "Zero or negative precision for PI" if digits <= 0
    unit = 10**(digits + 10)
    arctan = lambda do |inverse|
      sum = term = unit / inverse
      index = 1
      until term == 0
        term /= inverse * inverse
        index += 2
        sum += index % 4 == 3 ? -(term / index) : term / index
      end
      sum
    end
    BigDecimal(4 * (4 * arctan.(5) - arctan.(239))).div(BigDecimal(unit), digits + 2)
  end
end
