# The sockets of the internet's families and of Unix.
class IPSocket < BasicSocket
  def self.getaddress(host) = Socket::Lookup.addresses(host, nil, 0).first

  def addr(reverse = nil) = Socket::Lookup.entry(getsockname, Socket::Lookup.reverse?(reverse, do_not_reverse_lookup))
  def peeraddr(reverse = nil) = Socket::Lookup.entry(getpeername, Socket::Lookup.reverse?(reverse, do_not_reverse_lookup))

  def recvfrom(size, flags = 0)
    data, from = Socket::Native.receive(self, size, flags, true)
    [data, from.empty? ? nil : Socket::Lookup.entry(from, !do_not_reverse_lookup)]
  end

  def inspect
    return super if closed?
    "#{super.delete_suffix(">")}, #{addr(false).values_at(0, 3, 1).join(", ")}>"
  rescue SystemCallError
    super
  end
end

class TCPSocket < IPSocket
  def self.gethostbyname(name)
    warn("TCPSocket.gethostbyname is deprecated; use Addrinfo.getaddrinfo instead.", uplevel: 1)
    found = Socket::Lookup.addresses(name, nil, 0)
    family = Socket::Lookup.family_of(found.first)
    [name, [], family, *found.select { |each| Socket::Lookup.family_of(each) == family }]
  end

  def initialize(host = (missing = true), port = (alone = true), local_host = nil, local_port = nil, resolv_timeout: nil, connect_timeout: nil)
    raise ArgumentError, "wrong number of arguments (given #{missing ? 0 : 1}, expected 2..4)" if alone
    Socket::Lookup.require_one(host, port)
    number = Socket::Lookup.port(port)
    last = nil
    Socket::Lookup.addresses(host, nil, 0, passive: false).each do |text|
      begin
        Socket::Native.open(self, Socket::Lookup.family_of(text), Socket::SOCK_STREAM, 0)
        Socket::Native.bind(self, Socket::Lookup.pack(local_host, local_port, Socket::Lookup.family_of(text)), "bind(2) for #{local_host.inspect} port #{local_port}") if local_host || local_port
        return Socket::Native.connect(self, Socket::Native.pack(text, number), connect_timeout, "connect(2) for #{host.inspect} port #{port}")
      rescue SystemCallError => error
        close unless closed?
        last = error
      end
    end
    raise last
  end
end

class TCPServer < TCPSocket
  def initialize(host = nil, port = (alone = true))
    host, port = nil, host if alone
    Socket::Lookup.require_one(host, port)
    number = Socket::Lookup.port(port)
    last = nil
    Socket::Lookup.addresses(host == "" ? nil : host, nil, Socket::AI_PASSIVE).each do |text|
      begin
        Socket::Native.open(self, Socket::Lookup.family_of(text), Socket::SOCK_STREAM, 0)
        setsockopt(:SOCKET, :REUSEADDR, 1)
        Socket::Native.bind(self, Socket::Native.pack(text, number), "bind(2) for #{host.inspect} port #{port}")
        return Socket::Native.listen(self, Socket::SOMAXCONN)
      rescue SystemCallError => error
        close unless closed?
        last = error
      end
    end
    raise last
  end
end

class UDPSocket < IPSocket
  def initialize(family = Socket::AF_INET)
    @family = Socket::Names.domain(family)
    Socket::Native.open(self, @family, Socket::SOCK_DGRAM, 0)
  end

  def bind(host, port) = Socket::Native.bind(self, Socket::Lookup.pack(host, port, @family), "bind(2) for #{host.inspect} port #{port}")
  def connect(host, port)
    Socket::Native.connect(self, to(host, port), nil, "connect(2) for #{host.inspect} port #{port}")
    0
  end

  def send(data, flags, host = nil, port = nil)
    return super(data, flags, host) unless port
    Socket::Native.send(self, data, flags, to(host, port), true)
  end

  def recvfrom_nonblock(size, flags = 0, into = nil, exception: true)
    data, from = Socket::Native.receive(self, size, flags, false)
    return would_block(IO::EAGAINWaitReadable, "recvfrom(2)", :wait_readable, exception) unless data
    [filled(data, into), from.empty? ? nil : Socket::Lookup.entry(from, !do_not_reverse_lookup)]
  end

  private

  def to(host, port)
    Socket::Lookup.require_one(host, port)
    Socket::Native.pack(Socket::Lookup.addresses(host, @family, 0, passive: false).first, Socket::Lookup.port(port, "udp"))
  end
end

class UNIXSocket < BasicSocket
  def self.pair(type = Socket::SOCK_STREAM, protocol = 0, &block)
    Socket::Native.lent(Socket::Native.pair(self, Socket::AF_UNIX, Socket::Names.type(type || Socket::SOCK_STREAM), protocol), &block)
  end
  class << self
    alias socketpair pair
  end

  def initialize(path)
    path = path.respond_to?(:to_path) ? path.to_path : path
    Socket::Native.open(self, Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      Socket::Native.connect(self, Socket.sockaddr_un(path), nil, "connect(2) for #{path}")
    rescue SystemCallError
      close
      raise
    end
  end

  def addr = Socket::Lookup.entry(getsockname, false)
  def peeraddr = Socket::Lookup.entry(getpeername, false)
  def path = addr[1]
  def recvfrom(size, flags = 0, into = nil)
    data, from = Socket::Native.receive(self, size, flags, true)
    [filled(data, into), ["AF_UNIX", from.empty? ? "" : Socket::Native.unpack(from)[1]]]
  end
  def send_io(*) = raise(NotImplementedError, "send_io() function is unimplemented on this machine")
  def recv_io(*) = raise(NotImplementedError, "recv_io() function is unimplemented on this machine")

  def inspect
    return super if closed? || path.empty?
    "#{super.delete_suffix(">")}, #{path}>"
  end
end

class UNIXServer < UNIXSocket
  def initialize(path)
    path = path.respond_to?(:to_path) ? path.to_path : path
    Socket::Native.open(self, Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      Socket::Native.bind(self, Socket.sockaddr_un(path), "connect(2) for #{path}")
      Socket::Native.listen(self, Socket::SOMAXCONN)
    rescue SystemCallError
      close
      raise
    end
  end
end

# Servers take connections of the class that they are servers of.
{ TCPServer => TCPSocket, UNIXServer => UNIXSocket }.each do |server, connection|
  server.class_eval do
    define_method(:accept) { Socket::Native.accept(self, connection, true)[0] }
    define_method(:accept_nonblock) do |exception: true|
      socket, = Socket::Native.accept(self, connection, false)
      socket || would_block(IO::EAGAINWaitReadable, "accept(2)", :wait_readable, exception)
    end
    define_method(:sysaccept) { Socket::Native.number(Socket::Native.accept(self, connection, true)[0]) }
    define_method(:listen) { |backlog| Socket::Native.listen(self, Socket::Names.integer(backlog)) }
  end
end
