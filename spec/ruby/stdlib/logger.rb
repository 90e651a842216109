require "logger"; require "stringio"; require "monitor"
def out = yield(io = StringIO.new) && nil || io.string.gsub(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/, "T").gsub(/#\d+/, "#P")
puts out { |io| l = Logger.new(io); l.debug("d"); l.info { "blk" }; l.warn("prog") { "m" }; l.error(RuntimeError.new("boom")); l.fatal([1, nil]); l.unknown(:u); l.add(Logger::INFO, "x", "p"); l << "raw\n"; l.log(1) { "y" } }
puts out { |io| l = Logger.new(io, level: :warn, progname: "app"); l.info("no"); l.warn("yes"); p l.info?, l.warn?, l.level; l.level = "error"; p l.level; l.error!; l.debug!; p l.debug? }
puts out { |io| l = Logger.new(io, formatter: proc { |s, t, pr, m| "#{s}|#{pr}|#{m}\n" }); l.info("a"); l.progname = "z"; l.warn("b"); l.formatter = nil; l.datetime_format = "%Y"; l.info("c"); io.string.sub!(/\[\d{4} /, "[Y ") }
begin Logger.new(nil, level: :nope); rescue => e; p e.class, e.message; end
p Logger.new(nil).info("x"), Logger::Severity.constants.sort, Logger.new(File::NULL).info?
require "tmpdir"
Dir.mktmpdir { |d| f = "#{d}/a.log"; l = Logger.new(f, 3, 200); 8.times { |i| l.info("x" * 40 + i.to_s) }; l.close; p Dir.children(d).sort, File.read(f).lines.first.start_with?("# Logfile created on") }
m = Monitor.new; p m.synchronize { m.synchronize { 1 } }, m.mon_locked?, m.try_enter, m.mon_owned?, m.exit
begin m.exit; rescue ThreadError => e; p e.message; end
class Buf; include MonitorMixin; def initialize; super(); @q = []; @c = new_cond; end; def put(x) = synchronize { @q << x; @c.signal }; def get = synchronize { @c.wait_while { @q.empty? }; @q.shift }; end
b = Buf.new; th = Thread.new { b.get }; b.put(4); p th.value
o = Object.new.extend(MonitorMixin); p o.mon_synchronize { 2 }
