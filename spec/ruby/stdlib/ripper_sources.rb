# What Ripper reads: text, what converts to it, or anything with `gets`.
require "ripper"
require "stringio"
require "tempfile"
def t
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end
class Text
  def initialize(text) = @text = text
  def to_str = @text
end
class Lines
  def initialize(*lines) = @lines = lines
  def gets = @lines.shift
  def read = "never"
end
class Private
  def to_str = "c(1)"
  def read = "never"
  private def gets = "never"
end
t { Ripper.sexp(Text.new("a + 1")) }
t { Ripper.sexp(Lines.new("a(\n", "2)\n")) }
t { Ripper.sexp(Lines.new) }
t { Ripper.sexp(Private.new) }
t { Ripper.sexp(StringIO.new("d\ne\n")) }
t { Tempfile.create { |file| file.write("f = 1"); file.rewind; Ripper.sexp(file) } }
t { Ripper.lex(Text.new("x")).map { |token| token[1] } }
t { Ripper.sexp(5) }
t { Ripper.sexp(nil) }
t { Ripper.sexp(Object.new) }
t { Ripper.tokenize(Text.new("a b")) }
