# A copy of the process: with a block, without one, by popen; its status, its output, its threads.
$stdout.sync = true
pid = fork do
  at_exit { puts "handlers run" }
  puts "child"
  exit 3
end
Process.wait(pid)
p $?.exitstatus

reader, writer = IO.pipe
if (pid = fork)
  writer.close
  p reader.read
  Process.wait(pid)
else
  reader.close
  writer.write("pid of its own: #{Process.pid != Process.ppid}")
  writer.close
  exit!(0)
end
p $?.success?

IO.popen("-", "r+") do |io|
  if io
    io.puts "x"
    io.close_write
    p io.read
  else
    puts "got #{gets}"
  end
end

sleeper = Thread.new { sleep }
Process.wait(fork { p [Thread.list.size, Thread.main == Thread.current, sleeper.alive?] })
p sleeper.alive?

$stderr = $stdout
Process.wait(fork { raise ArgumentError, "uncaught" })
p $?.exitstatus

begin
  Process.wait(fork { throw :nowhere })
ensure
  p $?.exitstatus
end

ran = []
begin
  Process.wait(fork { exit! 4 })
  p $?.exitstatus
ensure
  ran << :parent
end
p ran

Process.wait(fork { p Process.setsid == Process.pid, Process.getpgrp == Process.pid })
Process.wait(fork { p Process.setpgid(0, 0), Process.getpgrp == Process.pid })
begin
  Process.wait(fork { Process.setpgrp; Process.setsid rescue p $!.class })
end
