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

class Rational
  def to_d(digits = 0)
    raise ArgumentError, "negative precision" if digits < 0
    BigDecimal(self, digits)
  end
end

class Complex
  def to_d(*digits)
    BigDecimal(self) unless imaginary == 0
    real.to_d(*digits)
  end
end

class NilClass
  def to_d = BigDecimal(0)
end
