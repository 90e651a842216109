# A child gets its variables in the order in which they were set, changed ones in their place.
ENV.clear
ENV["PATH"] = "/usr/bin:/bin"
ENV["z"] = "1"
ENV["y"] = "2"
ENV["z"] = "3"
$stdout.sync = true
puts `env`, "--"
system({ "b" => "1", "a" => "2", "z" => nil }, "env")
puts "--"
system({ "b" => "1", "a" => "2", "z" => "9" }, "env", unsetenv_others: true)
puts "--"
system({ "b" => "1", "a" => "2", "y" => "9" }, "env", umask: 0o22)
puts "--"
ENV.delete("z")
ENV["z"] = "5"
puts ENV.keys.inspect, IO.popen(["env"]).read, "--"
Thread.new { sleep }
puts IO.popen(["env"]).read, "--"
p system({ "PATH" => "/nowhere" }, "env"), system({ "c" => "3" }, "no_such_program")
puts "--", `env`
exec({ "q" => "1", "a" => "3" }, "/usr/bin/env")
