# The state after each token, as the lexer and the parser leave it.
require "ripper"
[
  "a # foo\nb", "x(<<A) # c\nt\nA\n", "# foo\n# bar\n\nb # baz", "foo(a, # c\n b)", "a\n  # c\n  .b # d\n", "a # c\n  # d\n\n b",
  "def self.foo x\nend\ndef self.b(y) = 1\ndef m() 1 end", "def update options = {}, *rest\nend", "def <=> other\nend\ndef class; end", "alias :a :b\nalias c []\nundef x, :y",
  "[1, # c\n2]\nif x # c\nend", "case a\nwhen /x/i then 1\nend\ncase a\nin {b: Integer => c} if c\nin [:x, *]\nend", "for a in b do end", "puts \"\#{ a }\#$b\", %w[a b], %i(c), ?a, 1r, 2i",
  "{'a': 'b', \"c\#{1}\": 2}", "let (:song) { 1 }", "a ? :=~ : :==", "x.each { _1 + 1 }\nx.map do\n  _1\nend", "->(a, b = 1) { }\nlambda do |x; y| end",
  "class << self\n  # c\n  attr_reader :a\nend", "x = <<-A + <<~B\n  a\n  A\n  b\n    c\n  B\ny", "a = b = 1\na /2\nfoo /2/\nfoo a, -1", "A::B\nA::b\n::C\na&.b += 1\n@a ||= $b; @@c",
  "return 1 unless x\nbreak\nyield a if b and not c", "begin\n  1\nrescue A, B => e\n  2\nelse\nensure\nend while true", "=begin\nx\n=end\n`ls`\n__END__\nrest", "foo <<A, 1\n\#{x}\n# y\nA\n  # c\nb",
  "a = 1 \\\n  + 2\n", "def f(a:, b: 1, **c, &d)\nend", "x\n\n  ", "x\n ", "f(", "if a\n  b(\n   ", "\"abc", "<<A\nfoo", "[*a, **b]", "é = \"ü\"; é", "BEGIN { }\nEND { }",
].each do |source|
  p source
  Ripper.lex(source).each { |place, kind, text, state| puts "  #{place.join(":")} #{kind} #{text.inspect} #{state}" }
  puts "joined" unless Ripper.tokenize(source).join == source
end
