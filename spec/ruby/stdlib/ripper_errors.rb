# Ripper subclassed for errors: what the grammar does not have.
require "ripper"
class Checked < Ripper
  def on_parse_error(message) = p([:parse_error, message, lineno])
  def compile_error(message) = p([:compile_error, message])
end
["1 + 1", "1 +", "foo(", "\"abc", "if true", "x = 1; x", "end", "1 = 2", "}", "", "yield"].each do |source|
  checked = Checked.new(source, "f.rb", 5)
  p source, checked.parse.class, checked.error?, checked.filename
end
p Ripper.new("1 + 1").parse, Ripper.new("1 +").parse, Ripper.new("1 +").tap(&:parse).error?
class Raising < Ripper
  class Wrong < StandardError; end
  private def on_parse_error(*) = raise(Wrong)
end
p((Raising.new("(").parse rescue $!.class), Raising.new("a b").parse)
