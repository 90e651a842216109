# Tokens of texts whose indentation goes: line by line, what is taken from a line is a token of its own.
require "ripper"
["<<~E\na\nb\nE\n", "<<~E\n  a\n   b\nE\n", "<<~E\n  a\n\n   b\n  \nE\n", "x = <<~E\n  \#{1}\n    \#{2} c\nE\n", "<<~E\n    \#{1} a\n  b\#{2}\n c\nE\n",
 "[<<~A, <<~'B'].each\n  a\nA\n    b\n   c\nB\n", "<<~E\n\ta\n        b\nE\n", "<<-E\n  a\n  b\n  E\n", "foo(<<~E)\n  a\n  E\nbar", "<<~E\n\#{1}\n  a\nE\n",
 "<<~E\n  a\\n\n  b\nE\n", "<<~E\nE\n", "<<~E\n\n  a\nE\n"].each do |source|
  p Ripper.lex(source).map { |token| token[0, 3] }, Ripper.tokenize(source).join == source, Ripper.sexp(source)
end
