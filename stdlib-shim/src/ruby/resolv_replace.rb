# Sockets find addresses by Resolv.
require "socket"
require "resolv"

class << IPSocket
  alias original_resolv_getaddress getaddress

  def getaddress(host)
    Resolv.getaddress(host).to_s
  rescue Resolv::ResolvError, ArgumentError
    raise SocketError, "Hostname not known: #{host}"
  end
end

class TCPSocket
  alias original_resolv_initialize initialize

  def initialize(host, serv, *rest, **options)
    rest[0] = IPSocket.getaddress(rest[0]) if rest[0]
    original_resolv_initialize(IPSocket.getaddress(host), serv, *rest, **options)
  end
  private :initialize, :original_resolv_initialize
end

class UDPSocket
  alias original_resolv_bind bind
  alias original_resolv_connect connect
  alias original_resolv_send send

  def bind(host, port)
    host = IPSocket.getaddress(host) unless host.to_s.empty?
    original_resolv_bind(host, port)
  end

  def connect(host, port) = original_resolv_connect(IPSocket.getaddress(host), port)

  def send(message, flags, *rest)
    rest[0] = IPSocket.getaddress(rest[0]) if rest.size == 2
    original_resolv_send(message, flags, *rest)
  end
end
