# NoMemoryError
(1..30).to_a.permutation.find { false }
