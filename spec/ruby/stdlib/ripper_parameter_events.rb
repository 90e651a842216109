# When events are told: parameters without a name, splats, patterns and what follows them.
require "ripper"
class Ev < Ripper
  attr_reader :log
  def initialize(*) = (@log = []; super)
  PARSER_EVENTS.each { |e| define_method(:"on_#{e}") { |*a| @log << e; [e] } }
  SCANNER_EVENTS.each { |e| define_method(:"on_#{e}") { |t| @log << t unless t =~ /\A\s*\z/; t } }
end

def show(s) = s.each { |s| e = Ev.new(s); e.parse; puts s.inspect, e.log.inspect }

show(["def f(*); end", "def f(a, *); end", "def f(**); end", "def f(&); end", "def f(**nil); end", "def f(...); end", "def f(a, ...); g(...) end", "def f(a); end", "f { |a,| }",
      "f { |*| }", "->(*) {}", "def f(*a, **b, &c) 1 end", "f { |(a, b), c| }"])
show(["*a, b = 1", "a, *b, c = 1", "a, (b, *c), d = 1", "a, * = 1", "*, a = 1", "(a, b) = 1"])
show(["case a\nin [b]\n2\nend", "case a\nin A::B(c:)\n1\nend", "case a; in {a: 1}; end", "case a; in [x, *]; end", "case a; in {a:, **nil}; end", "case a; in A(1); end",
      "case a; in A[1]; end", "case a; in {}; end", "case a; in []; end", "a in [b, c]"])
show(["->(a) {}", "->(*a) {}", "->() {}", "->(&) {}", "->(a) do end", "-> {}"])
