# Waiting for streams, and what io/wait adds.
def tell
  yield
rescue => error
  "#{error.class}: #{error.message}"
end
p IO.method_defined?(:nread), IO.method_defined?(:ready?)
require "io/wait"
p IO.method_defined?(:nread), IO.method_defined?(:ready?)
reader, writer = IO.pipe
p reader.nread, reader.ready?
p reader.wait(0), reader.wait_readable(0), reader.wait(IO::READABLE, 0)
p writer.wait(IO::WRITABLE, 0).equal?(writer), writer.wait(0, :write).equal?(writer), writer.wait_writable(0).equal?(writer)
writer << "abc\n"
p reader.nread, reader.ready?
p reader.wait(0).equal?(reader), reader.wait.equal?(reader), reader.wait_readable(0).equal?(reader), reader.wait(IO::READABLE, 0).equal?(reader)
p reader.wait(IO::READABLE | IO::WRITABLE, 0).equal?(reader)
writer << "defg"
reader.gets
p reader.nread, reader.ready?, reader.wait(IO::READABLE, 0), reader.wait(0).equal?(reader), reader.wait_readable(0).equal?(reader)
%i[r read readable r w write writable w rw read_write readable_writable].each { |mode| p [mode, tell { writer.wait(0, mode).equal?(writer) }] }
p tell { reader.wait(0, :other) }
p tell { reader.wait(-1) }
p tell { reader.wait("a") }
p tell { writer.nread }
p tell { writer.ready? }
p tell { writer.wait_readable(0) }
p tell { reader.wait_writable(0) }
p tell { writer.wait(0) }
writer.close
p reader.read
p reader.nread, reader.ready?
reader.close
p tell { reader.nread }
p tell { reader.ready? }
p tell { reader.wait(0) }
File.open(__FILE__) { |file| p file.nread == file.size, file.ready?, file.wait(0).equal?(file), (file.gets; file.nread == file.size - file.pos) }
