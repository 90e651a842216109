# Double splats in arrays; class variables that an ancestor takes over; -0000; a script without #!.
none = {}
some = { a: 1 }
p [1, **none], [1, **some], [*[1, 2], **none], [**none, **some], [**none], [1, b: 2, **none]
def both(*args, **options) = [*args, **options]
p both(1), both(1, x: 2)
def returned = (return 1, **{})
p returned

class Parent; end
class Child < Parent
  @@shared = 1
  def self.shared = @@shared
  def self.shared=(value)
    @@shared = value
  end
end
p Child.shared
class Parent
  @@shared = 2
end
[-> { Child.shared }, -> { Child.shared = 3 }, -> { Parent.class_variable_get(:@@shared) }].each do |one|
  p one.call
rescue RuntimeError => e
  puts e.message
end

p Time.at(0).getlocal("-0000").utc?, Time.at(0, in: "-0000").utc?, Time.at(0).getlocal("+0000").utc?

require "tmpdir"
Dir.mktmpdir do |folder|
  File.write("#{folder}/script", "echo \"script $1\"\n")
  File.chmod(0o755, "#{folder}/script")
  $stdout.flush
  p system("#{folder}/script", "one"), system({ "PATH" => "#{folder}:/bin" }, "script two; true")
  p system({ "PATH" => folder }, "script", "three")
  Process.wait(fork { exec("#{folder}/script", "four") })
  p $?.success?
end
reader, writer = IO.pipe
child = fork do
  reader.close
  Process.daemon(false, true)
  writer.puts Dir.pwd, Process.getpgrp == Process.pid
end
writer.close
Process.wait(child)
p $?.success?, reader.read
