t = Thread.new { 1 + 1 }
p t.value
q = Queue.new
c = Thread.new { r = []; while (x = q.pop) != :done; r << x; end; r }
3.times { |i| q << i; Thread.pass }
q << :done
p c.value
t = Thread.new { Thread.current.report_on_exception = false; raise "boom" }
begin; t.join; rescue => e; p e.message; end
p t.status, t.alive?
m = Mutex.new
a = []
ts = 3.times.map { |i| Thread.new { m.synchronize { a << i; sleep 0.01; a << i } } }
ts.each(&:join)
p a.sort
t = Thread.new { sleep }
Thread.pass until t.stop?
p t.status
t.kill; t.join
p t.status
t = Thread.new { begin; sleep; ensure; p :ens; end }
Thread.pass until t.stop?; t.kill; t.join
p Thread.current[:a], (Thread.current[:a] = 3), Thread.current[:a]
p Thread.main == Thread.current
begin; Queue.new.pop; rescue Exception => e; p e.class; end
cv = ConditionVariable.new
ready = false
w = Thread.new { m.synchronize { cv.wait(m) until ready; p :woken } }
Thread.pass
m.synchronize { ready = true; cv.signal }
w.join
sq = SizedQueue.new(1)
pr = Thread.new { 3.times { |i| sq << i }; sq.close }
r = []; while x = sq.pop; r << x; end; p r

t = Thread.new { Thread.stop; 5 }
Thread.pass until t.stop?
t.run; p t.value
p sleep(0.01)
Thread.new { exit 3 }.join
