# Ripper::Filter hands each token to the method of its kind, and what one answers to the next.
require "ripper"
class Names < Ripper::Filter
  def on_ident(text, found) = found << [text, lineno, column]
  def on_default(kind, text, found)
    found << kind if kind == :on_comment
    found
  end
end
p Names.new("a = b # one\n  c(d)\n", "file.rb").parse([])
p Names.new("x", "file.rb", 7).tap { |filter| p filter.filename, filter.lineno }.parse([])
p Ripper::Filter.new("x + 1").parse(:kept)
