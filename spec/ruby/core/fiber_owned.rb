def t(n); r = begin; yield.inspect; rescue Exception => e; "#{e.class}: #{e.message}"; end; puts "#{n}: #{r}"; end
require 'monitor'
m = Mutex.new
t(1) { m.synchronize { Fiber.new { [m.owned?, m.locked?] }.resume } }
t(2) { m.synchronize { Fiber.new { m.lock }.resume } }
t(3) { m.synchronize { Fiber.new { m.unlock }.resume } }
t(4) { m.synchronize { Fiber.new { m.try_lock }.resume } }
o = Monitor.new
t(5) { o.synchronize { Fiber.new { [o.mon_owned?, o.mon_locked?] }.resume } }
t(6) { o.synchronize { Fiber.new { o.synchronize { 1 } }.resume } }
t(7) { Fiber.new { m.lock }.resume; [m.locked?, m.owned?] }
t(8) { m.unlock }
t(9) { Thread.current[:x] = 1; Fiber.new { Thread.current[:x] }.resume }
t(11) { Thread.current[:x] = 3; $f = Fiber.new { Thread.current[:x] ||= 4; Fiber.yield; Thread.current[:x] }; $f.resume; [Thread.current[:x], $f.resume] }
t(13) { Thread.new { Thread.current.group == ThreadGroup::Default }.value }
t(14) { [ThreadGroup::Default == Thread.current.group, ThreadGroup::Default.list.size] }
