require_relative "fixtures/lines"
require "monitor"; require "shellwords"; require "base64"; require "English"; require "benchmark"; require "securerandom"; require "etc"; require "rbconfig"; require "io/console"
each_line_of(<<'CODE')
($m = Monitor.new).class
$m.synchronize { $m.synchronize { 1 } }
$m.mon_synchronize { 2 }
$m.try_enter
$m.mon_try_enter
$m.mon_locked?
$m.mon_owned?
$m.exit
$m.mon_exit
$m.exit
$m.enter
$m.mon_enter
Thread.new { $m.try_enter }.value
$m.mon_exit; $m.exit
$m.mon_locked?
$m.mon_owned?
$m.try_mon_enter
$m.exit
$m.new_cond.class
$m.new_cond.wait
$m.new_cond.signal
$m.synchronize { $m.new_cond.signal.class }
$m.synchronize { $m.new_cond.wait(0.01) }
$m.mon_check_owner
$m.synchronize { $m.mon_check_owner }
$m.synchronize { raise "x" }
$m.mon_locked?
class Bx; include MonitorMixin; def initialize = super(); def go = synchronize { mon_synchronize { 5 } }; end
Bx.new.go
Bx.new.mon_try_enter
Bx.new.try_mon_enter
Bx.new.mon_locked?
Bx.new.mon_owned?
Bx.new.new_cond.class
[].extend(MonitorMixin).synchronize { 3 }
Bx.new.mon_exit
b = Bx.new; c = b.new_cond; q = []; t = Thread.new { b.synchronize { c.wait_while { q.empty? }; q.shift } }; Thread.pass; b.synchronize { q << 1; c.signal }; t.value
b = Bx.new; c = b.new_cond; q = []; t = Thread.new { b.synchronize { c.wait_until { q.any? }; q.shift } }; Thread.pass; b.synchronize { q << 2; c.broadcast }; t.value
MonitorMixin::ConditionVariable.instance_methods(false).sort
Monitor.instance_methods(false).sort
MonitorMixin.instance_methods(false).sort
"a b 'c d' \"e f\" g\\ h".shellsplit
Shellwords.split("a 'b")
Shellwords.split('a "b')
Shellwords.split("")
Shellwords.split("  a   b  ")
Shellwords.shellwords("x 'y z'")
Shellwords.split("a\\\nb c")
Shellwords.split("\"a\\\"b\\$c\\d\"")
Shellwords.split("''")
Shellwords.split("a''b\"\"c")
Shellwords.split("a\tb\nc")
Shellwords.split("#a b")
Shellwords.split("\\a")
Shellwords.split("é 'ü'")
Shellwords.split("a\0b")
Shellwords.split(nil)
Shellwords.split(:a)
Shellwords.escape("it's")
Shellwords.escape("")
Shellwords.escape("a\nb")
Shellwords.escape("é ü")
Shellwords.escape("a\0")
Shellwords.escape(1)
Shellwords.escape(nil)
"x y".shellescape
["a b", "c", 1].shelljoin
Shellwords.join(["a", "b c", ""])
Shellwords.shelljoin([])
Shellwords.shellescape("$HOME")
Shellwords.escape("A-Za-z0-9_-.,:+/@=%^~")
include Shellwords; shellsplit("q r")
Base64.encode64("x" * 100)
Base64.strict_encode64("x" * 50)
Base64.urlsafe_encode64("\xff\xfe\xfd")
Base64.urlsafe_encode64("a", padding: false)
Base64.urlsafe_decode64("YQ")
Base64.urlsafe_decode64("__79")
Base64.urlsafe_decode64("_w=")
Base64.decode64("YWJj\nZGVm")
Base64.decode64("!!")
Base64.decode64("YQ=")
Base64.strict_decode64("YQ=")
Base64.strict_decode64("YQ==\n")
Base64.strict_decode64("YQ==")
Base64.strict_decode64("YR==")
Base64.encode64("")
Base64.encode64(nil)
Base64.encode64(5)
Base64.decode64("YWJj").encoding
Base64.encode64("é").encoding
Base64.encode64("é")
include Base64; encode64("q")
require "io/console/size"
"foobarbaz" =~ /ba(r)/
[$PREMATCH, $MATCH, $POSTMATCH, $LAST_PAREN_MATCH, $LAST_MATCH_INFO.class]
[$ERROR_INFO, $ERROR_POSITION]
begin; raise "a"; rescue; [$ERROR_INFO.message, $ERROR_POSITION.class]; end
[$FS, $FIELD_SEPARATOR, $OFS, $OUTPUT_FIELD_SEPARATOR, $RS, $INPUT_RECORD_SEPARATOR, $ORS, $OUTPUT_RECORD_SEPARATOR]
[$INPUT_LINE_NUMBER.class, $NR.class, $LAST_READ_LINE]
[$PID == Process.pid, $PROCESS_ID == $$, $PROGRAM_NAME == $0, $ARGV]
`true`; [$CHILD_STATUS.class, $CHILD_STATUS.success?]
$PROGRAM_NAME = "x"; $0
SecureRandom.hex.size
SecureRandom.hex(4).size
SecureRandom.hex(0)
SecureRandom.uuid.match?(/\A\h{8}-\h{4}-4\h{3}-[89ab]\h{3}-\h{12}\z/)
SecureRandom.random_bytes.bytesize
SecureRandom.bytes(5).bytesize
SecureRandom.random_bytes(0)
SecureRandom.random_bytes(5).encoding
SecureRandom.base64.size
SecureRandom.base64(3).size
SecureRandom.urlsafe_base64.match?(/\A[\w-]+\z/)
SecureRandom.urlsafe_base64(4, true).size
SecureRandom.urlsafe_base64(4).size
SecureRandom.random_number.class
SecureRandom.random_number(1)
SecureRandom.random_number(10).between?(0, 9)
SecureRandom.random_number(1.5).between?(0, 1.5)
SecureRandom.random_number(1..1)
SecureRandom.random_number(1...2)
SecureRandom.random_number(0).class
SecureRandom.random_number(-3).class
SecureRandom.random_number(nil).class
SecureRandom.random_number("x")
SecureRandom.rand.class
SecureRandom.rand(3..3)
SecureRandom.alphanumeric.size
SecureRandom.alphanumeric(5).match?(/\A[A-Za-z0-9]{5}\z/)
SecureRandom.alphanumeric(0)
SecureRandom.choose([*"a".."a"], 3)
SecureRandom.hex(-1)
SecureRandom.hex("a")
SecureRandom.random_bytes(nil).size
[1, 2, 3].shuffle(random: SecureRandom).sort
[7].sample(random: SecureRandom)
Random.new.respond_to?(:hex)
require "random/formatter"; Random.new(1).hex(4).size
Random.hex(3).size
Random.new(42).alphanumeric(6).size
Etc.getpwnam("root").uid
Etc.getpwnam("root").to_a.size
Etc.getpwnam("root").members
Etc.getpwuid(0).name
Etc.getpwuid.uid == Process.uid
Etc.getgrnam("root").gid
Etc.getgrgid(0).name
Etc.getgrgid.gid == Process.gid
Etc.getgrgid(0).members
Etc.getpwnam("nosuchuser")
Etc.getpwuid(987654)
Etc.getgrnam("nosuchgroup")
Etc.getgrgid(987654)
Etc.getpwnam(nil)
Etc.getpwnam(5)
Etc.getpwuid("x")
Etc.passwd.class
Etc.passwd { |u| break u.name }
Etc.group { |u| break u.name }
Etc.endpwent
Etc.getpwent.name
Etc.setpwent
Etc.endgrent
Etc.getgrent.name
Etc::Passwd.class
Etc::Passwd.first.name
Etc::Passwd.map(&:uid).include?(0)
Etc::Group.first.name
Etc::Passwd.each.class
Etc.sysconfdir
Etc.systmpdir
Etc.uname.keys
Etc.uname[:sysname]
Etc.sysconf(Etc::SC_NPROCESSORS_ONLN).class
Etc.confstr(Etc::CS_PATH)
Etc::VERSION
Etc.getpwnam("root") == Etc.getpwuid(0)
Etc.getpwnam("root").shell.class
Etc.getpwnam("root")[:dir]
RbConfig::CONFIG["ruby_version"]
RbConfig::CONFIG["EXEEXT"]
RbConfig::CONFIG["MAJOR"]
RbConfig::CONFIG["arch"].class
RbConfig::CONFIG["bindir"].class
RbConfig::CONFIG["nope"]
RbConfig::CONFIG.class
RbConfig.ruby.class
RbConfig.expand("$(MAJOR).$(MINOR)")
RbConfig.expand("a$$b${MAJOR}")
RbConfig::MAKEFILE_CONFIG.class
RbConfig::LIMITS["INT_MAX"]
RbConfig.fire_update!("nope", "x")
RbConfig::TOPDIR.class
RbConfig::CONFIG["SHELL"]
RbConfig::CONFIG["PATH_SEPARATOR"]
RbConfig::CONFIG["DLEXT"]
RbConfig::CONFIG["TEENY"]
RbConfig::CONFIG["ruby_pc"]
RbConfig::CONFIG["sysconfdir"]
RbConfig::CONFIG["RUBY_PROGRAM_VERSION"]
Benchmark.realtime { 1 }.class
Benchmark.measure("lbl") { }.label
Benchmark.measure { }.format("%n").class
Benchmark::Tms.new(1, 2, 3, 4, 10, "x").format
Benchmark::Tms.new(1, 2, 3, 4, 10, "x").format("%u|%y|%U|%Y|%t|%r|%n|%%")
Benchmark::Tms.new(1, 2, 3, 4, 10, "x").format("%10.2u|%-8n|")
Benchmark::Tms.new(1, 2, 3, 4, 10).to_a
Benchmark::Tms.new(1, 2, 3, 4, 10).to_h
(Benchmark::Tms.new(1, 2, 3, 4, 10) + Benchmark::Tms.new(1, 1, 1, 1, 1)).to_a
(Benchmark::Tms.new(1, 2, 3, 4, 10) - 1).to_a
(Benchmark::Tms.new(1, 2, 3, 4, 10) * 2).to_a
(Benchmark::Tms.new(1, 2, 3, 4, 10) / 2).to_a
Benchmark::Tms.new(1, 2, 3, 4, 10).add { }.class
Benchmark::Tms.new(1, 2, 3, 4, 10).total
Benchmark::CAPTION
Benchmark::FORMAT
Benchmark.bm { |x| }
Benchmark.bmbm { |x| }
Benchmark.benchmark("c") { |x| nil }
Benchmark::BENCHMARK_VERSION
Benchmark::Report.new.respond_to?(:item)
CODE
