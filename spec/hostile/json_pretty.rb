# NoMemoryError
require "json"
JSON.generate([[1] * 1000], indent: "x" * 10_000_000, array_nl: "\n")
