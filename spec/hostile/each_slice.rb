# NoMemoryError
(1..10**12).each_slice(2).include?(nil)
