# What sockets read is binary, unless an encoding is set; pipes have the default encoding.
require "socket"

server = TCPServer.new("127.0.0.1", 0)
client = TCPSocket.new("127.0.0.1", server.addr[1])
accepted = server.accept
client.puts "hé"
line = accepted.gets
p accepted.external_encoding, accepted.internal_encoding, accepted.binmode?, line, line.encoding
client.write "abc"
p accepted.readpartial(3).encoding
client.write "abcd"
p accepted.read_nonblock(4).encoding
client.set_encoding("UTF-8")
accepted.puts "é"
p client.gets.encoding
client.puts "z"
client.close
p accepted.read.encoding

one, other = UNIXSocket.pair
one.puts "x"
p other.gets.encoding, other.external_encoding
one.write "y"
p other.recv(1).encoding
p UDPSocket.new.external_encoding, server.external_encoding
p Socket.for_fd(one.fileno).external_encoding
p IO.pipe[0].external_encoding, IO.popen("echo é").gets.encoding
