# Hooks of a fiber scheduler that wait themselves, move few bytes at once, or treat a buffer badly.
class Scheduler
  def initialize
    @fibers, @ready, @sleeping, @blocked = [], [], {}, 0
  end
  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  def fiber(&block) = Fiber.new(blocking: false, &block).tap { |fiber| @fibers << fiber }.tap(&:resume)
  def kernel_sleep(seconds = nil) = block(:sleep, seconds)
  def block(_blocker, timeout = nil)
    timeout ? @sleeping[Fiber.current] = now + timeout : @blocked += 1
    Fiber.yield
  ensure
    timeout ? @sleeping.delete(Fiber.current) : @blocked -= 1
  end
  def unblock(_blocker, fiber) = @ready << fiber
  def io_wait(_io, events, _timeout) = events
  def close = run
  def run
    until @sleeping.empty? && @blocked == 0 && @ready.empty?
      ready, @ready = @ready, []
      ready.each { |fiber| fiber.resume if fiber.alive? }
      @sleeping.select { |_, at| at <= now }.each_key(&:resume)
    end
  end
end

def scheduled(scheduler = Scheduler.new)
  Thread.new do
    Thread.current.report_on_exception = false
    Fiber.set_scheduler(scheduler)
    yield(result = [])
    scheduler.run
    result
  end.value
end
def told
  yield
rescue Exception => error
  "#{error.class}: #{error.message}"
end

puts "a hook that waits for a lock"
guarded = Class.new(Scheduler) do
  attr_reader :guard
  def initialize
    super
    @guard = Mutex.new
  end
  def block(blocker, timeout = nil)
    @guard.synchronize {} unless @guard.owned? || blocker.equal?(@guard)
    super
  end
end.new
p(scheduled(guarded) do |order|
  mutex = Mutex.new
  Fiber.schedule { guarded.guard.lock; sleep(0.02); guarded.guard.unlock }
  Fiber.schedule { mutex.lock; sleep(0.05); order << :first; mutex.unlock }
  Fiber.schedule { mutex.synchronize { order << :second } }
end)

puts "sleep of a lock"
p(scheduled { |order| Fiber.schedule { mutex = Mutex.new.lock; order << mutex.sleep(0.01) << mutex.owned? } })

puts "few bytes at once"
few = Class.new(Scheduler) do
  def io_read(io, buffer, _length)
    Fiber.new(blocking: true) { io.read_nonblock(3, exception: false) || "" }.resume.then { |text| buffer.set_string(text) }
  end
  def io_write(io, buffer, _length)
    Fiber.new(blocking: true) { io.write_nonblock(buffer.get_string(0, [buffer.size, 4].min)) }.resume
  end
end
p(scheduled(few.new) do |order|
  from, to = IO.pipe
  to.sync = true
  Fiber.schedule do
    order << to.write("one two three four")
    to.close
    order << from.read
  end
end)

puts "a buffer that is made anew"
%i(io_read io_write).each do |hook|
  bad = Scheduler.new
  bad.define_singleton_method(hook) { |_io, buffer, _length| buffer.send(:initialize, 10); 3 }
  p(scheduled(bad) do |order|
    from, to = IO.pipe
    to.sync = true
    Fiber.schedule { order << told { hook == :io_read ? from.read(1) : to.write("text") } }
  end)
end
%i(free transfer).each do |change|
  bad = Scheduler.new
  bad.define_singleton_method(:io_read) { |_io, buffer, _length| buffer.public_send(change); 3 }
  p(scheduled(bad) { |order| Fiber.schedule { order << told { IO.pipe.first.read(1) } } })
end

puts "odd results"
[-Errno::EIO::Errno, 2.5, 2**40, -2**40].each do |result|
  odd = Scheduler.new
  odd.define_singleton_method(:io_write) { |_io, _buffer, _length| result }
  p(scheduled(odd) do |order|
    to = IO.pipe.last
    to.sync = true
    Fiber.schedule { order << told { to.write("ab") } }
  end)
end

puts "fibers that have ended"
ended = Fiber.new { 1 }
p ended.backtrace, ended.resume, ended.backtrace, ended.backtrace_locations
p ended.backtrace(3), ended.backtrace_locations(1..2), Fiber.new {}.backtrace(1)
suspended = Fiber.new { Fiber.yield }
suspended.resume
p suspended.backtrace.size, suspended.backtrace(2), suspended.backtrace(3)
