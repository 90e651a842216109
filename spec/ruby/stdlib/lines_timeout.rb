require_relative "fixtures/lines"
require "timeout"
each_line_of(<<'CODE')
def slow = sleep(1)
begin; Timeout.timeout(0.05) { slow }; rescue Timeout::Error => e; e.backtrace.map { |l| l[/in .*/] }; end
begin; Timeout.timeout(0.05) { [1].each { slow } }; rescue Timeout::Error => e; e.backtrace.map { |l| l[/in .*/] }.take(5); end
begin; Timeout.timeout(0.05) { begin; slow; ensure; raise "other"; end }; rescue => e; [e.class, e.message, e.cause.class]; end
begin; Timeout.timeout(0.05) { begin; slow; ensure; sleep 0.1; end }; rescue Timeout::Error => e; e.message; end
begin; Timeout.timeout(0.05) { begin; slow; rescue Timeout::Error; :r; else; :e; end }; rescue Timeout::Error => e; e.message; end
begin; Timeout.timeout(0.05, Timeout::Error) { begin; slow; rescue Timeout::Error; :r; end }; rescue Timeout::Error => e; e.message; end
begin; Timeout.timeout(0.05, Class.new(StandardError) { def initialize(m) = super("<#{m}>") }, "q") { slow }; rescue => e; e.message; end
Thread.new { Timeout.timeout(0.05) { sleep 1 } rescue $!.message }.value
Fiber.new { Timeout.timeout(0.05) { sleep 1 } rescue $!.message }.resume
Timeout.timeout(0.5) { [1, 2].each { |x| break x } }
x = [1].map { Timeout.timeout(1) { next 5 } }
Timeout.timeout(1) { |*a| a }
Timeout.timeout(Rational(1, 20)) { sleep 1 }
Timeout.timeout(0.05) { `sleep 1` }
Timeout.timeout(0.05) { Mutex.new.synchronize { sleep 1 } }
m = Mutex.new; (Timeout.timeout(0.05) { m.synchronize { sleep 1 } } rescue 1); m.locked?
r = []; (Timeout.timeout(0.05) { begin; sleep 1; ensure; r << 1; end } rescue r << $!.class); r
Timeout::Error.new("x").exception.message
Timeout::Error.new("x").exception("y").message
Timeout::Error.new.message
Timeout::Error.instance_methods(false).sort
Timeout.timeout(1, "notclass") { 1 }
Timeout.timeout
Timeout.timeout(1)
Timeout.singleton_methods.sort
CODE
