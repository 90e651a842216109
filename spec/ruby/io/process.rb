def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end
t { `echo hi; exit 3` }
t { [$?.exitstatus, $?.success?, $?.exited?, $?.to_i, $?.class] }
t { system("exit 2") }
t { system("true") }
t { system("nonexistent-command") }
t { $?.exitstatus }
t { system("kill -9 $$"); [$?.termsig, $?.signaled?, $?.exitstatus, $?.to_s.sub(/\d+/, "N")] }
t { system("exit 3", exception: true) }
t { system("nonexistent-command", exception: true) }
t { `nonexistent-command` }
t { system("echo", "a b", "$HOME") }
t { system({"A" => "1", "B" => nil}, "echo $A-$B") }
t { system(["echo", "argv0"], "x") }
t { system("echo err 1>&2", err: "/dev/null") }
t { r, w = IO.pipe; system("echo out; echo err 1>&2", out: w, err: [:child, :out]); w.close; r.read }
t { r, w = IO.pipe; pid = spawn("cat", in: r, out: "/dev/null"); r.close; w.close; Process.wait(pid) == pid }
t { system("pwd", chdir: "/") }
t { system("echo $A", unsetenv_others: true) }
t { IO.popen("echo popen", &:read) }
t { IO.popen(["echo", "a  b"]).read }
t { IO.popen("cat", "r+") { |io| io.write "x"; io.close_write; io.read } }
t { IO.popen("exit 4").close; $?.exitstatus }
t { IO.popen({"Q" => "1"}, "echo $Q").read }
t { spawn("nonexistent-command") }
t { system("ls", foo: 1) }
t { Process.clock_gettime(Process::CLOCK_MONOTONIC).class }
t { Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond).class }
t { Process.clock_gettime(1, :foo) }
t { Process.kill(0, $$) }
t { Process.kill(:FOO, 1) }
t { pid = spawn("sleep 5"); Process.kill("TERM", pid); Process.wait2(pid)[1].termsig }
t { Process.wait(spawn("exit 7")); $?.exitstatus }
t { [Process.pid == $$, Process.ppid.class, Process.uid == Process.euid] }
print "before "
$stdout.flush
system("echo child")
print "kept back "
system("echo child 2")
puts "after"
$stdout.sync = true
ENV["RCHEF_T"] = "1"
t { `echo $RCHEF_T`.chomp }
t { ENV["RCHEF_T"] = nil; ENV.fetch("RCHEF_T", 5) }
t { ENV.fetch("RCHEF_T") }
t { ENV["a=b"] = "1" }
t { ENV["a"] = 1 }
t { ENV[nil] }
t { ENV.key?("PATH") && ENV.to_h["PATH"] == ENV["PATH"] }
t { ENV.map { |k, v| k.class }.uniq }
t { ENV.inspect.class }
t { ENV.slice("NOPE") }
