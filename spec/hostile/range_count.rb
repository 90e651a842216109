# NoMemoryError
(1..10**12).count(&:nil?)
