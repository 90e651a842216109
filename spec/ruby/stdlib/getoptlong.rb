require 'getoptlong'
def run(args, opts, ordering = nil, quiet: true)
  ARGV.replace(args)
  g = GetoptLong.new(*opts); g.quiet = quiet; g.ordering = ordering if ordering
  out = []
  g.each { |n, a| out << [n, a] }
  p out, ARGV
rescue => e
  p e.class, e.message, out, ARGV
end
O = [["--size", "-s", GetoptLong::REQUIRED_ARGUMENT], ["--verbose", "-v", GetoptLong::NO_ARGUMENT], ["--query", "-q", GetoptLong::OPTIONAL_ARGUMENT], ["--version", GetoptLong::NO_ARGUMENT]]
run(%w[-s10k -v foo --query x bar --size=3 -vq5 -vvq], O)
run(%w[foo -v], O, GetoptLong::REQUIRE_ORDER)
run(%w[foo -v bar], O, GetoptLong::RETURN_IN_ORDER)
run(%w[-v -- -s x], O)
run(%w[--si 5 --verb], O)
run(%w[--ver], O)
run(%w[--nope], O)
run(%w[-x], O)
run(%w[-vs], O)
run(%w[--size], O)
run(%w[--verbose=1], O)
run(%w[- a -v], O)
run(%w[--query -v], O)
(GetoptLong.new(["--a", "--a", 1]) rescue p $!)
(GetoptLong.new(["a", 1]) rescue p $!)
(GetoptLong.new(["--a"]) rescue p $!)
require 'pstore'; require 'tmpdir'
Dir.mktmpdir do |d|
  s = PStore.new(d + "/x")
  p s.transaction { s[:a] = 1; s[:b] = [1]; 5 }
  p s.transaction(true) { [s[:a], s.roots, s.fetch(:z, 3), s.root?(:q)] }
  p s.transaction { s[:a] = 2; s.abort }
  p s.transaction { s[:a] }
  p s.transaction { s[:a] = 7; s.commit; 9 }
  begin; s.transaction { s[:a] = 9; raise "x" }; rescue => e; p e; end
  p s.transaction { s[:a] }
  begin; s.transaction(true) { s[:a] = 1 }; rescue => e; p e; end
  begin; s[:a]; rescue => e; p e; end
  begin; s.transaction { s.fetch(:zz) }; rescue => e; p e; end
  begin; s.transaction { s.transaction { } }; rescue => e; p e; end
  p s.path == d + "/x"
  p s.transaction { s.delete(:a) }
  begin; PStore.new(d + "/no/x"); rescue => e; p e.class; end
end
require 'expect'
r, w = IO.pipe; w.write "login: joe\npass"; w.close
p r.expect(/in: (\w+)/), r.expect("pass"), r.expect(/zz/, 0.1)
