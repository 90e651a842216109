require "rbconfig"

# Sizes and limits of C's types on 64-bit Linux.
module RbConfig
  SIZEOF = {
    "int" => 4, "short" => 2, "long" => 8, "long long" => 8, "__int128" => 16, "off_t" => 8, "void*" => 8, "float" => 4, "double" => 8, "time_t" => 8, "clock_t" => 8, "size_t" => 8,
    "ptrdiff_t" => 8, "dev_t" => 8, "int8_t" => 1, "uint8_t" => 1, "int16_t" => 2, "uint16_t" => 2, "int32_t" => 4, "uint32_t" => 4, "int64_t" => 8, "uint64_t" => 8, "int128_t" => 16,
    "uint128_t" => 16, "intptr_t" => 8, "uintptr_t" => 8, "ssize_t" => 8, "wchar_t" => 4, "wint_t" => 4, "_Bool" => 1, "long double" => 16
  }.freeze

  signed = ->(bits) { { max: 2**(bits - 1) - 1, min: -2**(bits - 1) } }
  limits = { "FIXNUM_MAX" => 2**62 - 1, "FIXNUM_MIN" => -2**62 }
  { "CHAR" => 8, "SCHAR" => 8, "SHRT" => 16, "INT" => 32, "LONG" => 64, "LLONG" => 64, "INT8" => 8, "INT16" => 16, "INT32" => 32, "INT64" => 64, "INTMAX" => 64, "INTPTR" => 64 }.each do |name, bits|
    limits["#{name}_MAX"], limits["#{name}_MIN"] = signed[bits].values_at(:max, :min)
    limits["U#{name.delete_prefix("S") if name == "SCHAR"}#{name unless name == "SCHAR"}_MAX"] = 2**bits - 1 unless name == "CHAR"
  end
  limits["SIZE_MAX"] = 2**64 - 1
  limits["PTRDIFF_MAX"], limits["PTRDIFF_MIN"] = signed[64].values_at(:max, :min)
  LIMITS = limits.merge("FLT_DIG" => 6, "DBL_DIG" => 15, "FLT_MANT_DIG" => 24, "DBL_MANT_DIG" => 53, "DBL_MAX" => Float::MAX, "DBL_MIN" => Float::MIN, "DBL_EPSILON" => Float::EPSILON).freeze
end
