# What is told of an error knows where its token begins; at the end of the source, where the last line ends. Lexers that have methods for errors are told too.
require "ripper"
class Told < Ripper
  def on_parse_error(message) = p([message, lineno, column])
end
["foo(\n", "a = 1\nfoo(\n", "foo(", "x = [1,\n", "{", "foo)\n", "1 = 2\n", "foo(1\n\n\n", "foo(a,", "foo 1 2\n", "}\n"].each { |text| Told.new(text, "-").parse }
%i[parse lex].each do |name|
  lexer = Ripper::Lexer.new("a = 1\nfoo(\n")
  def lexer.on_parse_error(message) = raise(ArgumentError, "#{message} at #{lineno}:#{column}")
  p lexer.__send__(name)
rescue ArgumentError => error
  p error.message
end
class Told::Lexer < Ripper::Lexer
  def on_parse_error(message) = p([:told, message])
end
Told::Lexer.new("foo(\n").lex
p Ripper::Lexer.new("foo(\n").lex.size
class Strict < Ripper::Filter
  def initialize(source, *)
    super
    @__lexer.define_singleton_method(:on_parse_error) { |message| raise ArgumentError, "#{filename}:#{lineno}:#{column} #{message}" }
  end
end
p Strict.new("a = 1", "file.rb").parse(:kept)
begin
  Strict.new("foo(\n", "file.rb", 3).parse
rescue ArgumentError => error
  p error.message
end
