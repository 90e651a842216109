# User and group ids, groups, priorities and sessions of processes. What only root may do is tried where root runs this.
def t(label)
  result = yield
  puts "#{label}: #{result.inspect}"
rescue SystemCallError, ArgumentError, TypeError, RangeError, NotImplementedError => e
  puts "#{label}: #{e.class}: #{e.message.lines.first}"
end

# Whether the block's result, in a child with root's privilege, is the expected one; true where there is none.
def child(expected)
  return true unless Process.euid.zero?
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    writer << Marshal.dump((yield rescue $!.class))
    writer.close
    exit!(0)
  end
  writer.close
  result = Marshal.load(reader.read)
  Process.wait(pid)
  result == expected || result
end
ids = -> { %w[Uid Gid].map { |name| File.read("/proc/self/status")[/^#{name}:\s+(.*)/, 1].split.first(3).map(&:to_i) } }

t("groups=") { child([1, 7]) { Process.groups = ["daemon", 7]; Process.groups } }
t("initgroups") { child([65534]) { Process.initgroups("nobody", 65534) } }
t("uid=") { child([[65534, 0, 0], [65534, 0, 0]]) { Process.gid = "nogroup"; Process.uid = "nobody"; ids.() } }
t("euid=") { child([[0, 65534, 0], [0, 0, 0]]) { Process.euid = "nobody"; ids.() } }
t("euid= and back") { child([[0, 0, 0], [0, 0, 0]]) { Process.euid = 65534; Process.euid = 0; ids.() } }
t("change") { child([7, [[9, 9, 9], [7, 7, 7]]]) { [Process::GID.change_privilege(7), (Process::UID.change_privilege(9); ids.())] } }
t("no way back") { child(Errno::EPERM) { Process::UID.change_privilege(65534); Process::UID.change_privilege(0) } }
t("eid=") { child([[0, 65534, 65534], [0, 0, 0]]) { Process::UID.eid = 65534; ids.() } }
t("switch") { child([[0, 0, 65534], [0, 65534, 65534]]) { Process::UID.eid = 65534; [Process::UID.switch { ids.().first }, ids.().first] } }
t("re_exchange") { child([[65534, 0, 0], [0, 0, 0]]) { Process::UID.grant_privilege("nobody"); Process::UID.re_exchange; ids.() } }
t("setreuid") { child([[65534] * 3, [0] * 3]) { Process::Sys.setreuid(65534, 65534); ids.() } }
t("setregid") { child([[0] * 3, [0, 7, 7]]) { Process::Sys.setregid(-1, 7); ids.() } }
t("setresgid") { child([[0] * 3, [1, 2, 3]]) { Process::Sys.setresgid(1, 2, 3); ids.() } }
t("setuid") { child([[5] * 3, [0] * 3]) { Process::Sys.setuid(5); ids.() } }
t("seteuid") { child([[0, 5, 0], [0] * 3]) { Process::Sys.seteuid(5); ids.() } }
t("spawn") { child("65534\n65534\n") { IO.popen(["sh", "-c", "id -u; id -g", { uid: 65534, gid: "nogroup" }], &:read) } }
t("setpriority") { child([0, 7]) { [Process.setpriority(Process::PRIO_PROCESS, 0, 7), Process.getpriority(Process::PRIO_PROCESS, 0)] } }
t("questions") { [Process::UID.re_exchangeable?, Process::GID.re_exchangeable?, Process::UID.sid_available?, Process::GID.sid_available?] }
t("getpriority") { Process.getpriority(77, 0) }
t("getsid") { Process.getsid == Process.getsid(0) && Process.getsid(Process.pid) == Process.getsid }
t("getsid of none") { Process.getsid(999_999_999) }
t("no user") { Process.uid = "no such user" }
t("no group") { Process::GID.from_name("no such") }
t("from_name") { Process::UID.from_name("nobody") }
t("setruid") { Process::Sys.setruid(0) }
t("issetugid") { Process::Sys.issetugid }
t("too many") { Process.groups = [1] * 70000 }
t("no list") { Process.groups = 5 }
t("large") { Process.uid = 2**40 }
t("unknown") { system("true", uid: "xyz") }
# While the block of `switch` runs, the ids of its kind stay; afterwards the saved id is the effective one.
def refusals(kind)
  changes = [-> { Process.send("#{kind.downcase}=", 0) }, -> { Process.send("e#{kind.downcase}=", 0) }]
  ids = Process.const_get(kind)
  changes += [-> { ids.eid = 0 }, -> { ids.change_privilege(0) }, -> { ids.re_exchange }, -> { ids.switch }, -> { ids.switch {} }]
  changes += %w[set sete].map { |name| -> { Process::Sys.send("#{name}#{kind.downcase}", 0) } }
  changes << -> { Process::Sys.send("setre#{kind.downcase}", 0, 0) } << -> { Process::Sys.send("setres#{kind.downcase}", 0, 0, 0) }
  changes.map { |change| (change.call; 0) rescue $!.message }.uniq
end
t("switch of users") { child([["can't handle UID while evaluating block given to Process::UID.switch method"], [0, 0, 0]]) { Process.euid = 65534; [Process::UID.switch { refusals("UID") }, ids.().first] } }
t("switch of groups") { child([["can't handle GID while evaluating block given to Process::UID.switch method"], [0, 0, 0]]) { Process.egid = 7; [Process::GID.switch { refusals("GID") }, ids.().last] } }
t("switch that fails") { child([RuntimeError, 3]) { Process.euid = 65534; [(Process::UID.switch { raise "x" } rescue $!.class), (Process.uid = 3; Process.uid)] } }
t("negative") { child(4294967294) { Process.uid = -2; Process.uid } }
t("names given back") { child(["root", "root", "root", 0]) { [Process::UID.change_privilege("root"), Process::UID.grant_privilege("root"), (Process::UID.eid = "root"), Process::UID.re_exchange] } }
system("exit 3")
copy = Marshal.load(Marshal.dump($?))
p copy.exitstatus, copy.pid == $?.pid, copy == $?
