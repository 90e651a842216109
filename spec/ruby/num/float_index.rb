# Floats as indexes: up to 2**63, and from -2**63 on.
[9223372036854775807.0, -9223372036854775808.0, -9223372036854777856.0, 9.25e18, 9223372036854774784.0].each do |number|
  p [1][number]
rescue RangeError => error
  puts error.message
end
