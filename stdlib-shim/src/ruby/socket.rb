# Sockets: connections of a client, names and addresses. Servers and raw sockets are not supported: their constructors say so.
require "socket/native"
require "io/wait"

class BasicSocket < IO
  def self.do_not_reverse_lookup = true
  def self.do_not_reverse_lookup=(setting)
    setting
  end
  def do_not_reverse_lookup = true
  def do_not_reverse_lookup=(setting)
    setting
  end
  def send(data, _flags = 0, *) = write(data)
  def recv(size, _flags = 0) = eof? ? "" : readpartial(size)
  def recv_nonblock(size, *) = read_nonblock(size)
  def setsockopt(*) = 0
  def getsockopt(*) = Socket::Option.new
  def shutdown(how = Socket::SHUT_RDWR)
    close_write if [Socket::SHUT_WR, Socket::SHUT_RDWR, :WR, :RDWR, :SHUT_WR, :SHUT_RDWR].include?(how)
    0
  end
  def local_address = Addrinfo.tcp(*@local.values_at(0, 1))
  def remote_address = Addrinfo.tcp(*@peer.values_at(0, 1))
end

class Socket < BasicSocket
  AF_UNSPEC = PF_UNSPEC = 0
  AF_UNIX = PF_UNIX = 1
  AF_INET = PF_INET = 2
  AF_INET6 = PF_INET6 = 10
  SOCK_STREAM = 1
  SOCK_DGRAM = 2
  SOCK_RAW = 3
  IPPROTO_IP = 0
  IPPROTO_ICMP = 1
  IPPROTO_TCP = 6
  IPPROTO_UDP = 17
  IPPROTO_IPV6 = 41
  SOL_SOCKET = 1
  SOL_TCP = 6
  SO_REUSEADDR = 2
  SO_KEEPALIVE = 9
  SO_BROADCAST = 6
  SO_LINGER = 13
  SO_RCVBUF = 8
  SO_SNDBUF = 7
  SO_RCVTIMEO = 20
  SO_SNDTIMEO = 21
  TCP_NODELAY = 1
  SOMAXCONN = 4096
  INADDR_ANY = 0
  INADDR_LOOPBACK = 0x7F000001
  INADDR_BROADCAST = 0xFFFFFFFF
  INADDR_NONE = 0xFFFFFFFF
  SHUT_RD = 0
  SHUT_WR = 1
  SHUT_RDWR = 2
  MSG_PEEK = 2
  MSG_OOB = 1
  MSG_DONTWAIT = 64
  AI_PASSIVE = 1
  AI_CANONNAME = 2
  AI_NUMERICHOST = 4
  NI_MAXHOST = 1025
  NI_MAXSERV = 32
  NI_NUMERICHOST = 1
  NI_NUMERICSERV = 2
  EAI_NONAME = -2
  EAI_AGAIN = -3

  module Constants
    Socket.constants(false).each { |name| const_set(name, Socket.const_get(name)) if Socket.const_get(name).is_a?(Integer) }
  end

  class ResolutionError < SocketError; end

  class Option
    def initialize(*) = nil
    def int = 0
    def bool = false
  end

  class << self
    def gethostname = Native.hostname
    def new(*) = raise(NotImplementedError, "Socket.new: only client connections are supported (TCPSocket, UNIXSocket)")
    alias open new

    def tcp(host, port, *_local, connect_timeout: nil, resolv_timeout: nil, **)
      socket = TCPSocket.new(host, port, connect_timeout: connect_timeout || resolv_timeout)
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end

    def unix(path)
      socket = UNIXSocket.new(path)
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end

    def service_port(service)
      return 0 if service.nil?
      return service if service.is_a?(Integer)
      service = "" + service
      return service.to_i if service.match?(/\A\d+\z/)
      begin
        getservbyname(service)
      rescue SocketError
        raise SocketError, "getaddrinfo: Servname not supported for ai_socktype"
      end
    end

    def getservbyname(name, protocol = "tcp")
      name = "" + name
      line = File.exist?("/etc/services") && File.foreach("/etc/services").find { |each| each.match?(%r{\A(?:\S+\s+\d+/#{Regexp.escape(protocol)}\b.*\s)?#{Regexp.escape(name)}(?:\s|\z)}) && each.include?("/#{protocol}") }
      return line[/\d+/].to_i if line
      { "http" => 80, "https" => 443, "ftp" => 21, "ssh" => 22, "smtp" => 25, "domain" => 53 }[name] || raise(SocketError, "no such service #{name}/#{protocol}")
    end
    def getservbyport(port, protocol = "tcp")
      line = File.exist?("/etc/services") && File.foreach("/etc/services").find { |each| each.match?(%r{\A\S+\s+#{port}/#{protocol}\b}) }
      line ? line[/\A\S+/] : raise(SocketError, "no such service for port #{port}/#{protocol}")
    end

    def getaddrinfo(host, service = nil, family = nil, type = nil, *)
      port = service_port(service)
      addresses = host.nil? ? %w(127.0.0.1) : Native.resolve(host.to_s)
      family = { "AF_INET" => AF_INET, :INET => AF_INET, "AF_INET6" => AF_INET6, :INET6 => AF_INET6 }.fetch(family, family)
      types = { 1 => 6, 2 => 17, 3 => 0 }
      wanted = { :STREAM => 1, :DGRAM => 2 }.fetch(type, type)
      types = types.slice(wanted) if wanted && wanted != 0
      found = addresses.flat_map do |address|
        number = address.include?(":") ? AF_INET6 : AF_INET
        next [] if family && family != 0 && family != number
        types.map { |kind, protocol| [number == AF_INET6 ? "AF_INET6" : "AF_INET", port, address, address, number, kind, protocol] }
      end
      raise SocketError, "getaddrinfo: Address family for hostname not supported" if found.empty?
      found
    end

    def gethostbyname(name)
      addresses = Native.resolve(name)
      [name, [], AF_INET, *addresses.reject { |each| each.include?(":") }.map { |each| each.split(".").map(&:to_i).pack("C4") }]
    end
    def getnameinfo(address, *)
      _, port, host, = address.is_a?(Array) ? address : unpack_sockaddr_in(address).then { |at| [nil, *at] }
      [host, port.to_s]
    end

    def sockaddr_in(port, host)
      ip = Native.resolve(host.to_s.empty? ? "0.0.0.0" : host).first
      [AF_INET].pack("S") + [service_port(port)].pack("n") + ip.split(".").map(&:to_i).pack("C4") + "\0" * 8
    end
    alias pack_sockaddr_in sockaddr_in
    def unpack_sockaddr_in(packed) = [packed.unpack("Sn")[1], packed.byteslice(4, 4).bytes.join(".")]
    def sockaddr_un(path) = [AF_UNIX, path].pack("Sa108")
    alias pack_sockaddr_un sockaddr_un

    # The addresses of this machine, as the kernel's tables tell them.
    def ip_address_list
      four = File.exist?("/proc/net/fib_trie") ? File.read("/proc/net/fib_trie").scan(/\|-- (\d+\.\d+\.\d+\.\d+)\n\s+\/32 host LOCAL/).flatten.uniq : []
      six = File.exist?("/proc/net/if_inet6") ? File.readlines("/proc/net/if_inet6").map { |line| [line.split, line] } : []
      four.map { |each| Addrinfo.ip(each) } + six.map { |parts, _| Addrinfo.ip(compressed(parts[0])) }
    end

    # The longest run of zeros is left out.
    def compressed(hex)
      text = hex.scan(/..../).map { |part| part.hex.to_s(16) }.join(":")
      run = text.scan(/\b0(?::0\b)+/).max_by(&:size)
      run ? text.sub(run, "").sub(/:{2,}/, "::").then { |short| short.match?(/\A:(?!:)|(?<!:):\z/) ? short.sub(/\A:(?!:)/, "::").sub(/(?<!:):\z/, "::") : short } : text
    end
    private :compressed

    def getifaddrs = raise(NotImplementedError, "getifaddrs() function is unimplemented on this machine")
  end
end

class IPSocket < BasicSocket
  def self.getaddress(host) = Socket::Native.resolve(host).first
  def addr(_reverse = false) = family(@local)
  def peeraddr(_reverse = false) = family(@peer)
  def family(pair) = [pair[0].include?(":") ? "AF_INET6" : "AF_INET", pair[1], pair[0], pair[0]]
  private :family
end

class TCPSocket < IPSocket
  class << self
    def new(host, port, _local_host = nil, _local_port = nil, connect_timeout: nil, **)
      host = host.nil? || host == "" ? "localhost" : "" + host
      Socket::Native.connect(self, host, Socket.service_port(port), connect_timeout)
    end

    def open(*args, **options)
      socket = new(*args, **options)
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end

    def gethostbyname(name) = [name, [], Socket::AF_INET, *Socket::Native.resolve(name)]
  end
end

class TCPServer < TCPSocket
  def self.new(*) = raise(NotImplementedError, "TCPServer.new: listening is not supported")
  def self.open(*) = new
end

class UDPSocket < IPSocket
  def self.new(*) = raise(NotImplementedError, "UDPSocket.new: datagrams are not supported")
  def self.open(*) = new
end

class UNIXSocket < BasicSocket
  def self.new(path) = Socket::Native.connect_unix(self, path)
  def self.open(path)
    socket = new(path)
    return socket unless block_given?
    begin
      yield socket
    ensure
      socket.close unless socket.closed?
    end
  end
end

class UNIXServer < UNIXSocket
  def self.new(*) = raise(NotImplementedError, "UNIXServer.new: listening is not supported")
end

# An address of a socket with its family, type and protocol.
class Addrinfo
  attr_reader :afamily, :pfamily, :socktype, :protocol, :canonname

  class << self
    def tcp(host, port) = resolved(host, port, Socket::SOCK_STREAM, Socket::IPPROTO_TCP)
    def udp(host, port) = resolved(host, port, Socket::SOCK_DGRAM, Socket::IPPROTO_UDP)
    def ip(host) = resolved(host, 0, 0, 0)
    def unix(path, type = Socket::SOCK_STREAM) = new(["AF_UNIX", path], nil, type)
    def getaddrinfo(*args) = Socket.getaddrinfo(*args).map { |entry| new(["#{entry[0]}", entry[1], entry[2], entry[3]], entry[4], entry[5], entry[6]) }
    def foreach(*args, &block) = getaddrinfo(*args).each(&block)

    private

    def resolved(host, port, type, protocol)
      address = Socket::Native.resolve(host).first
      new([address.include?(":") ? "AF_INET6" : "AF_INET", Socket.service_port(port), host, address], nil, type, protocol)
    end
  end

  def initialize(address, family = nil, type = 0, protocol = 0)
    address = ["AF_INET", *Socket.unpack_sockaddr_in(address).then { |port, host| [port, host, host] }] if address.is_a?(String)
    @family, @port, @name, @address = address
    if @family == "AF_UNIX"
      @path = @port
      @afamily = @pfamily = Socket::AF_UNIX
    else
      @address ||= @name
      @afamily = @pfamily = family || (@family == "AF_INET6" ? Socket::AF_INET6 : Socket::AF_INET)
    end
    @socktype, @protocol = type || 0, protocol || 0
  end

  def ip? = !unix?
  def ipv4? = @afamily == Socket::AF_INET
  def ipv6? = @afamily == Socket::AF_INET6
  def unix? = @afamily == Socket::AF_UNIX
  def ip_address = ip? ? @address : raise(SocketError, "need IPv4 or IPv6 address")
  def ip_port = ip? ? @port : raise(SocketError, "need IPv4 or IPv6 address")
  def ip_unpack = [ip_address, ip_port]
  def unix_path = unix? ? @path : raise(SocketError, "need AF_UNIX address")
  def numbers = @address.split("%")[0].split(".").map(&:to_i)
  private :numbers
  def ipv4_loopback? = ipv4? && numbers[0] == 127
  def ipv4_private? = ipv4? && (numbers[0] == 10 || (numbers[0] == 172 && numbers[1].between?(16, 31)) || numbers[0, 2] == [192, 168])
  def ipv4_multicast? = ipv4? && numbers[0].between?(224, 239)
  def ipv6_loopback? = ipv6? && @address == "::1"
  def ipv6_linklocal? = ipv6? && @address.match?(/\Afe[89ab]\h:/i)
  def ipv6_unique_local? = ipv6? && @address.match?(/\Af[cd]\h\h:/i)
  def ipv6_sitelocal? = ipv6? && @address.match?(/\Afe[c-f]\h:/i)
  def ipv6_multicast? = ipv6? && @address.match?(/\Aff\h\h:/i)
  def ipv6_unspecified? = ipv6? && @address == "::"
  def ipv6_v4mapped? = ipv6? && @address.match?(/\A::ffff:\d+\./i)
  def to_sockaddr = unix? ? Socket.sockaddr_un(@path) : Socket.sockaddr_in(@port, @address)
  alias to_s to_sockaddr
  def getnameinfo(*) = [@address, @port.to_s]
  def inspect_sockaddr = unix? ? @path : (@port.to_i == 0 ? @address : (ipv6? ? "[#{@address}]:#{@port}" : "#{@address}:#{@port}"))
  def inspect = "#<Addrinfo: #{inspect_sockaddr}#{" #{{ 1 => "TCP", 2 => "UDP" }[@socktype]}" if [1, 2].include?(@socktype) && ip?}#{" (#{@name})" if @name && @name != @address}>"
  def connect(timeout: nil, &block) = unix? ? UNIXSocket.open(@path, &block) : TCPSocket.open(@address, @port, connect_timeout: timeout, &block)
  def ==(other) = other.is_a?(Addrinfo) && inspect_sockaddr == other.inspect_sockaddr && socktype == other.socktype
end
