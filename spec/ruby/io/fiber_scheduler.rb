# Fiber.set_scheduler: the hooks that are called where a non-blocking fiber would block, and those that may be left out.
require "socket"
require "timeout"

class Scheduler
  attr_reader :log
  def initialize
    @log, @ready, @sleeping, @readable, @writable, @blocked = [], [], {}, {}, {}, 0
    @lock, (@urgent, @wake) = Thread::Mutex.new, IO.pipe
  end
  def note(*words) = @log << words
  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def fiber(&block)
    fiber = Fiber.new(blocking: false, &block)
    fiber.resume
    fiber
  end
  def kernel_sleep(*args)
    note(:kernel_sleep, *args)
    block(:sleep, *args)
    true
  end
  def block(blocker, timeout = nil)
    note(:block, blocker.class, timeout.class) unless blocker == :sleep
    if timeout
      @sleeping[Fiber.current] = now + timeout
    else
      @blocked += 1
    end
    Fiber.yield
  ensure
    timeout ? @sleeping.delete(Fiber.current) : @blocked -= 1
  end
  def unblock(blocker, fiber)
    note(:unblock)
    @lock.synchronize { @ready << fiber }
    @wake.write(".")
  end
  def io_wait(io, events, timeout)
    note(:io_wait, io.class, events, timeout) unless events == 5 || events == IO::WRITABLE
    @readable[io] = Fiber.current if events & IO::READABLE != 0
    @writable[io] = Fiber.current if events & IO::WRITABLE != 0
    Fiber.yield
    events
  end
  def run
    until @sleeping.empty? && @readable.empty? && @writable.empty? && @blocked == 0 && @ready.empty?
      limit = @ready.any? ? 0 : @sleeping.values.min&.then { |at| [at - now, 0].max }
      readable, writable = IO.select([@urgent, *@readable.keys], @writable.keys, [], limit)
      readable&.each { |io| io == @urgent ? @urgent.readpartial(1024) : @readable.delete(io).resume }
      writable&.each { |io| @writable.delete(io).resume }
      @lock.synchronize { ready, @ready = @ready, []; ready }.each { |fiber| fiber.resume if fiber.alive? }
      @sleeping.select { |_, at| at <= now }.each_key(&:resume)
    end
  end
  def close
    note(:close)
    run
  end
end

class Fuller < Scheduler
  def process_wait(pid, flags)
    note(:process_wait, pid.class, flags)
    Thread.new { Process::Status.wait(pid, flags) }.value
  end
  def timeout_after(seconds, error, message)
    note(:timeout_after, seconds, error, message)
    target = Fiber.current
    fiber do
      sleep(seconds)
      target.raise(error, message) if target&.alive?
    end
    yield seconds
  ensure
    target = nil
  end
  def address_resolve(name)
    note(:address_resolve, name)
    name == "nowhere.test" ? [] : %w(192.0.2.7)
  end
end

def scheduled(kind = Scheduler)
  scheduler = nil
  value = Thread.new do
    scheduler = kind.new
    Fiber.set_scheduler(scheduler)
    yield scheduler
  end.value
  puts "  " + scheduler.log.map { |words| words.join(" ") }.join(", ")
  value
end

puts "states"
p Fiber.scheduler, Fiber.current_scheduler, Fiber.blocking?, Fiber.current.blocking?
p Fiber.new { [Fiber.blocking?, Fiber.current.blocking?] }.resume, Fiber.new(blocking: true) { Fiber.blocking? }.resume, Fiber.new(1) { 2 }.resume, Fiber.new(pool: nil) { 3 }.resume
p Enumerator.new { |to| to << Fiber.blocking? }.next, Thread.new { Fiber.blocking? }.value
begin
  Fiber.schedule {}
rescue => error
  p error
end
begin
  Fiber.new(storage: nil) {}
rescue => error
  p error
end
%i(block unblock kernel_sleep io_wait).each_with_index do |name, index|
  half = Object.new
  %i(block unblock kernel_sleep io_wait).first(index).each { |known| half.define_singleton_method(known) { |*| } }
  begin
    Fiber.set_scheduler(half)
  rescue => error
    p error
  end
end

puts "sleep"
scheduled do |scheduler|
  order = []
  p Fiber.scheduler.equal?(scheduler), Fiber.current_scheduler
  fiber = Fiber.schedule { order << 1; p Fiber.current_scheduler.equal?(scheduler); p sleep(0.05); order << 4 }
  p fiber.class
  Fiber.schedule { order << 2; sleep(0.01); order << 3 }
  scheduler.run
  p order
end
p(scheduled { Fiber.schedule { sleep(0.01) }; :ended })

puts "locks"
scheduled do |scheduler|
  mutex, order = Mutex.new, []
  Fiber.schedule { mutex.synchronize { sleep(0.02); order << :first } }
  Fiber.schedule { mutex.synchronize { order << :second } }
  scheduler.run
  p order, mutex.locked?
end
scheduled do |scheduler|
  mutex, condition, order = Mutex.new, ConditionVariable.new, []
  Fiber.schedule { mutex.synchronize { 2.times { condition.wait(mutex); order << :woken } } }
  Fiber.schedule { 2.times { mutex.synchronize { condition.signal }; sleep(0.01) } }
  Fiber.schedule { mutex.synchronize { order << ConditionVariable.new.wait(mutex, 0.05) } }
  scheduler.run
  p order
end

puts "queues"
scheduled do |scheduler|
  queue, order = Queue.new, []
  Fiber.schedule { while (item = queue.pop); order << item; end; order << :closed }
  Fiber.schedule { 3.times { |index| queue << index; sleep(0.005) }; queue.close }
  scheduler.run
  p order
end
scheduled do |scheduler|
  queue, order = SizedQueue.new(1), []
  Fiber.schedule { 3.times { |index| queue << index; order << [:put, index] } }
  Fiber.schedule { 3.times { order << [:got, queue.pop] } }
  scheduler.run
  p order
end

puts "threads"
p(scheduled do |scheduler|
  result = []
  Fiber.schedule { result << Thread.new { sleep(0.01); :done }.value }
  scheduler.run
  result
end)

puts "streams"
scheduled do |scheduler|
  input, output = IO.pipe
  same, order = nil, []
  scheduler.define_singleton_method(:io_wait) { |io, events, timeout| same ||= io.equal?(input); super(io, events, timeout) }
  Fiber.schedule { order << input.gets << input.read; input.close }
  Fiber.schedule { output.write("one\n"); sleep(0.01); output.write("two"); output.close }
  scheduler.run
  p same, order
end
scheduled do |scheduler|
  server = TCPServer.new("127.0.0.1", 0)
  order = []
  Fiber.schedule { peer = server.accept; order << peer.read(5); peer.write("answer"); peer.close }
  Fiber.schedule do
    client = TCPSocket.new("127.0.0.1", server.addr[1])
    sleep(0.01)
    client.write("hello")
    order << client.read
    order << client.wait_readable(0.1).equal?(client)
  end
  scheduler.run
  p order
end.then { |log| log }

puts "what may be left out"
scheduled(Fuller) do |scheduler|
  Fiber.schedule { pid = spawn("exit 3"); Process.wait(pid); p $?.exitstatus }
  Fiber.schedule do
    Timeout.timeout(0.01) { sleep(1) }
  rescue Timeout::Error => error
    p error
  end
  scheduler.run
  Fiber.schedule do
    p Addrinfo.getaddrinfo("somewhere.test", 80, nil, :STREAM).map(&:inspect_sockaddr), IPSocket.getaddress("somewhere.test")
    begin
      Addrinfo.getaddrinfo("nowhere.test", 80)
    rescue SocketError => error
      p error.class
    end
  end
  scheduler.run
end

puts "ends"
scheduler = Scheduler.new
Fiber.set_scheduler(scheduler)
p Fiber.set_scheduler(nil), scheduler.log
at_exit { puts "at_exit" }
Fiber.set_scheduler(Scheduler.new)
Fiber.schedule { sleep(0.01); puts "the last fiber" }
puts "the main program ends"
