# Limits of the process: names, numbers, errors. Only the core size is changed, to what it may be for everyone.
p Process.constants.grep(/\ARLIM/).sort
p Process.getrlimit(:NOFILE) == Process.getrlimit("NOFILE"), Process.getrlimit(Process::RLIMIT_NOFILE).size
p Process::RLIM_INFINITY
Process.setrlimit(:CORE, 0)
p Process.getrlimit(:CORE)
[[:FOO], ["nofile"], [nil], [999]].each do |arguments|
  Process.getrlimit(*arguments)
rescue ArgumentError, TypeError, SystemCallError => error
  puts "#{error.class}: #{error.message}"
end
[[:CORE, "x"], [:CORE, 2**70], [:CORE, :NONE]].each do |arguments|
  Process.setrlimit(*arguments)
rescue ArgumentError, RangeError => error
  puts "#{error.class}: #{error.message}"
end
p Process.setrlimit(:CORE, 0, 0)
[[:getrlimit, 2**32 + 4], [:setrlimit, 2**32 + 4, 0], [:setrlimit, -2**32, 0], [:getrlimit, 2**70]].each do |arguments|
  Process.send(*arguments)
rescue RangeError => error
  puts error.message
end
