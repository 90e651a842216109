# Every file of the standard library that MRI has and that can be required here: each in a process of its own.
FEATURES = File.readlines(File.join(__dir__, "fixtures/features.txt"), chomp: true)
FEATURES.each do |feature|
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    $stderr.reopen(File::NULL)
    begin
      require feature
      writer.puts "#{feature} #{require(feature)}"
    rescue ScriptError, StandardError => error
      writer.puts "#{feature} #{error.class}"
    end
    writer.close
    exit!(0)
  end
  writer.close
  print reader.read
  reader.close
  Process.wait(pid)
end
