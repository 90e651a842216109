# A child goes on with the fiber or thread that forked, and ends with it: what waited for it is not there any more.
$stdout.sync = true
def ended(pid) = p(Process.waitpid2(pid).last.exitstatus)

pid = Fiber.new { fork }.resume
if pid
  ended(pid)
else
  puts "never reached"
end
ended Fiber.new { fork { Fiber.new { puts "fiber in the child" }.resume; exit 3 } }.resume
ended Enumerator.new { |y| y << fork { puts "enumerator" } }.next
pid = Fiber.new do
  fork or begin
    Fiber.yield
  rescue FiberError => e
    puts e.message
    exit!(7)
  end
end.resume
ended pid
pid = Fiber.new { fork or (at_exit { puts "at exit" }; puts "end"; nil) }.resume
pid ? ended(pid) : puts("never reached")
thread = Thread.new { fork or puts("thread in the child") }
pid = thread.value
pid ? ended(pid) : puts("never reached")
