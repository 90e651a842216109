# IO::SEEK_DATA and IO::SEEK_HOLE: where a file has bytes, and where it has none.
require "tempfile"

def told
  yield
rescue SystemCallError, TypeError => error
  error.class
end

file = Tempfile.new("sparse")
file.write("x" * 4096)
file.seek(1 << 20)
file.write("y" * 10)
file.flush
p told { file.seek(0, IO::SEEK_DATA) }, file.pos, told { file.seek(0, :HOLE) }, file.pos, told { file.seek(8192, IO::SEEK_DATA) }, file.read(3)
p told { file.seek(1 << 20, IO::SEEK_HOLE) }, file.pos, told { file.seek(1 << 21, :DATA) }, told { file.seek(1 << 21, :HOLE) }
p told { file.seek(-1, :DATA) }, told { file.sysseek(10, IO::SEEK_DATA) }, told { file.seek(0, 5) }, told { file.seek(0, :SOMEWHERE) }
