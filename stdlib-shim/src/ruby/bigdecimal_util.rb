# Conversions to BigDecimal: `to_d`.
require "bigdecimal"

class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(digits = 0) = BigDecimal(self, digits)
end

class String
  def to_d = BigDecimal.interpret_loosely(self)
end

class BigDecimal
  def to_d = self

  # The sign is that of the whole part: none before a zero.
  def to_digits
    return to_s if nan? || infinite? || zero?
    _, digits, _, power = frac.split
    "#{to_i}.#{"0" * -power}#{digits}"
  end
end

class Rational
  def to_d(digits) = BigDecimal(self, digits)
end

class Complex
  def to_d(*digits)
    BigDecimal(self) unless imaginary == 0
    BigDecimal(real) if digits.empty? && real.is_a?(Rational)
    real.to_d(*digits)
  end
end

class NilClass
  def to_d = BigDecimal(0)
end
