# NoMemoryError
require "json"
JSON.parse("[" + "{}," * 20_000_000 + "1]")
