# Options of popen may be a Hash that is no keywords; reopen takes over whether a stream writes at once.
p IO.popen({ "A" => "1" }, ["sh", "-c", "echo $A; echo e >&2"], { err: [:child, :out] }, &:read)
p IO.popen({ "A" => "1" }, ["sh", "-c", "echo $A"], {}, &:read)
p IO.popen({ "A" => "1" }, "echo $A", "r", { err: :out }, &:read)
p IO.popen(["sh", "-c", "echo $0"], {}, &:read)

require "tempfile"
file = Tempfile.new("sync")
file.sync = true
before = $stdout.clone
$stdout.reopen(file)
inside = $stdout.sync
$stdout.puts "written at once"
$stdout.reopen(before)
p inside, $stdout.sync
file.rewind
p file.read
