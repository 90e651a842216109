# Recorded with the gems themselves.
require_relative "fixtures/lines"
require "tmpdir"; Dir.chdir(PLACE = Dir.mktmpdir); at_exit { Dir.chdir("/"); FileUtils.rm_rf(PLACE) }
require "mixlib/shellout"; require "mixlib/config"; require "mixlib/log"; require "stringio"; require "logger"
def so(*a, **o) = Mixlib::ShellOut.new(*a, **o).run_command
$st = %i[stdout stderr exitstatus error?]
def r(s) = $st.map { |m| s.send(m) }
each_line_of(<<'CODE')
r so("echo hi")
r so("echo", "a b", "c")
r so(["echo", "x y"])
r so("echo err >&2; exit 3")
so("exit 3").error!
so("echo out; echo err >&2; exit 3").error!
so("exit 3", returns: [0, 3]).error!
so("exit 3", returns: 3).error?
so("true", returns: 1).error!
so("true").invalid!
so("true").invalid!("bad")
r so("pwd", cwd: "/")
r so("cat", input: "in\nput")
r so("echo $A-$B", environment: { "A" => "1", "B" => nil })
r so("echo $LC_ALL", environment: { "LC_ALL" => "C" })
r so("umask", umask: 0022)
r so("umask", umask: "077")
r so("nonexistent_cmd_q")
r so("nonexistent_cmd_q; true")
r so(["nonexistent_cmd_q"])
r so("")
r so(nil)
r so("sleep 5", timeout: 0.1)
begin; so("echo partial; sleep 5", timeout: 0.2); rescue Mixlib::ShellOut::CommandTimeout => e; e.message.lines.map(&:chomp); end
r so("kill -9 $$")
so("kill -9 $$").status.signaled?
so("true", bogus: 1)
so("true", login: true)
so("true", elevated: true)
io = StringIO.new; so("echo live; echo e >&2", live_stream: io); io.string.lines.sort
io = StringIO.new; so("echo live; echo e >&2", live_stdout: io); io.string
io = StringIO.new; so("echo live; echo e >&2", live_stderr: io); io.string
io = StringIO.new; l = Logger.new(io); l.formatter = proc { |s, _, _, m| "#{s} #{m}\n" }; so("true", logger: l, log_tag: "T", log_level: :info); io.string
io = StringIO.new; l = Logger.new(io); l.formatter = proc { |s, _, _, m| "#{s} #{m}\n" }; so("true", logger: l); io.string
Mixlib::ShellOut.new("x", timeout: nil).timeout
Mixlib::ShellOut.new("x").timeout
Mixlib::ShellOut.new("x", environment: nil).environment
Mixlib::ShellOut.new("x", environment: { a: 1, "LC_ALL" => nil }).environment
Mixlib::ShellOut.new("x", umask: 010000777).umask
Mixlib::ShellOut.new("x", umask: "22").umask
Mixlib::ShellOut.new("x", group: "root").gid
Mixlib::ShellOut.new("x", sensitive: true).sensitive
Mixlib::ShellOut.new("x", "cwd" => "/q").cwd
s = Mixlib::ShellOut.new("x"); s.live_stream = $stdout; [s.live_stdout.equal?($stdout), s.live_stderr.equal?($stdout)]
s = Mixlib::ShellOut.new("x"); s.valid_exit_codes = 5; s.valid_exit_codes
s = Mixlib::ShellOut.new("x"); s.timeout = 3; s.timeout
s = Mixlib::ShellOut.new("x"); s.cwd = "/z"; s.input = "i"; s.user = "u"; s.umask = 7; [s.cwd, s.input, s.user, s.umask]
Mixlib::ShellOut.new("x").format_for_exception
so("echo a; echo b >&2").format_for_exception
so("exit 1", sensitive: true).format_for_exception
so("exit 1", sensitive: true).error!
so("true").inspect.sub(/#\d+/, "#N").sub(/pid \d+/, "pid N").sub(/child_pid: \d+/, "child_pid: N")
Mixlib::ShellOut.new("x").inspect.sub(/#\d+/, "#N")
so("true").status.class
so("true").run_command.exitstatus
Mixlib::ShellOut.new.command
Mixlib::ShellOut.new("a").using_login?
Mixlib::ShellOut::Error.ancestors.take(3)
Mixlib::ShellOut::ShellCommandFailed.superclass
Mixlib::ShellOut::CommandTimeout.superclass
Mixlib::ShellOut::InvalidCommandOption.superclass
Mixlib::ShellOut::EmptyWindowsCommand.superclass
Mixlib::ShellOut::DEFAULT_READ_TIMEOUT
so("printf 'a\\0b'").stdout
so("printf '\\xff'").stdout.valid_encoding?
so("printf '\\xff'").stdout.encoding
so("head -c 200000 /dev/zero | tr '\\0' x").stdout.size
so("echo hi && echo there").stdout
so("echo hi; sleep 0.05 & echo x").stdout
so("cat", input: nil).stdout
so("cat", input: "").stdout
so("exec 1>&-; true").exitstatus
so("tty; true").stdout.class
class Cf; extend Mixlib::Config; end
Cf[:a] = 1
Cf.a
Cf[:a]
Cf.a 2
Cf.a = 3
Cf.a
Cf.nope
Cf[:nope]
Cf.key?(:a)
Cf.has_key?(:zz)
Cf.keys
Cf.configuration
Cf.to_hash
Cf.save
Cf.save(true)
Cf.merge!(b: 5)
Cf.b
Cf.delete(:b)
Cf.b
Cf.restore(c: 7)
[Cf.a, Cf.c]
Cf.reset
Cf.a
class Cg; extend Mixlib::Config; config_strict_mode true; default :x, 5; default(:y) { x + 1 }; configurable(:z).defaults_to(9).writes_value { |v| v.to_s }; configurable(:w); config_context(:ctx) { default :p, 1; configurable(:q) }; config_context_list(:items, :item) { default :n, 0; configurable(:m) }; config_context_hash(:hs, :h) { default :n, 3 }; end; nil
[Cg.x, Cg.y, Cg.z, Cg.w]
Cg.x = 10; Cg.y
Cg.z 5
Cg.z
Cg.nope
Cg[:nope]
Cg.nope = 1
Cg[:nope] = 1
Cg.ctx.p
Cg.ctx.p = 2; Cg.ctx.p
Cg.ctx.q 4
Cg.ctx { q 6 }
Cg.ctx.q
Cg.ctx(p: 8)
Cg.ctx.p
Cg.ctx.nope
Cg.item { m 3 }
Cg.items.size
Cg.items.first.m
Cg.items.first.n
Cg.h(:k) { n 5 }
Cg.hs[:k].n
Cg.hs.keys
Cg.save
Cg.save(true)
Cg.to_hash
Cg.keys
Cg.key?(:x)
Cg.key?(:w)
Cg.default?(:x) rescue $!.class
Cg.is_default?(:x)
Cg.is_default?(:z)
Cg.is_default?(:y)
Cg.delete(:x); Cg.x
Cg.reset; [Cg.x, Cg.z, Cg.ctx.p]
Cg.restore(x: 1, ctx: { p: 4 }); [Cg.x, Cg.ctx.p]
Cg.config_strict_mode
Cg.config_strict_mode(:warn)
Cg.config_strict_mode = false rescue $!.class
Cg.methods(false).sort.take(3)
class Ch; extend Mixlib::Config; end
File.write("c.rb", "a 1\nb [1, 2]\nc(x: 1)\nself.d = a + 1\n"); Ch.from_file("c.rb"); Ch.configuration
Ch.from_file("/nonexistent")
File.write("c.json", '{"a": 5, "n": {"m": 1}}'); Ch.from_json("c.json"); Ch[:a]
File.write("c.yml", "a: 6\nn:\n  m: 2\n"); Ch.from_yaml("c.yml"); [Ch[:a], Ch[:n]]
File.write("c.toml", "a = 7\n"); Ch.from_toml("c.toml"); Ch[:a]
Ch.from_file("c.yml"); Ch[:a]
Ch.from_file("c.json"); Ch[:a]
Ch.from_hash({ "q" => 1 }); Ch[:q]
Ch.hash_dup({ a: [1] })
Ch.apply_nested_hash(a: { b: 1 }); Ch[:a]
Ch.internal_get(:a)
Ch.internal_set(:k, 2)
Ch.respond_to?(:anything)
Mixlib::Config::UnknownConfigOptionError.superclass
Mixlib::Config::ReopenedConfigContextWithConfigurableError.superclass
class Ci; extend Mixlib::Config; default :a, [1]; default(:h, {}); end
Ci.a << 2; Ci.a
Ci.h[:q] = 1; Ci.h
Ci.save
Ci.reset; Ci.a
class Cj; extend Mixlib::Config; config_context(:o) { config_context(:i) { default :v, 1 } }; end
Cj.o.i.v = 5
Cj.save
Cj.restore(o: { i: { v: 9 } }); Cj.o.i.v
Cj.o.save(true)
class Cj; config_context(:o) { default :extra, 2 }; end
Cj.o.extra
class Cj; configurable(:o); end
class Cj; default :o, 1; end
Cj[:o]
Cj[:o] = 5
Cj.o = { i: { v: 4 } }; Cj.o.i.v
class Lg; extend Mixlib::Log; end
Lg.init(io = StringIO.new); Lg.level = :info; Lg.info("m"); Lg.debug("no"); io.string.sub(/\[.*?\]/, "[T]")
Lg.level
Lg.level(:error)
Lg.level = :bogus
Lg.level = nil
Lg.level :debug
Lg.debug?
Lg.info?
Lg.trace?
Lg.level = :trace; [Lg.trace?, Lg.level]
Lg.init(io = StringIO.new); Lg.level = :trace; Lg.trace("t"); Lg.warn { "blk" }; Lg.error(RuntimeError.new("e")); Lg.fatal(:s); Lg.unknown("u"); io.string.gsub(/\[\d.*?\]/, "[T]")
Lg.logger.class
Lg.loggers.size
Lg.use_log_devices([StringIO.new, StringIO.new]) rescue $!.class
Lg.configured?
Lg.metadata rescue $!.class
Lg.init(io = StringIO.new); Lg << "raw"; io.string
Lg.add(Logger::ERROR, "added"); io.string.gsub(/\[\d.*?\]/, "[T]")
Lg.with_child(a: 1).class rescue $!.class
c = Lg.with_child(a: 1); c.info("child"); io.string.gsub(/\[\d.*?\]/, "[T]")
Lg.with_child { |x| x.class }
Lg.reset!
Lg.init; Lg.level
Mixlib::Log::LEVELS rescue $!.class
Mixlib::Log::Logging::LEVELS
Mixlib::Log::Logging::LEVEL_NAMES
Mixlib::Log::Logger.superclass
Mixlib::Log::Formatter.show_time
Mixlib::Log::Formatter.new.call("INFO", Time.at(0).utc, "p", "m")
Mixlib::Log::Formatter.show_time = false; Mixlib::Log::Formatter.new.call("INFO", Time.at(0).utc, "p", "m")
Mixlib::Log::Formatter.new.call("WARN", Time.at(0), nil, [1])
Mixlib::Log::InvalidLogLevel rescue $!.class
CODE
