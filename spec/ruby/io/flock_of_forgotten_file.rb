# The lock of a File that nothing refers to any longer lasts; closing gives it up, and so does the end of the process.
require "tmpdir"
Dir.mktmpdir do |dir|
  path = "#{dir}/lock"
  free = -> { File.open(path) { |file| file.flock(File::LOCK_EX | File::LOCK_NB) } }
  other = -> { IO.popen("-") { |io| io ? io.read : print(free.call.inspect) } }
  File.write(path, "")
  p free.call
  def lock(path) = File.open(path, "r+").flock(File::LOCK_EX)
  GC.disable
  p lock(path)
  p free.call, other.call
  GC.enable
  file = File.open("#{path}2", "w+")
  p file.flock(File::LOCK_SH), file.flock(File::LOCK_UN)
  p File.open("#{path}2").flock(File::LOCK_EX | File::LOCK_NB)
  file.close
  moved = File.open("#{path}4", "w+")
  moved.flock(File::LOCK_EX)
  moved.reopen("#{path}5", "w+")
  p File.open("#{path}4") { |other| other.flock(File::LOCK_EX | File::LOCK_NB) }
  kept = File.open("#{path}3", "w")
  kept.flock(File::LOCK_EX)
  kept.close
  p File.open("#{path}3").flock(File::LOCK_EX | File::LOCK_NB)
end
