require "monitor"
p Monitor.instance_methods(false).sort, Monitor.private_instance_methods(false), Monitor.singleton_methods(false)
m = Monitor.new
p m.instance_variables, m.inspect.gsub(/0x\h+/, "0x"), (m.exit rescue $!), (m.mon_check_owner rescue $!), m.mon_locked?, m.mon_owned?, m.enter, m.enter, m.try_enter, m.mon_locked?, m.mon_owned?, m.exit, m.exit, m.exit, (m.exit rescue $!)
p m.synchronize { |*a| [a, m.mon_owned?] }, (m.synchronize { raise "x" } rescue $!), m.mon_locked?, (m.synchronize rescue $!)
m.freeze
p m.synchronize { m.synchronize { 5 } }
p m.method(:synchronize).arity, m.method(:wait_for_cond).arity
m = Monitor.new
c = m.new_cond
p c.class, (c.signal rescue $!), m.synchronize { c.wait(0.01) }, (m.synchronize { m.synchronize { [c.wait(0.01), m.mon_owned?] } })
q = []
t = Thread.new { m.synchronize { m.synchronize { c.wait_until { q.any? }; q << 2 } } }
Thread.pass until t.stop?
m.synchronize { q << 1; c.signal }
t.join
p q, m.mon_locked?
p Thread.new { m.try_enter }.value, m.mon_locked?
m2 = Monitor.new
m2.enter
p Thread.new { m2.try_enter }.value, Thread.new { (m2.exit rescue $!) }.value, Fiber.new { m2.mon_owned? }.resume
class My < Monitor; def initialize(a) = @a = a; end
p My.new(1).synchronize { 3 }, My.new(2).instance_variables
p Marshal.dump(Monitor.new) rescue p $!.class
