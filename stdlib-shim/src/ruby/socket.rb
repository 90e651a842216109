class SocketError < StandardError; end
class BasicSocket < IO; end

class Socket < BasicSocket
  AF_UNSPEC = PF_UNSPEC = 0
  AF_UNIX = PF_UNIX = 1
  AF_INET = PF_INET = 2
  AF_INET6 = PF_INET6 = 10
  SOCK_STREAM = 1
  SOCK_DGRAM = 2

  def self.gethostname
    require "etc"
    Etc.uname[:nodename]
  end
end

class IPSocket < BasicSocket; end
class TCPSocket < IPSocket
  def self.new(host, *) = raise(SocketError, "connecting is not built: #{host}")
  def self.open(host, *) = new(host)
end
class TCPServer < TCPSocket; end
class UDPSocket < IPSocket; end
class UNIXSocket < BasicSocket; end
