# Ripper: tokens and lists.
require "ripper"
require "pp"

source = <<'RUBY'
class A < B::C
  attr_reader :x, "y"
  def self.made(a, b = 1, *c, d:, e: 2, **f, &g)
    @x ||= a[0] + b.size * -1
    return c unless d && e
    yield(*c)
  rescue Error, Other => error
    puts "a#{error.message}b" if error
  else
    nil
  ensure
    done!
  end

  def x=(value)
    self.class.y, *@rest = value, 2
  end
end
expect { foo.bar }.to change { x&.y }.from(%w[a b]).to([1, *two])
list.each_with_index do |item, (index, _); other|
  next if item == :skip
  hash = { a: 1, "b" => 2, **more }
  case item
  when Integer, /x#{1}y/i then go item, to: "there"
  else stay
  end
  while true do break end
  begin a end until b ? c : d
  -> (z) { z }
end
text = <<~TEXT + 'plain'
  first
TEXT
x.y = 1..2
RUBY
pp Ripper.sexp(source)
Ripper.lex(source.sub("<<~TEXT", "<<TEXT").sub(/^  first/, "first")).each { |token| p token.take(3) }
p Ripper.tokenize("a = [1, -2.5r, ?c, %i(a b)] # no\n")
p Ripper.sexp("def (")
p Ripper.sexp("")
