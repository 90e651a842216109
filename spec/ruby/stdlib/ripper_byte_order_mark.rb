# A byte order mark is no token and has no column.
require "ripper"
source = "\u{FEFF}class A; yield; end\nb"
p Ripper.lex(source), Ripper.sexp(source), Ripper.tokenize(source)
class Names < Ripper
  def on_const(name) = p(name, lineno, column)
  def on_ident(name) = p(name, lineno, column)
end
Names.new(source).parse
