# What `require "openssl"` makes available beside OpenSSL itself: its SSL part loads these libraries.
require "openssl"
puts %i[IPAddr Socket TCPSocket TCPServer UDPSocket UNIXSocket Addrinfo SocketError].map { |name| Object.const_defined?(name) }.tally.inspect
p IPAddr.new("::1").hton.bytesize
p TCPSocket.superclass.superclass
p defined?(Socket::AF_INET)
