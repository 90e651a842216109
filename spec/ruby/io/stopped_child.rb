# A wait for children that have been stopped.
r, w = IO.pipe
pid = spawn("bash", "-c", "read var", in: r)
r.close
Process.kill("STOP", pid)
p Process.waitpid(pid, Process::WUNTRACED) == pid
p $?.stopped?, $?.stopsig, $?.exited?, $?.signaled?, $?.success?
p $?.inspect.sub(/\d+/, "N")
p Process.waitpid(pid, Process::WUNTRACED | Process::WNOHANG)
t = Thread.new { Process.waitpid(pid, Process::WUNTRACED); $?.inspect.sub(/\d+/, "N") }
Process.kill("CONT", pid); sleep 0.05; Process.kill("STOP", pid)
p t.value
Process.kill("CONT", pid)
w.write("foo\n"); w.close
Process.wait(pid); p $?.exited?
