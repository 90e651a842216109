# Lexers with methods of their own for tokens.
require "ripper"

class Listening < Ripper::Lexer
  attr_reader :heard

  def initialize(...)
    super
    @heard = []
  end

  def on_ident(text)
    @heard << [lineno, column, text, state.to_s]
    super
  end

  def on_comment(text)
    token = super
    @heard << [token.class, token.event, token.tok, token.pos]
    token
  end

  # Without super a token is not handed on.
  def on_sp(text) = @heard << :space
end

source = "def add(a, b) # sum\n  a + b\nend\n"
lexer = Listening.new(source)
p lexer.lex.map { |place, event, text, state| [place, event, text, state.to_s] }
lexer.heard.each { |each| p each }
p Listening.new("x = <<A, 1\ntext\nA\ny").tokenize
p Listening.new(source).parse.first.class
p Ripper::Lexer.new(source).tokenize.size
