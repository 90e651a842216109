# A small stand-in for cmath: functions of Math that also take what has a complex result.
module CMath
  include Math
  extend self
  def exp(z) = z.real? ? Math.exp(z) : Complex(Math.exp(z.real) * Math.cos(z.imag), Math.exp(z.real) * Math.sin(z.imag))

  def log(z, base = Math::E)
    l = z.real? && z >= 0 ? Math.log(z) : Complex(Math.log(z.abs), z.arg)
    base == Math::E ? l : l / log(base)
  end
  def log2(z) = z.real? && z >= 0 ? Math.log2(z) : log(z) / Math.log(2)
  def log10(z) = z.real? && z >= 0 ? Math.log10(z) : log(z) / Math.log(10)

  def sqrt(z)
    return z >= 0 ? Math.sqrt(z) : Complex(0, Math.sqrt(-z)) if z.real?
    r = z.abs
    x = z.real
    Complex(Math.sqrt((r + x) / 2.0), z.imag.negative? ? -Math.sqrt((r - x) / 2.0) : Math.sqrt((r - x) / 2.0))
  end
  def cbrt(z) = z.real? ? Math.cbrt(z) : z**(1.0 / 3)
  def sin(z) = z.real? ? Math.sin(z) : Complex(Math.sin(z.real) * Math.cosh(z.imag), Math.cos(z.real) * Math.sinh(z.imag))
  def cos(z) = z.real? ? Math.cos(z) : Complex(Math.cos(z.real) * Math.cosh(z.imag), -Math.sin(z.real) * Math.sinh(z.imag))
  def tan(z) = z.real? ? Math.tan(z) : sin(z) / cos(z)
  def sinh(z) = z.real? ? Math.sinh(z) : Complex(Math.sinh(z.real) * Math.cos(z.imag), Math.cosh(z.real) * Math.sin(z.imag))
  def cosh(z) = z.real? ? Math.cosh(z) : Complex(Math.cosh(z.real) * Math.cos(z.imag), Math.sinh(z.real) * Math.sin(z.imag))
  def tanh(z) = z.real? ? Math.tanh(z) : sinh(z) / cosh(z)
  def asin(z) = z.real? && z.abs <= 1 ? Math.asin(z) : -1.0.i * log(1.0.i * z + sqrt(1.0 - z * z))
  def acos(z) = z.real? && z.abs <= 1 ? Math.acos(z) : -1.0.i * log(z + 1.0.i * sqrt(1.0 - z * z))
  def atan(z) = z.real? ? Math.atan(z) : 1.0.i * log((1.0.i + z) / (1.0.i - z)) / 2.0
  def atan2(y, x) = Math.atan2(y, x)
  def asinh(z) = z.real? ? Math.asinh(z) : log(z + sqrt(1.0 + z * z))
  def acosh(z) = z.real? && z >= 1 ? Math.acosh(z) : log(z + sqrt(z * z - 1.0))
  def atanh(z) = z.real? && z.abs <= 1 ? Math.atanh(z) : log((1.0 + z) / (1.0 - z)) / 2.0
end
