# A signal that comes while other threads run is the main thread's.
worker = Thread.new { loop { 1 + 1 } }
begin
  trap("USR1") { puts "trapped in main: #{Thread.current == Thread.main}" }
  Process.kill("USR1", $$)
  sleep 0.05
  killer = Thread.new { sleep 0.05; Process.kill("TERM", $$) }
  loop { Thread.new {}.join }
rescue SignalException => e
  p e, Thread.current == Thread.main
end
p worker.alive?
worker.kill
