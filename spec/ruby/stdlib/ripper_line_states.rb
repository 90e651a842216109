# The states of Ripper.lex: what may follow each token.
require "ripper"
SOURCES = [
  "foo <<A, b\nx \#{y z}\nA\n",
  "x = \"a\#{b c}d\#@e\"\nq = :\"a\#{1}\"\nfoo :+, :[]=\n",
  "foo /a/, %w[a b], `ls`\n:a.b :c, &:d\n",
  "def m a, b = 1, *c, d:, e: 2, **f, &g\n a b\nend\ndef n quality = 1\nend\n",
  "def m(a, b = 1) = a + b\ndef [] name\n name\nend\n",
  "->(x, y = 1) { x }\n-> z do z end\nfoo { |a, (b, c), d: 1| a b }\nfoo do || end\n",
  "class A < B; def self.x; end; end\nclass << self\nend\nmodule C::D end\n",
  "case x\nin {a:, b: [c, *d]} if c\n 1\nin A(q) then q\nend\nfoo x => 1\nif x in [z] then z end\n",
  "foo (1) { 2 }\nfoo 1 do |x| end\nwhile x do y end\nfor a in b\n c.d do |e| e end\nend\n",
  "a = 1\na [1]\na (2)\na ? b : c\na.b = 2\na&.c += 3\nalias x y\nundef p, q\nalias $new $old\nalias == eql?\nalias a= b=\n",
  "begin\n x\nrescue A, B => e\n e\nensure\n y\nend while z\nx rescue y\n",
  "return if x\nyield 1\nsuper(a)\nnot x\nputs(-1, - 2, !a)\nfoo -1\nfoo - 1\n",
  "a = {b: 1, \"c\": 2, :d => 3, **e}\n[a, *b]\n@a ||= $b\n@@c\nA::B::c\n::D\nfoo b: (c), d: {}\n",
  "for i, j in x do i end\n?a + b ? ?c : d\n1..2\n(a..)\n%i[a]\n",
  "foo\n  .bar\n  # c\n  .baz(1,\n 2)\nx.\n  y\n",
  "if a then b else c end\nunless a; end\na and b or not c\nBEGIN { 1 }\n__FILE__\ndefined? x\n",
  "def +(o) = 1\ndef a=(v); end\ndef `(x); end\ndef self.[](i); end\ndef self.if x; x end\nx.+ 1\nx.class\n",
  "x\n # c\n # d\n\n # e\ny # f\nz(1, # g\n # h\n\n 2)\n",
  "a = 1 # c\r\nb \\\r\n  c\r\n\r\n[1,\r\n 2]\r\n",
  "a, (b, *c), d.e = f\na b\nself.g, h = 1, 2\nh i\nx = lambda { |y; z| z }\n",
]
SOURCES.each do |source|
  puts "== #{source.inspect}"
  Ripper.lex(source).each { |place, kind, text, state| puts "#{place.join(":")} #{kind} #{text.inspect} #{state}" }
end
# a state is a number of bits, too
state = Ripper.lex("foo a: 1").find { |_, kind| kind == :on_label }[3]
p state.to_i == Ripper::EXPR_ARG | Ripper::EXPR_LABELED, state.allbits?(Ripper::EXPR_LABELED), state & Ripper::EXPR_ARG
# here-documents in here-documents and in literals
["x = foo(<<A, <<B) do |y|\n\#{bar(<<C, 1) + 2}\n  c\nC\nA\n e\nB\n  # comment\n  z\nend\n", "z /\#{<<B}/i\nq\nB\nw\n", "f <<A # c\n\#{g <<B # d\nb\nB\n}\nA\n  # e\nh\n"].each do |source|
  puts "== #{source.inspect}"
  Ripper.lex(source).each { |place, kind, text, state| puts "#{place.join(":")} #{kind} #{text.inspect} #{state}" }
end
