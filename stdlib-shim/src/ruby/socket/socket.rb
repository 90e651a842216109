require "socket/basic"
require "socket/constants"
require "socket/names"
require "socket/option"
require "socket/addrinfo"

# Sockets by family, type and protocol, and the functions on names and addresses.
class Socket < BasicSocket
  class ResolutionError < SocketError; end

  # Where a datagram came from, and the way to answer it.
  class UDPSource
    attr_reader :local_address, :remote_address
    def initialize(remote, local, &reply)
      @remote_address, @local_address, @reply = remote, local, reply
    end
    def reply(message) = @reply.call(message)
    def inspect = "#<#{self.class}: #{@remote_address.inspect_sockaddr} to #{@local_address.inspect_sockaddr}>"
  end

  def initialize(domain, type = SOCK_STREAM, protocol = 0)
    domain = Names.domain(domain)
    Native.open(self, domain, Names.type(type), Names.integer(protocol))
  end

  def bind(address) = Native.bind(self, packed(address), "bind(2) for #{shown(address)}")
  def listen(backlog) = Native.listen(self, Names.integer(backlog))
  def connect(address)
    Native.connect(self, packed(address), nil, "connect(2) for #{shown(address)}")
    0
  end
  def connect_nonblock(address, exception: true)
    return 0 if Native.connect(self, packed(address), 0, "connect(2) for #{shown(address)}")
    would_block(IO::EINPROGRESSWaitWritable, "connect(2)", :wait_writable, exception)
  end

  def accept
    socket, from = Native.accept(self, Socket, true)
    [socket, socket.__send__(:address_of, from)]
  end
  def accept_nonblock(exception: true)
    socket, from = Native.accept(self, Socket, false)
    socket ? [socket, socket.__send__(:address_of, from)] : would_block(IO::EAGAINWaitReadable, "accept(2)", :wait_readable, exception)
  end
  def sysaccept
    socket, from = Native.accept(self, Socket, true)
    address = socket.__send__(:address_of, from)
    [Native.number(socket), address]
  end

  def recvfrom(size, flags = 0)
    data, from = Native.receive(self, size, flags, true)
    [data, sender(from)]
  end
  def recvfrom_nonblock(size, flags = 0, into = nil, exception: true)
    data, from = Native.receive(self, size, flags, false)
    data ? [filled(data, into), sender(from)] : would_block(IO::EAGAINWaitReadable, "recvfrom(2)", :wait_readable, exception)
  end

  def ipv6only! = setsockopt(:IPV6, :V6ONLY, 1)

  private

  def sender(from) = from.empty? ? Addrinfo.new("", PF_UNSPEC, socket_type) : address_of(from)

  class << self
    def gethostname = Native.hostname

    def pair(domain, type, protocol = 0, &block)
      Native.lent(Native.pair(self, Names.domain(domain), Names.type(type), protocol), &block)
    end
    alias socketpair pair

    def tcp(host, port, local_host = nil, local_port = nil, connect_timeout: nil, resolv_timeout: nil, &block)
      last = nil
      Addrinfo.getaddrinfo(host, port, nil, :STREAM).each do |address|
        begin
          local = local_host || local_port ? Addrinfo.getaddrinfo(local_host, local_port || 0, address.pfamily, :STREAM).first : nil
          socket = local ? address.connect_from(local, timeout: connect_timeout) : address.connect(timeout: connect_timeout)
          return Native.lent(socket, &block)
        rescue SystemCallError => error
          last = error
        end
      end
      raise last
    end

    def unix(path, &block) = Native.lent(Addrinfo.unix(path).connect, &block)

    def tcp_server_sockets(host = nil, port, &block) = Native.lent(listening(host, port), &block)

    def tcp_server_loop(host = nil, port, &block)
      tcp_server_sockets(*[host, port].compact) { |sockets| accept_loop(sockets, &block) }
    end

    def accept_loop(*sockets)
      sockets = sockets.flatten
      raise ArgumentError, "no sockets" if sockets.empty?
      loop do
        ready, = IO.select(sockets)
        ready.each do |each|
          socket, address = each.accept_nonblock(exception: false)
          yield socket, address unless socket == :wait_readable
        end
      end
    end

    def unix_server_socket(path, &block)
      unless path.start_with?("\0")
        File.unlink(path) if File.exist?(path) && File.socket?(path)
      end
      socket = Addrinfo.unix(path).listen
      return socket unless block
      begin
        Native.lent(socket, &block)
      ensure
        File.unlink(path) if !path.start_with?("\0") && File.exist?(path)
      end
    end
    def unix_server_loop(path, &block) = unix_server_socket(path) { |server| accept_loop(server, &block) }

    def udp_server_sockets(host = nil, port, &block)
      host = nil if host == ""
      sockets = Addrinfo.getaddrinfo(host, port, nil, :DGRAM, nil, AI_PASSIVE).filter_map { |address| bound(address) }
      raise Errno::EADDRNOTAVAIL if sockets.empty?
      Native.lent(sockets, &block)
    end

    def udp_server_recv(sockets)
      sockets.each do |each|
        data, from = each.recvfrom_nonblock(65_536, exception: false)
        next if data == :wait_readable
        source = UDPSource.new(from, each.local_address) { |reply| each.send(reply, 0, from) }
        yield data, source
      end
    end
    def udp_server_loop_on(sockets, &block)
      loop do
        ready, = IO.select(sockets)
        udp_server_recv(ready, &block)
      end
    end
    def udp_server_loop(host = nil, port, &block)
      udp_server_sockets(*[host, port].compact) { |sockets| udp_server_loop_on(sockets, &block) }
    end

    def getaddrinfo(host, service, family = nil, type = nil, protocol = nil, flags = nil, reverse = nil)
      reverse = Lookup.reverse?(reverse, BasicSocket.do_not_reverse_lookup)
      Addrinfo.getaddrinfo(host, service, family, type, protocol, flags).map do |address|
        text = address.ip_address
        ["AF_#{Names.family_of(address.afamily)}", address.ip_port, reverse ? Lookup.name_of(text) : text, text, address.afamily, address.socktype, address.protocol]
      end
    end

    def getnameinfo(address, flags = 0)
      if address.respond_to?(:to_ary)
        _, service, host, text = address.to_ary
        text ||= host
        found = Addrinfo.getaddrinfo(text.nil? || text.empty? ? nil : text, service, address[0] && address[0] != "AF_UNSPEC" ? address[0] : nil, flags & NI_DGRAM != 0 ? :DGRAM : :STREAM).first
        text, port = found.ip_address, found.ip_port
      else
        address = address.to_sockaddr if address.is_a?(Addrinfo)
        family, text, port = Native.unpack(address.to_str)
        return [gethostname, text] if family == AF_UNIX
        raise SocketError, "getnameinfo: ai_family not supported" unless text
      end
      name = flags & NI_NUMERICHOST != 0 ? text : Lookup.name_of(text)
      raise SocketError, "getnameinfo: Name or service not known" if flags & NI_NAMEREQD != 0 && name == text
      service = flags & NI_NUMERICSERV != 0 ? nil : Lookup.service_of(port, flags & NI_DGRAM != 0 ? "udp" : "tcp")
      [name, service || port.to_s]
    end

    def gethostbyname(name)
      warn("Socket.gethostbyname is deprecated; use Addrinfo.getaddrinfo instead.", uplevel: 1)
      found = Lookup.addresses(name, nil, 0)
      family = Lookup.family_of(found.first)
      [name, [], family, *found.select { |each| Lookup.family_of(each) == family }.map { |each| Native.bytes_of(each) }]
    end
    def gethostbyaddr(bytes, family = nil)
      warn("Socket.gethostbyaddr is deprecated; use Addrinfo#getnameinfo instead.", uplevel: 1)
      family = family ? Names.domain(family) : bytes.bytesize == 16 ? AF_INET6 : AF_INET
      packed = family == AF_INET6 ? [family, 0, 0].pack("SnN") + bytes + [0].pack("L") : [family, 0].pack("Sn") + bytes + "\0" * 8
      text = Native.unpack(packed)&.fetch(1)
      name = text && Lookup.name_of(text)
      raise SocketError, "host not found" if name.nil? || name == text
      [name, [], family, bytes]
    end

    def getservbyname(name, protocol = "tcp")
      Lookup.named("" + name, "" + protocol) || raise(SocketError, "no such service #{name}/#{protocol}")
    end
    def getservbyport(port, protocol = "tcp")
      Lookup.service_of(Names.integer(port), protocol.to_str) || raise(SocketError, "no such service for port #{port}/#{protocol}")
    end

    def sockaddr_in(port, host)
      Lookup.require_one(host, port)
      Lookup.pack(host, port)
    end
    alias pack_sockaddr_in sockaddr_in
    def unpack_sockaddr_in(address)
      family, text, port = unpacked(address)
      raise ArgumentError, "not an AF_INET/AF_INET6 sockaddr" unless [AF_INET, AF_INET6].include?(family)
      [port, text]
    end
    def sockaddr_un(path)
      path = path.to_str
      raise ArgumentError, "too long unix socket path (#{path.bytesize} bytes given but 108 bytes max)" if path.bytesize > 108
      packed = Native.pack_unix(path)
      path.start_with?("\0") ? packed : packed.ljust(110, "\0")
    end
    alias pack_sockaddr_un sockaddr_un
    def unpack_sockaddr_un(address)
      family, path = unpacked(address)
      raise ArgumentError, "not an AF_UNIX sockaddr" unless family == AF_UNIX
      path
    end

    def getifaddrs = Native.interfaces.map { |row| Ifaddr.allocate.tap { |made| made.send(:initialize, *row) } }
    def ip_address_list = getifaddrs.filter_map { |each| each.addr if each.addr&.ip? }

    private

    def unpacked(address)
      address = address.to_sockaddr if address.is_a?(Addrinfo)
      Native.unpack(address.to_str) || raise(ArgumentError, "too short sockaddr")
    end

    # With port 0, one port for all families.
    def listening(host, port)
      sockets = []
      Addrinfo.getaddrinfo(host == "" ? nil : host, port, nil, :STREAM, nil, AI_PASSIVE).each do |address|
        chosen = sockets.first && Lookup.port(port) == 0 ? sockets.first.local_address.ip_port : address.ip_port
        begin
          sockets << Addrinfo.new(Native.pack(address.ip_address, chosen), address.pfamily, :STREAM, IPPROTO_TCP).listen
        rescue Errno::EADDRNOTAVAIL, Errno::EAFNOSUPPORT
          next
        end
      end
      raise Errno::EADDRNOTAVAIL if sockets.empty?
      sockets
    end

    def bound(address)
      socket = Socket.new(address.pfamily, :DGRAM)
      socket.ipv6only! if address.ipv6?
      socket.bind(address)
      socket
    rescue Errno::EADDRNOTAVAIL, Errno::EAFNOSUPPORT
      socket&.close
      nil
    end
  end
end

require "socket/ifaddr"
require "socket/kinds"
