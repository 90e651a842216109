require_relative "fixtures/lines"
require "logger"; require "stringio"; require "tmpdir"
def lg(*a, **o) = ($io = StringIO.new; Logger.new($io, *a, **o))
def out = $io.string.gsub(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} #\d+/, "TIME #PID")
each_line_of(<<'CODE')
l = lg; l.info("hi"); out
l = lg; l.warn { "blk" }; l.error("prog") { "msg" }; out
l = lg; l.debug(nil); l.info(:sym); l.fatal([1, { a: 2 }]); l.unknown("u"); out
l = lg; l.error(RuntimeError.new("boom")); out
l = lg; begin; raise "bt"; rescue => e; l.error(e); end; out.lines.first
l = lg; l << "raw"; out
l = lg(level: :warn); l.info("no"); l.warn("yes"); out
l = lg(level: Logger::ERROR); l.level
l = lg(level: "fatal"); l.level
l = lg(level: 9); l.level
lg(level: "nope")
lg(level: :nope)
lg(level: nil).level
l = lg; l.level = :info; l.level
l = lg; l.level = "DEBUG"; l.level
l = lg; l.level = 2.5; l.level
l = lg; l.level = "x"
l = lg(progname: "pp"); l.info("x"); out
l = lg(progname: "pp"); l.info("other") { "x" }; out
l = lg(datetime_format: "%Y"); l.info("x"); out.sub(/\d{4}/, "Y").sub(/#\d+/, "#PID")
l = lg; l.datetime_format = "%H"; l.datetime_format
l = lg; l.datetime_format
l = lg(formatter: proc { |s, t, p, m| [s, t.class, p, m].inspect + "\n" }); l.info("p") { "m" }; l.add(7, "x"); out
l = lg; l.add(Logger::WARN, "m", "p"); l.add(nil, "n"); l.log(Logger::INFO) { "b" }; out
l = lg; l.add(Logger::DEBUG, nil, "prog"); out
l = lg; l.progname = "set"; l.info("x"); l.progname
l = lg; [l.debug?, l.info?, l.warn?, l.error?, l.fatal?]
l = lg(level: 3); [l.debug?, l.info?, l.warn?, l.error?, l.fatal?]
l = lg; l.debug!; l.level
l = lg; l.info!; l.level
l = lg; l.warn!; l.error!; l.fatal!; l.level
l = lg; l.info("x")
l = lg(level: 4); l.info("x")
l = lg; l.info { nil }; out
l = lg; l.info; out
l = lg; l.info(false) ; out
l = lg; l.info("multi\nline"); out
l = lg; l.close; l.info("x")
l = lg; l.reopen.class
Logger.new(nil).info("x")
Logger.new(nil).close
Logger.new
Logger.new("/nonexistent/dir/log")
Logger.new($stdout).level
Logger::Severity.constants.sort
[Logger::DEBUG, Logger::INFO, Logger::WARN, Logger::ERROR, Logger::FATAL, Logger::UNKNOWN]
Logger::Formatter.new.call("INFO", Time.at(0).utc, "p", "m").gsub(/#\d+/, "#PID")
Logger::Formatter.new.call("INFO", Time.at(0, 123456).utc, nil, nil).gsub(/#\d+/, "#PID")
f = Logger::Formatter.new; f.datetime_format = "%s"; f.call("WARN", Time.at(7), nil, "m").gsub(/#\d+/, "#PID")
Logger::Formatter::Format
Logger::VERSION
Logger::ProgName.class
Logger::Error.superclass
Logger::ShiftingError.superclass
$p = "#{Dir.tmpdir}/lines-#{$$}.log"; l = Logger.new($p); l.info("f"); l.close; File.read($p).gsub(/\d{4}-.*?#\d+/, "T").gsub(/created on .*/, "C")
l = Logger.new($p); l.info("g"); l.close; File.readlines($p).size
File.delete($p); l = Logger.new($p, 3, 200); 20.times { |i| l.info("line #{i}") }; l.close; Dir[$p + "*"].map { File.basename(_1).sub(/\d+/, "") }.sort
Dir[$p + "*"].each { File.delete(_1) }.size
l = Logger.new($p, "daily"); l.info("x"); l.close; File.delete($p)
Logger.new($p, "never").info("x"); File.delete($p)
Logger.new($p, 2, 10, shift_period_suffix: "%Y", binmode: true).info("x"); Dir[$p + "*"].each { File.delete(_1) }.size
Logger.new(File.open($p, "w")).info("x"); File.delete($p)
l = lg; l.formatter
l = lg; l.formatter = ->(s, t, p, m) { "#{s[0]}:#{m}|" }; l.warn("w"); l.formatter.call("INFO", 1, 2, 3)
l = lg; l.info("a") { "b" }; out
l = lg; l.add(Logger::INFO) { "x" }; out
l = lg; l.add("bad")
l = lg; l.level = nil
class L2 < Logger; def format_message(s, t, p, m) = "#{s} #{m}\n"; end
$io = StringIO.new; L2.new($io).info("z"); out
Logger.new($io = StringIO.new, 3, 10).info("s"); out
l = lg; l.instance_variables.sort
l = lg; l.datetime_format = nil; l.info("x"); out
l = lg; l.unknown("q") { "r" }; out
Logger.instance_methods(false).sort
Logger::LogDevice.class
CODE
