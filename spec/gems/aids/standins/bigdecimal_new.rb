# BigDecimal.new as it was before bigdecimal 2.
require "bigdecimal"
def BigDecimal.new(...) = BigDecimal(...)
