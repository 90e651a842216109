# Process._fork is what all forms of fork call.
READER, WRITER = IO.pipe
TOLD = []
module Told
  def _fork
    pid = super
    pid == 0 ? WRITER.syswrite("child\n") : TOLD << "parent"
    pid
  end
end
$stdout.sync = true
p Process.respond_to?(:_fork)
pid = Process._fork
exit!(3) if pid == 0
Process.wait(pid)
p $?.exitstatus
Process.singleton_class.prepend(Told)
Process.wait(fork { WRITER.syswrite("in\n") })
Process.wait(Process.fork { exit!(1) })
IO.popen("-") { |io| io ? print(io.read) : print("by popen\n") }
p TOLD
WRITER.close
puts READER.read
