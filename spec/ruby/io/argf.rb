# ARGF and other objects of its class: files one after the other.
require "tmpdir"
require "stringio"

def answer
  yield
rescue SystemCallError, IOError, ArgumentError, EncodingError => error
  [error.class, error.message.gsub(Dir.pwd, "DIR")]
end

Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  File.write("a", "1\n2\n")
  File.write("b", "3\r\n\r\n\r\n4")
  File.write("c", "\u3042\u3044\n")
  files = ->(*names) { ARGF.class.new(*names) }

  p ARGF.class, ARGF.to_s, files.().inspect, ARGF.class.ancestors.include?(Enumerable)
  p files.("a", "b").read, files.("a", "b").readlines, files.("a", "b").to_a
  p files.("a", "b").readlines(chomp: true), files.("b").gets("", chomp: true)
  p files.("a", "b").each_line.map(&:size), files.("c").each_char.to_a, files.("c").each_byte.first(3), files.("c").each_codepoint.to_a
  p answer { files.("a").each_line(0) {} }, answer { files.("a").readlines(0) }
  p answer { files.("none").gets }

  list = files.("a", "b")
  p list.argv, list.filename, list.lineno, list.gets, list.lineno, list.file.lineno, list.path
  p list.read(1), list.read(4), list.lineno
  p list.gets(chomp: true), list.skip.equal?(list), list.read, answer { list.eof? }, answer { list.readline }
  p list.closed?, list.file.closed?, answer { list.rewind }

  list = files.("a", "b")
  p list.pos, list.gets, list.tell, list.pos = 0, list.gets, list.rewind, list.lineno, list.seek(2), list.getc, list.getbyte, list.readchar, list.readbyte
  p list.fileno.class, list.to_i.class, list.to_io.class, list.close.equal?(list), list.argv, list.gets

  list = files.("a", "b")
  buffer = +"before"
  p list.readpartial(1), list.readpartial(10, buffer), buffer, list.readpartial(10), list.readpartial(100)
  p answer { list.readpartial(1) }, answer { list.readpartial(1) }
  list = files.("a")
  p list.read_nonblock(100), list.read_nonblock(1, exception: false)
  p answer { files.("a").tap(&:read).read_nonblock(1) }

  list = files.("c", "a")
  p list.external_encoding, list.binmode?, list.binmode.equal?(list), list.binmode?, list.gets, list.external_encoding
  list = files.("c", "c")
  p list.set_encoding("UTF-8:UTF-16LE").equal?(list), list.gets("\n".encode("UTF-16LE")).encoding, list.internal_encoding, list.skip.gets("\n".encode("UTF-16LE")).encoding
  p answer { files.("a").tap(&:read).set_encoding("UTF-8") }

  copy = (list = files.("a", "b")).dup
  p list.gets, copy.gets, copy.argv, copy.argv.equal?(list.argv)
  list.each_line { |line| p [line, list.lineno]; list.close if line == "2\n" }
  p answer { files.("a").write("x") }, answer { files.().to_write_io }

  # in place
  out = $stdout
  list = files.("a", "b")
  p list.inplace_mode, list.inplace_mode = ".bak", list.inplace_mode
  list.each_line { |line| print line.upcase.tr("1-4", "a-d") }
  list.to_write_io.close unless list.to_write_io.closed?
  $stdout = out
  p File.read("a"), File.read("a.bak"), File.binread("b"), File.exist?("b.bak")
  list = files.("a.bak")
  list.inplace_mode = ""
  list.gets
  list.write("kept\n")
  list.puts("more")
  $stdout.close
  $stdout = out
  p list.inplace_mode, File.read("a.bak"), Dir.children(".").sort
  p answer { files.().inplace_mode = "a\0" }, (list.inplace_mode = nil), list.inplace_mode

  # ARGF itself
  ARGV.replace(["a", "b"])
  p $*, $<.equal?(ARGF), $FILENAME, gets, $., ARGF.lineno, readline, gets, $., $FILENAME, ARGF.file.lineno
  $. = 10
  p gets, $., readlines, $., gets
  p answer { readline }
  $stdin = StringIO.new("x\ny\n")
  ARGV.clear
  p gets, ARGF.read, ARGF.filename
  Dir.chdir("/")
end
