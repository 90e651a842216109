# NoMemoryError
(1..60).to_a.combination(30).sum { 1 }
