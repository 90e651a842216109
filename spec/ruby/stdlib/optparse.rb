require "optparse"
def run(argv)
  prs = nil
  o = {}
  prs = OptionParser.new do |opts|
    opts.banner = "Usage: x [options]"
    opts.separator ""
    opts.separator "Specific:"
    opts.on("-v", "--[no-]verbose", "Run verbosely") { |v| o[:verbose] = v }
    opts.on("-n", "--name NAME", "A name") { |v| o[:name] = v }
    opts.on("-c", "--count=N", Integer, "How many", "second line") { |v| o[:count] = v }
    opts.on("--opt [X]", "optional") { |v| o[:opt] = v }
    opts.on("-l", "--list a,b", Array, "list") { |v| o[:list] = v }
    opts.on("--type TYPE", [:text, :binary, :auto], "kind") { |v| o[:type] = v }
    opts.on("-f FLOAT", Float) { |v| o[:float] = v }
    opts.on("--a-very-long-option-name-indeed VALUE", "desc") { |v| o[:long] = v }
    opts.on_tail("-x", "--exx", "tail") { o[:x] = true }
  end
  rest = prs.parse(argv)
  p [o, rest]
  prs
rescue OptionParser::ParseError => e
  p [e.class, e.message, e.args]
end
puts run(%w(-v file -n bob --count=3 rest)).help
run(%w(--no-verbose --list a,b,c --type bin -f1.5 --opt))
run(%w(--opt val -vx -nbob))
run(%w(--count x)); run(%w(--bogus)); run(%w(-n)); run(%w(--type zzz)); run(%w(--verbose=1)); run(%w(-q)); run(%w(--co 4 -- --name)); run(%w(--name=))
h = {}
OptionParser.new { |q| q.on("-a"); q.on("-b", "--bee X", Integer); q.on("--[no-]cee") }.parse!(%w(-a -b 3 --no-cee z), into: h)
p h
p OptionParser.new.getopts(%w(-a -b 1 --foo --zot=2), "ab:", "foo", "zot:", "w:5")
argv = %w(a -v b); q = OptionParser.new { |z| z.on("-v") {} }; p q.order!(argv.dup), q.permute!(argv), argv
p OptionParser.new { |z| z.on("--x N", OptionParser::DecimalInteger) { |v| p v } }.parse(%w(--x 12))
