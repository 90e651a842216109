# Functions on BigDecimal.
require "bigdecimal"

module BigMath
  module_function

  def sqrt(x, digits) = x.sqrt(digits)

  def sin(x, digits)
    x = angle(x, digits, "sin") or return BigDecimal::NAN
    negative, x = x
    sum = circular(x, x, 1, digits)
    negative ? -sum : sum
  end

  def cos(x, digits)
    x = angle(x, digits, "cos") or return BigDecimal::NAN
    circular(BigDecimal(1), x[1], 0, digits)
  end

  # Whether the angle is negative, and its size within a full turn; nil where it has none.
  def angle(x, digits, name)
    raise ArgumentError, "Zero or negative precision for #{name}" if digits <= 0
    return nil if x.infinite? || x.nan?
    negative = x < 0
    x = -x if negative
    turn = PI(digits) * 2
    if x > 30 && x > turn
      x %= turn
    else
      x -= turn while x > turn
    end
    [negative, x]
  end

  # The alternating series of sine and cosine from its first term on.
  def circular(first, x, index, digits)
    size = digits + 16
    square = x.mult(x, size)
    sum = term = power = first
    product = BigDecimal(1)
    sign = 1
    each_size(size, -> { [sum, term] }) do |room|
      sign = -sign
      power = square.mult(power, size)
      index += 2
      product *= (index - 1) * index
      term = power.div(product, room) * sign
      sum += term
    end
    sum
  end

  def atan(x, digits)
    raise ArgumentError, "Zero or negative precision for atan" if digits <= 0
    return BigDecimal::NAN if x.nan?
    pi = PI(digits)
    negative = x < 0
    x = -x if negative
    return pi.div(negative ? -2 : 2, digits) if x.infinite?
    return pi / (negative ? -4 : 4) if x.round(digits) == 1
    inverse = x > 1
    x = BigDecimal(1).div(x, digits) if inverse
    halved = x > 0.5
    x = (sqrt(x**2 + 1, digits) - 1) / x if halved
    sum = near_zero(x, digits)
    sum *= 2 if halved
    sum = pi / 2 - sum if inverse
    negative ? -sum : sum
  end

  def near_zero(x, digits)
    size = digits + 16
    square = x.mult(x, size)
    sum = term = power = x
    index = 1
    each_size(size, -> { [sum, term] }) do |room|
      power = -power.mult(square, size)
      term = power.div(index += 2, room)
      sum += term
    end
    sum
  end
  private_class_method :angle, :circular, :near_zero

  def E(digits)
    raise ArgumentError, "Zero or negative precision for E" if digits <= 0
    exp(1, digits)
  end

  # By Machin's formula: 16 arctan(1/5) - 4 arctan(1/239).
  def PI(digits)
    raise ArgumentError, "Zero or negative precision for PI" if digits <= 0
    size = digits + 16
    sum = BigDecimal(0)
    [[BigDecimal("-80"), ->(power) { power * BigDecimal("-0.04") }], [BigDecimal("956"), ->(power) { power.div(BigDecimal("-57121"), size) }]].each do |power, step|
      term = BigDecimal(1)
      index = -1
      each_size(size, -> { [sum, term] }) do |room|
        power = step.call(power)
        term = power.div(index += 2, room)
        sum += term
      end
    end
    sum
  end
end
