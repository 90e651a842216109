# NoMemoryError
require "json"
a = ["x"]
40.times { a = [a, a] }
JSON.generate(a)
