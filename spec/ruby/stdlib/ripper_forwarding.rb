# Forwarded arguments behind others, and operators on the constants of a module.
require "ripper"
["def f(a, ...) g(1, ...) end", "def f(...) x.g(...) end", "A::B ||= 1", "::A &&= 1", "A::B += 1", "not()", "not x", "not(x)"].each do |source|
  p Ripper.sexp_raw(source), Ripper.sexp(source)
end
