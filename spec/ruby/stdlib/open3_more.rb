$n = 0
def t(*_)
  $n += 1
  r = yield
  puts "#{$n}: #{r.is_a?(String) ? r.dump + " " + r.encoding.to_s : r.inspect}"
rescue Exception => e
  puts "#{$n}: !#{e.class}: #{e.message.to_s.lines.first.to_s.chomp.gsub(/0x\h+/, "0x")}"
end
require 'open3'; require 'shellwords'; require 'tempfile'; require 'etc'; require 'io/console'; require 'timeout'; require 'benchmark'; require 'singleton'; require 'logger'; require 'stringio'; require 'observer'
t { Open3.capture2("cat", stdin_data: "hi") .then { |o,s| [o, s.success?] } }
t { Open3.capture2e("echo a; echo b >&2; exit 3").then { |o,s| [o, s.exitstatus] } }
t { Open3.capture3("echo a; echo b >&2; exit 3").then { |o,e,s| [o, e, s.exitstatus] } }
t { Open3.capture3({"V"=>"x"}, "echo $V") [0] }
t { Open3.capture3("echo", "a b", "$V")[0] }
t { Open3.capture3("cat", stdin_data: "\xff".b, binmode: true)[0] }
t { Open3.capture3("nonexistent_cmd") }
t { Open3.capture3("pwd", chdir: "/")[0] }
t { Open3.popen3("cat") { |i,o,e,t| i.write "x"; i.close; [o.read, e.read, t.value.success?, t.pid.class] } }
t { Open3.popen2("tr a b") { |i,o,t| i.print "aaa"; i.close; o.read } }
t { Open3.popen2e("echo a; echo b >&2") { |i,oe,t| oe.read.lines.sort } }
t { i,o,e,t = Open3.popen3("echo x"); r=o.read; [i,o,e].each(&:close); [r, t.value.exitstatus] }
t { Open3.pipeline_r("echo abc", "tr a b") { |o, ts| [o.read, ts.size] } }
t { Open3.pipeline_rw("tr a b", "tr b c") { |i,o,ts| i << "aaa"; i.close; o.read } }
t { f=Tempfile.new; Open3.pipeline_w("cat", ["cat", out: f.path]) { |i,ts| i << "w" }; File.read(f.path) }
t { Open3.pipeline("true","false").map(&:exitstatus) }
t { Open3.pipeline(["echo","z"], [{"A"=>"1"}, "cat"], out: "/dev/null").map(&:success?) }
t { Open3.pipeline_start("true","true") { |ts| ts.size } }
t { Open3.capture2("cat", :err=>:out)[0] }
t { Open3.capture2e("sh", "-c", "echo $0 $1", "a")[0] }
["a b", "a'b", 'a"b', "", "$x", "a\nb", "é", "~", "a=b", "*", "\\", "a;b", "%x", "@{}:/+,-._"].each { |s| t { Shellwords.escape(s) }; t { s.shellescape }; t { Shellwords.split(s) }; t { [s,"z"].shelljoin } }
t { "a 'b c' \"d \\\" e\" f\\ g".shellsplit } ; t { "a 'b".shellsplit } ; t { Shellwords.join(["a b","c"]) } ; t { 'x"y"\'z\''.shellsplit }
t { Logger.new(StringIO.new).level } 
def lg(*a, **k); s=StringIO.new; l=Logger.new(s,*a,**k); yield l; s.string.gsub(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+ #\d+/,"T").gsub(/T #\d+/,"T"); end
t { lg { |l| l.info("a"); l.debug { "b" }; l.warn("prog") { "c" }; l.error(RuntimeError.new("x")); l.fatal(nil); l.unknown(:s); l.add(1,"m","p"); l << "raw\n" } }
t { lg(progname: "pp", level: :warn) { |l| l.info("a"); l.warn("b") } }
t { lg { |l| l.formatter = proc { |s,t,p,m| "#{s}|#{p}|#{m}\n" }; l.progname="z"; l.info("x"); l.info { "blk" } } }
t { lg { |l| l.datetime_format = "%Y"; l.info("x") } .sub(/\d{4}/,"Y") .sub(/#\d+/,'')}
t { lg { |l| l.level = "error"; l.warn("x"); l.error("y") } } ; t { Logger.new(nil).info("x") } ; t { Logger.new(StringIO.new).tap { |l| l.level = 9 }.level }; t { Logger.new(StringIO.new).tap { |l| l.level = :bogus } }
t { l=Logger.new(StringIO.new); [l.debug?, l.info?, l.level=2, l.debug?, l.warn?] } ; t { Logger::Severity.constants.sort } ; t { Logger::Formatter.new.call("INFO", Time.utc(2020,1,2,3,4,5), "p", "m").sub(/#\d+/,'') } ; t { Logger::Formatter.new.call("INFO", Time.utc(2020), nil, {a: 1}).sub(/#\d+/,'') }
t { l=Logger.new("/tmp/libs_l.log"); l.info("z"); l.close; File.read("/tmp/libs_l.log").lines.size > 0 } ; t { Logger.new("/nonexistent/x") } ; t { File.delete("/tmp/libs_l.log") }
t { l=Logger.new(StringIO.new, formatter: ->(*a){ a[3].to_s }); l.formatter.class } ; t { Logger.new(StringIO.new, datetime_format: "%d").datetime_format } ; t { l=Logger.new(StringIO.new); l.reopen.class }
t { 1 } ;  require 'io/console/size'; t { IO.default_console_size }
t { Timeout.timeout(0.05) { sleep 2 } } ; t { Timeout.timeout(1) { 5 } } ; t { Timeout.timeout(0.05, ArgumentError) { sleep 1 } } ; t { Timeout.timeout(0.05, ArgumentError, "msg") { sleep 1 } } ; t { Timeout.timeout(0) { 1 } } ; t { Timeout.timeout(nil) { 2 } } ; t { Timeout::Error.ancestors.take(3) } ; t { Timeout::timeout(-1) { 3 } }
t { Benchmark.realtime { }.class } ; t { Benchmark.measure { }.class } ; t { Benchmark::Tms.new(1,2,3,4,5,"l").format("%n %u %y %t %r").strip } 
t { Etc.getpwnam("root").to_a } ; t { Etc.getpwuid(0).name } ; t { Etc.getgrgid(0).name } ; t { Etc.getgrnam("nosuch") } ; t { Etc.getpwnam("nosuch") } ; t { Etc.getpwuid(99999) } ; t { Etc.nprocessors.class } ; t { Etc.uname.keys } ; t { Etc.passwd { |x| break x.name } } ; t { Etc.systmpdir } ; t { Etc.sysconfdir }
class Sg; include Singleton; attr_accessor :v; end
t { Sg.new } ; t { Sg.instance.equal?(Sg.instance) } ; t { Sg.instance.dup } ; t { Sg.instance.clone } ; t { Class.new(Sg).instance.class.superclass }
class Tick; include Observable; def go; changed; notify_observers(1,2); end; end ; class Wt; attr_reader :g; def update(*a) = @g = a; def foo(*a) = @g=[:foo,*a]; end
t { a=Tick.new; w=Wt.new; a.add_observer(w); a.go; w.g } ; t { a=Tick.new; w=Wt.new; a.add_observer(w, :foo); a.go; [w.g, a.count_observers, a.changed?] } ; t { Tick.new.add_observer(1) }
