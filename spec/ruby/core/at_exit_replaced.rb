# What ended a program is told of last, also where a handler ends it in another way.
def ended
  reader, writer = IO.pipe
  child = fork do
    $stdout.reopen(writer)
    $stderr.reopen(writer)
    $stdout.sync = true
    yield
  end
  writer.close
  Process.wait(child)
  p $?.exitstatus
  puts reader.read.gsub(/^.*?(\d+:in )/, '\1').gsub(/:in `.*(ended|main).*'/, "")
end
ended { at_exit { exit 7 }; raise "x" }
ended { at_exit { raise "y" }; raise "x" }
ended { at_exit { exit 7 }; exit 3 }
ended { at_exit { exit 7 }; at_exit { exit 8 }; raise "x" }
ended { at_exit { begin; exit 7; rescue SystemExit; 1; end }; raise "x" }
ended { at_exit { exit 5 }; at_exit { puts "out" }; exit 2 }
ended { at_exit { abort "z" }; raise "x" }
ended { at_exit { exit 4 }; throw :nowhere }
