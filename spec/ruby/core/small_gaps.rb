def t(n) = (r = begin; yield; rescue Exception => e; "#{e.class}: #{e.message.lines.first}"; end; puts "#{n}: #{r.inspect}")
class Sized; include Enumerable; def each; yield 1; end; def size = 42; end
t(1) { caller(1000, 0) }
t(2) { caller_locations(1000, 0) }
t(3) { [].to_enum.first(-1) }
t(4) { [].to_enum.first(2**62) }
t(5) { [].to_enum.first(2**70) }
t(6) { (..10).step(2).first }
t(7) { (..10).step(2).first(1) }
t(8) { (1..).step(1i).take(3) }
t(9) { (0.0..).step(1.0i).take(2) }
t(10) { Class.instance_method(:allocate).bind(Rational).call }
t(11) { Class.instance_method(:allocate).bind_call(Complex) }
t(12) { Rational.allocate }
t(13) { Integer.allocate }
t(18) { Marshal.load("\x04\x08o:\x0cComplex\x07:\x0a@reali\x06:\x0b@imagei\x07") }
t(19) { Marshal.load("\x04\bo:\rRational\a:\x0F@numeratori\x06:\x11@denominatori\a") }
t(21) { (0..10).each_with_object(a: 1).inspect }
t(22) { (0..10).each_slice(2).inspect + [1].each_with_index.inspect }
t(23) { %i[find_all reject map flat_map partition group_by sort_by min_by max_by minmax_by each_with_index reverse_each each_entry filter_map].map { |m| Sized.new.send(m).size } }
t(24) { Sized.new.each_with_object(nil).size }
t(25) { Sized.new.each_slice(5).size }
t(26) { Sized.new.each_cons(5).size }
t(27) { o = Object.new; def o.exception(arg) = nil; RuntimeError.new("a") == o }
t(31) { 1.step(10, nil) { } }
t(32) { 1.step(10, "1") { } }
t(33) { 1.step(10, "1").size }
t(34) { 1.step(10, 0) { } }
t(35) { 1.step(10, nil).size }
t(36) { 1.step(by: nil).first(2) }
t(38) { Numeric.new.quo(1) }
t(39) { Integer("\u{3042}".encode("UTF-16LE")) }
t(45) { c = Class.new(StandardError) { def backtrace = :backtrace }; begin; raise c; rescue c; $@; end }
t(46) { c = Class.new(StandardError) { def backtrace = :backtrace }; begin; raise c; rescue c => e; e.full_message; end }
t(47) { Process::Status.wait($$) }
t(49) { Process::Status.allocate.inspect }
t(50) { pid = fork { exit 3 }; s = Process::Status.wait(pid); [s.class, s.exitstatus, s.pid == pid] }
t(58) { r = (1..2); r.__send__(:initialize, 1, 3) }
t(60) { Rational(1, 2).to_r ** (10**30) }
t(66) { Regexp.union("/", "") .to_s}
t(67) { Regexp.union(/\//, "").source }
t(72) { Signal.trap("SIG-SIGEXIT") {} }
t(74) { Module.new { include(Module.new.send(:refine, String) {}) } }
t(76) { Object.new.clone(freeze: 1) }
t(82) { ObjectSpace._id2ref("x") }
t(83) { ObjectSpace.define_finalizer("x".dup, 1) }
t(84) { ObjectSpace.define_finalizer(1, proc {}) }
t(95) { IO.popen("nonexistent_command_x") }
t(97) { Process.spawn("nonexistent_command_x", chdir: "/nonexistent") }
t(98) { Process.spawn("true", chdir: "/nonexistent") }
t(200) { at_exit }
t(201) { Struct.new(:x=) }
t(202) { [1, 2].fill(1, 2, 3, 4) }
t(203) { $stderr = $stdout; $VERBOSE = true; format("a", 1) }
t(204) { format("a", { b: 1 }) }
class Redefined
  def foo = 1
  alias foo foo
  def foo = 2
end
require "tmpdir"
Warning[:deprecated] = true
Dir.mktmpdir do |folder|
  File.write("#{folder}/later.rb", "class Later; OLD = 1; end")
  File.write("#{folder}/inside.rb", "class Later; INSIDE = 2; deprecate_constant :INSIDE; end")
  $later, $inside = "#{folder}/later.rb", "#{folder}/inside.rb"
  class Later
    autoload :OLD, $later
    autoload :INSIDE, $inside
    autoload :SET, "./never"
    deprecate_constant :OLD, :SET
    SET = 3
  end
  t(205) { [Later::OLD, Later::OLD, Later::INSIDE, Later::SET] }
end
t(206) { r = nil; Module.new { r = refine(String) {} }; [:include, :prepend, :extend].map { |m| Module.new.send(m, r) rescue "#{$!.class}: #{$!.message}" } }
t(207) { GC::Profiler.enable; GC.start; [GC::Profiler.raw_data.last.keys, GC::Profiler.total_time.class, GC::Profiler.result.lines.first[/\AGC \d+ invokes/].class, GC::Profiler.report(File.open(File::NULL, "w")), GC::Profiler.clear, GC::Profiler.raw_data, GC::Profiler.result, GC::Profiler.disable] }
t(208) { GC.start; [GC.latest_gc_info(:major_by), GC.latest_gc_info[:gc_by], GC.latest_gc_info({}).class] }
t(209) { GC.latest_gc_info(:foo) }
t(210) { Process.setproctitle("a\0b") }
t(211) { before = Process.argv0.dup; $0 = "other"; [$0, Process.argv0 == before] }
class Stepped
  attr_reader :i
  def initialize(i) = @i = i
  def to_int = @i
  def <=>(o) = @i <=> o.to_int
  def <=(o) = @i <= o.to_int
  def <(o) = @i < o.to_int
  def +(o) = Stepped.new(@i + o)
end
t(212) { list = []; (Stepped.new(1)..Stepped.new(9)).step(2) { |x| list << x.i }; (Stepped.new(1)...Stepped.new(9)).step(4) { |x| list << x.i }; list }
