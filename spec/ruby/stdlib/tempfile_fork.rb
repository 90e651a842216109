# A Tempfile is no File; it is deleted by the process that has made it only, whatever its children do.
require "tempfile"
file = Tempfile.new(["a b/c", ".txt"])
p file.is_a?(File), File === file, Tempfile.superclass.superclass, File.basename(file.path).match?(/\Aabc\d{8}-\d+-\w+\.txt\z/)
file.write("text")
file.close
Process.wait(fork { exit(0) })
Process.wait(fork { GC.start })
Process.wait(fork { raise "x" rescue nil })
p File.read(file.path), file.length
file.open
p file.read, file.lineno, file.fileno.is_a?(Integer), file.eof?
file.close!
p file.path, file.inspect.sub(/0x\h+/, "")

reader, writer = IO.pipe
pid = fork { writer.write(Tempfile.new("child").path) }
writer.close
Process.wait(pid)
p File.exist?(reader.read)

require "tmpdir"
require "stringio"
begin
  old = ENV["TMPDIR"]
  ENV["TMPDIR"] = __FILE__
  $stderr = StringIO.new
  p Dir.tmpdir == __dir__, $stderr.string.sub(__dir__, "")
ensure
  $stderr = STDERR
  ENV["TMPDIR"] = old
end
