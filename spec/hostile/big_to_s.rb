# NoMemoryError
n = (1 << 30_000_000) - 1; 1000.times { n.to_s }
