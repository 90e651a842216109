# exit! ends the process where it is called: no ensure clause and no at_exit block runs, in whichever thread or fiber it is.
def ended
  reader, writer = IO.pipe
  child = fork do
    $stdout.reopen(writer)
    $stdout.sync = true
    at_exit { puts "at_exit" }
    yield
    puts "went on"
  end
  writer.close
  Process.wait(child)
  p [$?.exitstatus, reader.read]
end
ended do
  exit!(3)
ensure
  puts "ensure"
end
ended { Thread.new { exit!(4) }.join }
ended { Thread.new { begin; exit!(5); ensure; puts "ensure in the thread"; end }; sleep }
ended do
  Thread.new { exit!(6) }
  sleep
ensure
  puts "ensure of the main thread"
end
ended { Fiber.new { begin; exit!(7); ensure; puts "ensure in the fiber"; end }.resume }
ended { input, _output = IO.pipe; Thread.new { Thread.pass; exit!(8) }; input.read }
ended { begin; exit!(9); rescue Exception; puts "rescued"; end }
ended { [1].each { |_| begin; exit!(true); ensure; puts "ensure in a block"; end } }
ended { Process.exit!(false) }
ended { Thread.new { exit(10) }.join }
ended { catch(:out) { begin; exit!(11); ensure; throw :out; end } }
