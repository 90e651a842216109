# Thread.handle_interrupt: exceptions of other threads at once, when the thread waits, or after the block.
def told(timing)
  log = []
  ready, go = Queue.new, Queue.new
  thread = Thread.new do
    begin
      Thread.handle_interrupt(RuntimeError => timing) do
        begin
          ready << true
          go.pop
          log << :popped
        rescue RuntimeError
          log << :inside
        end
      end
    rescue RuntimeError
      log << :after
    end
  end
  ready.pop
  thread.raise("stop")
  go << true
  thread.join
  log
end
%i[never immediate on_blocking].each { |timing| p timing, told(timing) }

# An inner mask decides; a new thread begins with its creator's.
log = []
Thread.handle_interrupt(StandardError => :never) do
  thread = Thread.new do
    until Thread.pending_interrupt?
      Thread.pass
    end
    begin
      Thread.handle_interrupt(RuntimeError => :immediate) {}
    rescue RuntimeError => error
      log << error.message
    end
  end
  thread.raise("inner")
  thread.join
end
p log

begin
  Thread.handle_interrupt(RuntimeError => :never) do
    Thread.current.raise("own")
    puts "goes on"
  end
rescue RuntimeError => error
  p error.message
end
started, go = Queue.new, Queue.new
killed = Thread.new do
  Thread.handle_interrupt(Object => :never) do
    started << true
    go.pop
    log << :went_on
  end
  log << :not_reached
end
started.pop
killed.kill
go << true
killed.join
p log.last
[-> { Thread.handle_interrupt(RuntimeError => :later) {} }, -> { Thread.handle_interrupt(RuntimeError => :never) }, -> { Thread.handle_interrupt([]) {} }, -> { Thread.kill(nil) }].each do |call|
  call.call
rescue ArgumentError, TypeError => error
  puts "#{error.class}: #{error.message}"
end
sleeping = Thread.new { sleep }
p [-1, -0.1, -Float::INFINITY].map { |limit| sleeping.join(limit) }
sleeping.kill
