# Open3: options as a Hash behind the command.
require "open3"; require "stringio"
p Open3.capture2("cat", {stdin_data: "x"})[0], Open3.capture2("pwd", {chdir: "/"})[0], Open3.capture3("sh -c 'cat; echo e >&2'", {stdin_data: "q", binmode: true})[0,2], Open3.capture2e({"A"=>"b"}, "sh", "-c", "echo $A; echo x >&2", {chdir: "/tmp"})[0]
p Open3.popen3("pwd", {chdir: "/"}) { |i,o,e,t| o.read }, Open3.popen2("pwd", {chdir: "/"}) { |i,o,t| o.read }, Open3.popen2e("pwd", {chdir: "/"}) { |i,o,t| o.read }
p Open3.pipeline("true", "false", {chdir: "/"}).map(&:exitstatus)
p Open3.capture2("cat", stdin_data: StringIO.new("io"))[0]
p Open3.capture2("cat", stdin_data: nil)[0]
h={chdir: "/"}; Open3.capture2("pwd", h); p h
p (Open3.capture2("pwd", {nope: 1}) rescue [$!.class, $!.message])
p (Open3.capture2({}) rescue [$!.class, $!.message])
p (Open3.capture2() rescue [$!.class, $!.message])
p Open3.pipeline_r("echo hi", "cat", {}) { |o, t| o.read }
p Open3.capture3("cat", {:stdin_data=>"a"}, )[2].class
