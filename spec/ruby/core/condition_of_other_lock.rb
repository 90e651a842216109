# ConditionVariable#wait with a lock that has a sleep of its own: signal and broadcast wake it.
require "mutex_m"
lock = Object.new.extend(Mutex_m)
condition = Thread::ConditionVariable.new
woken = Thread.new { lock.synchronize { condition.wait(lock) }; :signalled }
Thread.pass until woken.stop?
lock.synchronize { }
condition.signal
p woken.value
threads = 3.times.map { |index| Thread.new { lock.synchronize { condition.wait(lock) }; index } }
Thread.pass until threads.all?(&:stop?)
condition.broadcast
p threads.map(&:value)
p lock.synchronize { condition.wait(lock, 0.01) }.class
