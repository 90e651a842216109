# Exponents that are too large or too small, and objects that stay the same.
require "bigdecimal"
def attempt(type, &block)
  [false, true].each do |value|
    BigDecimal.save_exception_mode do
      BigDecimal.mode(type, value)
      p block.call
    rescue FloatDomainError => error
      puts error.message
    end
  end
end
attempt(BigDecimal::EXCEPTION_OVERFLOW) { BigDecimal("-1E1111111111111111111") }
attempt(BigDecimal::EXCEPTION_UNDERFLOW) { BigDecimal("-1E-1#{"0" * 100}") }
p BigDecimal("1E1024819115206086000").exponent
attempt(BigDecimal::EXCEPTION_OVERFLOW) { 100.times.inject(BigDecimal("10")) { |x, _| x * x } }
attempt(BigDecimal::EXCEPTION_UNDERFLOW) { 100.times.inject(BigDecimal("0.1")) { |x, _| x * x } }
attempt(BigDecimal::EXCEPTION_OVERFLOW) { BigDecimal("1e400").to_f }
attempt(BigDecimal::EXCEPTION_UNDERFLOW) { BigDecimal("-1e-337").to_f }
attempt(BigDecimal::EXCEPTION_UNDERFLOW) { BigDecimal("1e-322").to_f }
p BigDecimal("0").to_f, BigDecimal("-0").to_f, BigDecimal("0") * BigDecimal("1e9")
number = BigDecimal("1.12", 1)
p number.equal?(BigDecimal(number)), number.equal?(BigDecimal(number, 1)), BigDecimal(number, 1)
p BigDecimal(0.0).equal?(BigDecimal(0.0)), BigDecimal(-0.0).equal?(BigDecimal(-0.0)), BigDecimal(-0.0).sign
p BigDecimal("0e99999999999999999999999"), BigDecimal("-0e-99999999999999999999999"), BigDecimal("4.94e-324").to_f, BigDecimal("5e-324").to_f
