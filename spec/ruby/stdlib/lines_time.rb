require_relative "fixtures/lines"
require "time"; require "strscan"; require "open3"; require "timeout"
ENV["TZ"] = "America/New_York"
def tm(v) = v.is_a?(Time) ? [v.to_s, v.nsec, v.utc?, v.zone] : v
each_line_of(<<'CODE')
tm Time.parse("2020-01-02")
tm Time.parse("2020-01-02 03:04:05.678")
tm Time.parse("2020-01-02T03:04:05Z")
tm Time.parse("2020-01-02T03:04:05+02:00")
tm Time.parse("2020-01-02 03:04:05 PST")
tm Time.parse("2020-01-02 03:04:05 EST")
tm Time.parse("2020-07-02 03:04:05 EDT")
tm Time.parse("Thu, 02 Jan 2020 03:04:05 GMT")
tm Time.parse("Jan 5 2021 3pm")
tm Time.parse("12:30", Time.utc(2000, 1, 1))
tm Time.parse("12:30", Time.at(0))
tm Time.parse("Jan 5", Time.utc(2000, 6, 1))
tm Time.parse("20200102T030405")
tm Time.parse("20200102")
tm Time.parse("2020-366") rescue $!.class
tm Time.parse("10/11/12")
tm Time.parse("1 Feb")  .then { _1.is_a?(Array) }
tm Time.parse("")
tm Time.parse("garbage")
tm Time.parse(nil)
tm Time.parse(5)
tm Time.parse("2020-13-01")
tm Time.parse("2020-02-30")
tm Time.parse("25:00")
tm Time.parse("24:00", Time.utc(2000, 1, 1))
tm Time.parse("12:30:60", Time.utc(2000, 1, 1))
tm(Time.parse("99-01-02") { |y| y + 1900 })
tm Time.parse("2020-01-02 03:04:05 +0530")
tm Time.parse("2020-01-02 03:04:05 -00:00")
tm Time.parse("2020-01-02 03:04:05 UTC")
tm Time.strptime("2020-01-02", "%Y-%m-%d")
tm Time.strptime("1600000000", "%s")
tm Time.strptime("1600000000.5", "%s.%N") rescue $!.class
tm Time.strptime("2020-01-02 03:04:05 +0900", "%Y-%m-%d %H:%M:%S %z")
tm Time.strptime("x", "%Y")
tm Time.strptime("2020", "%Y")
tm Time.strptime("2020 5", "%Y %j")
tm Time.strptime("12/31/99", "%D")
tm(Time.strptime("20", "%y") { |y| y + 100 })
tm Time.strptime("2020-01-02T03:04:05Z", "%Y-%m-%dT%H:%M:%S%Z")
tm Time.strptime("2020-W01-2", "%G-W%V-%u")
tm Time.rfc2822("Thu, 02 Jan 2020 03:04:05 +0000")
tm Time.rfc2822("2 Jan 2020 03:04 EST")
tm Time.rfc2822("Wed, 05 Oct 2011 22:26:12 -0400")
tm Time.rfc2822("nope")
tm Time.rfc822("Thu, 02 Jan 20 03:04:05 GMT")
tm Time.httpdate("Thu, 02 Jan 2020 03:04:05 GMT")
tm Time.httpdate("Thursday, 02-Jan-20 03:04:05 GMT")
tm Time.httpdate("Thu Jan  2 03:04:05 2020")
tm Time.httpdate("x")
tm Time.iso8601("2020-01-02T03:04:05Z")
tm Time.iso8601("2020-01-02T03:04:05.123456789+09:00")
tm Time.iso8601("2020-01-02T03:04:05")
tm Time.iso8601("2020-01-02")
tm Time.iso8601("2020-01-02 03:04:05Z")
tm Time.xmlschema("2020-01-02Z")
tm Time.xmlschema("-2020-01-02T03:04:05Z")
tm Time.xmlschema("2020-01-02T24:00:00Z")
Time.utc(2020, 1, 2, 3, 4, 5).rfc2822
Time.at(0).rfc2822
Time.at(0).rfc822
Time.utc(2020, 1, 2, 3, 4, 5).httpdate
Time.utc(2020, 1, 2, 3, 4, 5).iso8601
Time.utc(2020, 1, 2, 3, 4, 5, 678).iso8601(6)
Time.at(0).xmlschema
Time.at(0).xmlschema(3)
Time.at(0, 500, :millisecond).iso8601(2)
Time.zone_offset("EST")
Time.zone_offset("UTC")
Time.zone_offset("+0530")
Time.zone_offset("-03:00")
Time.zone_offset("xyz")
Time.zone_offset("A")
Time.zone_offset("JST")
Time.zone_offset("EDT", 2020)
$s = StringScanner.new("test string 123")
$s.scan(/\w+/)
$s.pos
$s.scan(/\w+/)
$s.check(/\s/)
$s.scan(/\s+/)
$s.match?(/\w+/)
$s.matched
$s.matched?
$s.matched_size
$s.pre_match
$s.post_match
$s.getch
$s.peek(3)
$s.rest
$s.rest?
$s.rest_size
$s.skip(/t/)
$s.skip(/zz/)
$s.scan_until(/g/)
$s.pre_match
$s.check_until(/1/)
$s.skip_until(/1/)
$s.exist?(/3/)
$s.search_full(/3/, false, true)
$s.scan_full(/2/, true, false)
$s.eos?
$s.unscan.pos
$s.inspect
$s.terminate
$s.eos?
$s.inspect
$s.scan(/x/)
$s.getch
$s.get_byte
$s.reset
$s.inspect
$s.string
$s.string = "new"
$s.pos
$s << " more"
$s.concat("!").string
$s.pos = 2
$s.pos = 100
$s.pos = -1
$s.pos
$s.charpos
$s.bol?
$s.beginning_of_line?
$s.pointer = 0
$s.scan(/(?<a>n)(?<b>e)?/)
[$s[0], $s[1], $s[:a], $s["b"], $s[-1], $s[9]]
$s[:zz]
$s.captures
$s.size
$s.values_at(0, 1, 5)
$s.named_captures rescue $!.class
$s.scan("w")
$s.scan("zz")
$s.matched
$s.scan_until("x") rescue $!.class
$s.unscan
$s.unscan
$s.fixed_anchor?
StringScanner.new("a\nb", fixed_anchor: true).fixed_anchor?
s = StringScanner.new("ab\ncd"); s.scan(/ab\n/); s.scan(/^cd/)
s = StringScanner.new("ab\ncd", fixed_anchor: true); s.scan(/ab\n/); s.scan(/\Acd/)
s = StringScanner.new("abab"); s.scan(/ab/); s.scan(/\Aab/)
s = StringScanner.new("éa"); [s.getch, s.pos, s.charpos, s.get_byte]
s = StringScanner.new("éa"); [s.get_byte, s.get_byte, s.peek(1)]
s = StringScanner.new("foo bar"); s.scan(/(\w)(\w)*(x)?/); [s.captures, s.values_at(1, 2, 3)]
StringScanner.new(5)
StringScanner.new(nil)
StringScanner.new("a").scan(5)
StringScanner.must_C_version
StringScanner::Error.superclass
StringScanner::Version.class
s = StringScanner.new("a"); s.scan(/b/); [s.matched, s[0], s.pre_match, s.captures, s.size]
s = StringScanner.new("abc"); s.scan(/b/); s.unscan
s = StringScanner.new("abc"); d = s.dup; s.getch; [s.pos, d.pos]
StringScanner.new("x" * 50).inspect
s = StringScanner.new("x" * 50); s.pos = 20; s.inspect
s = StringScanner.new("a b"); s.skip(/\w/); s.skip_until(/b/)
s = StringScanner.new(""); [s.eos?, s.rest, s.scan(//), s.getch]
s = StringScanner.new("abc"); s.scan(//); [s.matched, s.pos]
s = StringScanner.new("abc"); s.peek(-1)
s = StringScanner.new("abc"); s.peek(10)
s = StringScanner.new("ab"); s.scan(/(?i)A/); s.matched
Open3.capture2("cat", stdin_data: "x").then { |o, s| [o, s.success?] }
Open3.capture2e("echo a; echo b >&2").then { |o, s| [o, s.exitstatus] }
Open3.capture3("echo a; echo b >&2; exit 3").then { |o, e, s| [o, e, s.exitstatus] }
Open3.capture3({ "Q" => "1" }, "echo $Q", chdir: "/").then { |o, e, s| [o, e, s.class] }
Open3.capture3("cat", stdin_data: "b\0", binmode: true).then { |o, e, s| [o, o.encoding] }
Open3.capture3("nonexistent_cmd_x")
Open3.capture3(["sh", "argv0"], "-c", "echo $0").then { |o, e, s| o }
Open3.popen3("cat") { |i, o, e, t| i.puts "q"; i.close; [o.read, e.read, t.class, t.pid.class, t.value.success?] }
Open3.popen2("cat") { |i, o, t| i << "z"; i.close; [o.read, t.value.to_i] }
Open3.popen2e("echo 1; echo 2 >&2") { |i, oe, t| oe.read }
i, o, e, t = Open3.popen3("echo hi"); [i.class, o.read, t.value.exitstatus, [i, o, e].each(&:close).size]
Open3.capture2("false").last.success?
Open3.capture3("exit 2", stdin_data: "unused").last.exitstatus
Timeout.timeout(nil) { |s| s }
Timeout.timeout(0) { |s| s }
Timeout.timeout(1) { |s| s }
Timeout.timeout(0.05) { sleep 1 }
Timeout.timeout(0.05, ArgumentError) { sleep 1 }
Timeout.timeout(0.05, ArgumentError, "mine") { sleep 1 }
Timeout.timeout(0.05, nil, "msg") { sleep 1 }
Timeout.timeout(0.05) { begin; sleep 1; rescue => e; :swallowed; end }
Timeout.timeout(0.05) { begin; sleep 1; rescue Exception => e; :swallowed; end }
Timeout.timeout(0.05, ArgumentError) { begin; sleep 1; rescue => e; :swallowed; end }
Timeout.timeout(0.05) { begin; sleep 1; ensure; print "ens " ; end }
Timeout.timeout(1) { Timeout.timeout(0.05) { sleep 1 } }
Timeout.timeout(0.05) { Timeout.timeout(1) { sleep 1 } }
Timeout.timeout(0.05) { begin; Timeout.timeout(1) { sleep 1 }; rescue Timeout::Error; :inner; end }
Timeout.timeout(1) { begin; Timeout.timeout(0.05) { sleep 1 }; rescue Timeout::Error => e; [:inner, e.message]; end }
Timeout.timeout(1) { raise "own" }
Timeout.timeout(1, ArgumentError) { raise ArgumentError, "own" }
Timeout.timeout(1) { raise Timeout::Error, "own" }
Timeout.timeout(-1) { sleep 1 }
Timeout.timeout("x") { }
Timeout.timeout(1) { break 5 }
Timeout.timeout(1) { next 6 }
def tr = Timeout.timeout(1) { return 7 }
tr
catch(:a) { Timeout.timeout(1) { throw :a, 8 } }
Timeout.timeout(0.05) { loop { } }
Timeout.timeout(0.05) { Thread.new { sleep 1 }.join }
Timeout.timeout(0.05) { Queue.new.pop }
Timeout::Error.ancestors.take(3)
Timeout::VERSION
Timeout::ExitException
include Timeout; timeout(0.05) { sleep 1 }
begin; Timeout.timeout(0.05) { sleep 1 }; rescue Timeout::Error => e; [e.message, e.backtrace.class, e.cause, e.thread]; end
begin; Timeout.timeout(0.05, ArgumentError) { sleep 1 }; rescue => e; [e.class, e.message, e.cause]; end
def slow = sleep(1)
Thread.list.size
CODE
