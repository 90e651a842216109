# NoMemoryError
s = "x" * 50_000_000; "#{s}#{s}#{s}#{s}"
