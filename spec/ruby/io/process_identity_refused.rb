# Ids as numbers and names: negative ones wrap around, a text is a name even if it is a number, and -1 is an id that nothing can get.
require "etc"

def tried
  p yield
rescue SystemCallError, ArgumentError, RangeError, TypeError => error
  p error.class, error.message
end

tried { spawn("true", uid: -1) }
tried { spawn("true", gid: -1) }
tried { system("true", uid: -1) }
tried { IO.popen("true", uid: -1) }
tried { exec("true", gid: -1) }
tried { Process.initgroups("a\0b", 1) }
tried { Process::UID.from_name(0) }
tried { Process::UID.from_name("root") }
tried { Process::UID.from_name(-1) }
tried { Process::UID.from_name(-2) }
tried { Process::GID.from_name(2**32) }
tried { Process::GID.from_name(-2**31 - 1) }
tried { Process::GID.from_name(2**70) }
tried { Process::UID.from_name("0") }
tried { Process::GID.from_name("0") }
tried { Process::UID.from_name(nil) }
tried { Process::UID.from_name(:root) }
tried { Process.uid = "0" }
tried { Etc.getpwnam("0") }
tried { Etc.getgrnam("0") }
tried { Process.getsid(nil) == Process.getsid }
tried { Process.getpriority(Process::PRIO_PROCESS, 0) == Process.getpriority(Process::PRIO_PROCESS, Process.pid) }
tried { (Process.euid = Process.euid) == Process.euid }
tried { Process::UID.switch {} }
tried { Process::GID.switch {} }
tried { Process.uid = -1 }
tried { Process::UID.change_privilege(-1) }
tried { Process::UID.eid = -1 }
tried { Process::Sys.setuid(-1) }
tried { Process::Sys.setresuid(-1, -1, -1) }
