# Psych::SyntaxError
require "yaml"
YAML.load("{a: " * 100_000)
