# Functions of Kernel that Process has, and settings of a process.
p Process.maxgroups, (Process.maxgroups = 1024), Process.maxgroups
begin
  Process.maxgroups = 0
rescue ArgumentError => error
  p error.message
end
begin
  Process.exit(3)
rescue SystemExit => error
  p error.status
end
begin
  Process.abort
rescue SystemExit => error
  p error.status
end
Process.euid = Process.euid
Process.egid = Process.egid
p %i(uid= euid= gid= egid= groups= initgroups setpriority getpriority getsid daemon exit exit! abort).all? { |name| Process.respond_to?(name) }
