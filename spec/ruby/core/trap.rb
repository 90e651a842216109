# What `trap` answers, and the default of the signals that raise.
p trap(:INT, :SIG_DFL)
p trap(:INT, nil)
p trap(:INT, "SIG_IGN")
p trap(:INT, "")
p trap(:INT, "EXIT")
p trap(:INT, "DEFAULT")
p trap(:INT, "SYSTEM_DEFAULT")
p trap(:INT, proc {})
p trap(:INT, "IGNORE").class
p trap(:INT, "DEFAULT")
p trap(0, "DEFAULT")
p trap("CHLD", "DEFAULT")
p trap("CHLD", "DEFAULT")
p trap("WINCH", "IGNORE")
p trap("WINCH", "DEFAULT")
[["KILL", "DEFAULT"], ["SEGV", "DEFAULT"], ["FOO", "DEFAULT"], [99, "DEFAULT"], [9, "DEFAULT"], [Object.new, "x"]].each do |signal, command|
  trap(signal, command)
rescue ArgumentError, SystemCallError => error
  puts "#{error.class}: #{error.message}"
end
begin
  trap(:INT, :SIG_DFL)
  Process.kill :INT, Process.pid
  sleep 5
rescue Interrupt => error
  p error.signo, error.message
end
begin
  trap("TERM", "DEFAULT")
  Process.kill :TERM, Process.pid
  sleep 5
rescue SignalException => error
  p error, error.signo, error.signm
end
trap("USR1", "$seen = true")
Process.kill :USR1, Process.pid
sleep 0.01 until $seen
p $seen
# What is ignored, or left to the system, is no Ruby code; children are always waited for.
[nil, "DEFAULT", proc {}, "IGNORE", "SYSTEM_DEFAULT", "", "EXIT", "DEFAULT"].each do |command|
  old = trap(:CHLD, command)
  p old.is_a?(Proc) ? Proc : old
end
trap("USR1", proc { trap("USR2", "IGNORE") })
trap("USR2", proc { puts "not ignored" })
Process.kill :USR1, Process.pid
Process.kill :USR2, Process.pid
sleep 0.01
p trap("USR2", "DEFAULT").class
# The handler of the end runs first, whether it is source or a block.
at_exit { puts "at_exit" }
trap(:EXIT, "puts 'trapped'")
p trap(:EXIT, "puts 'leaving'")
