# OptionParser: every way to declare an option with every type, names cut short, help and completion.
require "optparse"
require "set"
require "stringio"
require_relative "fixtures/combine"
$VERBOSE = nil
$stderr = StringIO.new
def run(argv, method = :parse, **options)
  got = []
  parser = OptionParser.new
  yield parser, got
  argv = argv.dup
  rest = parser.public_send(method, argv, **options)
  [got, rest, argv]
rescue OptionParser::ParseError => error
  [error.class, error.message, error.args, error.reason, got]
rescue SystemExit
  :exit
end
types = %w[Object String Integer Float Numeric Array Symbol Regexp TrueClass FalseClass NilClass OptionParser::DecimalInteger OptionParser::OctalInteger OptionParser::DecimalNumeric %w[a\ bb\ bc] [:x,:yy] {\ "p"=>1,\ "q"=>2} /\d+/ /(\d+)-(\d+)/ Class]
types = types.map { |t| t.gsub("\\ ", " ") }
heads = ['"-b"','"-b X"','"-b [X]"','"-bX"','"--bar"','"--bar X"','"--bar=X"','"--bar [X]"','"--bar[=X]"','"-b","--bar=X"','"-b","--[no-]bar"','"--[no-]bar X"','"--[no-]bar [X]"','"--no-bar"','"--no-bar X"','"-b",:REQUIRED','"-b",:OPTIONAL','"--bar",:NONE','"-b","=X"','"-[a-c]"','"-[a-c]X"','"--Bar_Baz"','"-b","words","more"']
argvs = [%w[], %w[-b], %w[-b 1], %w[-b1], %w[-b x], %w[-b=1], %w[--bar], %w[--bar 1], %w[--bar=1], %w[--bar=a], %w[--bar= ], %w[--no-bar], %w[--no-bar=1], %w[--ba 1], %w[-b 1-2 z], %w[-bb], %w[-b -x], %w[-b -- 1], %w[-a], %w[--bar-baz], %w[--bra], %w[-b b], %w[x -b 1 y]]
sn=[]
heads.each { |h| ([nil]+types).each { |t| argvs.each_with_index { |a,i| next unless t.nil? || (i + t.size + h.size) % 3 == 0; sn << "run(#{a.inspect}) { |o, got| o.on(#{[h,t].compact.join(", ")}) { |v| got << v } }" }; sn << "OptionParser.new { |o| o.on(#{[h,t].compact.join(", ")}, 'does it') }.help"; sn << "(h = {}; [OptionParser.new { |o| o.on(#{[h,t].compact.join(", ")}) }.parse(%w[-b 1], into: h), h])" } }
defs = ["o.on('-a','--all'); o.on('--alter X'); o.on('--also')", "o.on('--color','--colour'); o.on('--colors')","o.on('--verbose'); o.on('--version X')","o.on('-v'); o.on('-V')","o.on('--[no-]no'); o.on('--nothing')","o.on('--foo_bar X'); o.on('--FooBaz')","o.separator 'x'; o.on('-z'); o.separator ''; o.on_tail('-h','--help','h') { got << :h }","o.on_head('-1'); o.on('-2'); o.on_tail('-3')","o.require_exact = true; o.on('--foo'); o.on('-b')","o.on('--list A,B', Array); o.on('-l A', Array)","o.on('-x', '--exec CMD') { |v| o.terminate(v) }","o.on('-i[EXT]'); o.on('-n'); o.on('-e X')","o.new; o.on('--inner'); o.remove","o.on(/\\d+/) { |v| got << [:num, v] }","o.on('--dup'); o.on('--dup X')","o.on('-a') { raise OptionParser::InvalidArgument }","o.on('-a X') { |v| raise OptionParser::InvalidArgument, 'why' }"]
ws=%w[--all --al --alt --als -a --color --colo --colour --colors --ver --verb --version -v -V --no-no --no --not --nothing --foo-bar=1 --foo_bar=1 --foobaz --FooBaz --fooba -z -h --help -1 -2 -3 --foo --fo -b --list=1,2 -l1,,2 --exec=x -xy -iz -i -ni -nez --inner 12 --dup --dup=1 -- --zzz -zz -n -ab -aX]
defs.each{|d| ws.each{|w| sn << "run(#{[w].inspect}) { |o, got| #{d} }" << "run(#{[w,"rest"].inspect}, :order!) { |o, got| #{d} }"; sn << "(h={}; r=run(#{[w,"rest","-z"].inspect}, into: h) { |o, got| #{d} }; [r, h])" }; sn << "(got=[]; OptionParser.new { |o| #{d} }.help)" << "(got=[]; OptionParser.new(nil, 12, '  ') { |o| #{d} }.help)" << "(got=[]; OptionParser.new { |o| #{d} }.candidate('--'))" << "(got=[]; OptionParser.new { |o| #{d} }.candidate('--a'))" << "(got=[]; OptionParser.new { |o| #{d} }.candidate('-'))" << "(got=[]; OptionParser.new { |o| #{d} }.to_a)" << "(got=[]; s=+''; OptionParser.new { |o| #{d} }.compsys(s,'n'); s)" }
sn.concat ["%w[-a 1 --b x].extend(OptionParser::Arguable).getopts('a:', 'b')","OptionParser.getopts(%w[-a 1 z], 'a:', 'b:d', 'c')","OptionParser.new.getopts(%w[--b=3], nil, 'b:', 'c:7;desc')","OptionParser.new.ver","OptionParser.new { |o| o.version = [1,2]; o.release='r' }.ver","OptionParser.inc(1)","OptionParser.inc(nil, 3)","OptionParser.new.load('/nonexistent')","ARGV.respond_to?(:parse!)","ARGV.options.class","OptionParser.new.base.class","OptionParser::Switch.guess('=X')","OptionParser.new.define('-a').class","OptionParser.new.define('-a X').class","OptionParser.new.define('--a [X]').class","OptionParser.new.define('--a[=X]').class","OptionParser.new.on('a').help","OptionParser.new { |o| o.banner = \"U\\n\" }.help","OptionParser.accept(Set) { |s| s }","begin; OptionParser.new.parse(%w[--x]); rescue => e; [e.recover([1]), e.inspect, e.reason, e.to_s]; end","OptionParser.new { |o| o.on('--verbose') }.parse(%w[--verbsoe]) rescue $!.message","OptionParser.new { |o| o.on('--color'); o.on('--colour') }.parse(%w[--colr]) rescue $!.message", "OptionParser.new { |o| o.on('--type T', %w[alpha beta]) }.parse(%w[--type alpah]) rescue $!.message"]
Combine.expressions(sn.uniq)
