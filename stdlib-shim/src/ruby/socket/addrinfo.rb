# An address of a socket with its family, type and protocol.
class Addrinfo
  attr_reader :afamily, :pfamily, :socktype, :protocol, :canonname

  class << self
    def tcp(host, port) = named(host, port, Socket::SOCK_STREAM, Socket::IPPROTO_TCP)
    def udp(host, port) = named(host, port, Socket::SOCK_DGRAM, Socket::IPPROTO_UDP)
    def ip(host) = named(host, nil, 0, 0)

    def unix(path, type = Socket::SOCK_STREAM)
      made = allocate
      made.send(:fill, Socket.sockaddr_un(path), Socket::PF_UNIX, Socket::Names.type(type), 0)
      made
    end

    def getaddrinfo(host, service = nil, family = nil, type = nil, protocol = nil, flags = nil, timeout: nil)
      flags = flags ? Socket::Names.number(flags, %w(AI_), "flag") : 0
      family &&= Socket::Names.domain(family)
      type = type ? Socket::Names.type(type) : 0
      Socket::Lookup.require_one(host, service)
      hints = [Socket::SOCK_STREAM, Socket::SOCK_DGRAM].include?(type) ? { Socket::SOCK_STREAM => "tcp", Socket::SOCK_DGRAM => "udp" }[type] : nil
      port = Socket::Lookup.port(service, hints)
      kinds = { Socket::SOCK_STREAM => Socket::IPPROTO_TCP, Socket::SOCK_DGRAM => Socket::IPPROTO_UDP, Socket::SOCK_RAW => 0 }
      kinds = kinds.slice(type) unless type == 0
      kinds = kinds.select { |kind, own| own == protocol || kind == Socket::SOCK_RAW && type == kind } if protocol && protocol != 0
      # a service that has a name belongs to the protocols that it is registered for
      kinds = kinds.select { |_, own| own == Socket::IPPROTO_TCP ? Socket::Lookup.named(service, "tcp") : own == Socket::IPPROTO_UDP && Socket::Lookup.named(service, "udp") } if type == 0 && service.is_a?(String) && service.match?(/\A[a-z]/i)
      raise SocketError, "getaddrinfo: ai_socktype not supported" if kinds.empty?
      Socket::Lookup.addresses(host, family, flags).flat_map do |text|
        own = Socket::Lookup.family_of(text)
        kinds.map do |kind, proto|
          made = allocate
          made.send(:fill, Socket::Native.pack(numbered(text), port), own, kind, proto, flags & Socket::AI_CANONNAME != 0 ? host : nil, Socket::Lookup.asked(host, service, text, port))
          made
        end
      end
    end
    def foreach(*args, **options, &block) = getaddrinfo(*args, **options).each(&block)

    private

    # The interface of a scope by its number.
    def numbered(text)
      ip, scope = text.split("%", 2)
      return text if scope.nil? || scope.match?(/\A\d+\z/)
      link = Socket::Native.interfaces.find { |row| row[0] == scope } or raise SocketError, Socket::Lookup::UNKNOWN
      "#{ip}%#{link[1]}"
    end

    def named(host, port, type, protocol)
      Socket::Lookup.require_one(host, port)
      number = Socket::Lookup.port(port, type == Socket::SOCK_DGRAM ? "udp" : "tcp")
      text = Socket::Lookup.addresses(host, nil, 0).first
      made = allocate
      made.send(:fill, Socket::Native.pack(numbered(text), number), Socket::Lookup.family_of(text), type, protocol, nil, Socket::Lookup.asked(host, port, text, number))
      made
    end
  end

  def initialize(address, family = nil, type = nil, protocol = nil)
    type = type ? Socket::Names.type(type) : 0
    protocol = protocol ? Socket::Names.integer(protocol) : 0
    family &&= Socket::Names.domain(family)
    return fill(address.to_str, family || Socket::PF_UNSPEC, type, protocol) unless address.respond_to?(:to_ary)
    address = address.to_ary
    name = address[0].to_s
    own = Socket::Names.number(name, %w(AF_ PF_), "address family")
    if own == Socket::AF_UNIX
      return fill(Socket.sockaddr_un(address[1]), Socket::PF_UNIX, type == 0 ? Socket::SOCK_STREAM : type, 0)
    end
    raise ArgumentError, "unexpected address family" unless [Socket::AF_INET, Socket::AF_INET6].include?(own)
    _, service, host, text = address
    port = Socket::Names.integer(service)
    host = "" + host unless host.nil?
    numeric = Socket::Lookup.addresses("" + (text || host), nil, Socket::AI_NUMERICHOST).first
    raise SocketError, Socket::Lookup::FOREIGN unless Socket::Lookup.family_of(numeric) == own
    packed = Socket::Native.pack(numeric, port)
    check(type, protocol, family, own)
    fill(packed, family || own, type, protocol, nil, text && Socket::Lookup.asked(host, port, text, port))
  end

  def ip? = ipv4? || ipv6?
  def ipv4? = @afamily == Socket::AF_INET
  def ipv6? = @afamily == Socket::AF_INET6
  def unix? = @afamily == Socket::AF_UNIX
  def ip_address = ip? ? @address : raise(SocketError, "need IPv4 or IPv6 address")
  def ip_port = ip? ? @port : raise(SocketError, "need IPv4 or IPv6 address")
  def ip_unpack = [ip_address, ip_port]
  def unix_path = unix? ? @address : raise(SocketError, "need AF_UNIX address")

  def ipv4_loopback? = ipv4? && bytes[0] == 127
  def ipv4_private? = ipv4? && (bytes[0] == 10 || (bytes[0] == 172 && bytes[1].between?(16, 31)) || bytes[0, 2] == [192, 168])
  def ipv4_multicast? = ipv4? && bytes[0].between?(224, 239)
  def ipv6_unspecified? = ipv6? && bytes.all?(0)
  def ipv6_loopback? = ipv6? && bytes == [0] * 15 + [1]
  def ipv6_multicast? = ipv6? && bytes[0] == 0xff
  def ipv6_linklocal? = ipv6? && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
  def ipv6_sitelocal? = ipv6? && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0xc0
  def ipv6_unique_local? = ipv6? && bytes[0] & 0xfe == 0xfc
  def ipv6_v4mapped? = ipv6? && bytes[0, 12] == [0] * 10 + [0xff, 0xff]
  def ipv6_v4compat? = ipv6? && bytes[0, 12].all?(0) && bytes[12, 4].pack("C4").unpack1("N") > 1
  { nodelocal: 1, linklocal: 2, sitelocal: 5, orglocal: 8, global: 14 }.each do |name, scope|
    define_method(:"ipv6_mc_#{name}?") { ipv6_multicast? && bytes[1] & 0xf == scope }
  end
  def ipv6_to_ipv4
    return nil unless ipv6_v4mapped? || ipv6_v4compat?
    Addrinfo.new(["AF_INET", 0, nil, bytes[12, 4].join(".")], Socket::PF_INET, @socktype, @protocol)
  end

  def to_sockaddr = @packed
  alias to_s to_sockaddr
  def getnameinfo(flags = 0) = Socket.getnameinfo(@packed, flags | (@socktype == Socket::SOCK_DGRAM ? Socket::NI_DGRAM : 0))

  def inspect_sockaddr
    return "too-short-sockaddr" if @afamily.nil? && !@packed.empty?
    return "empty-sockaddr" if @packed.empty?
    if unix?
      return "empty-path-AF_UNIX-sockaddr" if @address.empty?
      return @address.start_with?("/") ? @address : "UNIX #{@address.gsub(/[^[:print:]]/) { |byte| format("\\x%02X", byte.ord) }}"
    end
    return link_text if @afamily == Socket::AF_PACKET
    return "unknown address family #{@afamily}" unless ip?
    return @address if @port == 0
    ipv6? ? "[#{@address}]:#{@port}" : "#{@address}:#{@port}"
  end

  def inspect
    text = +"#<Addrinfo: #{inspect_sockaddr}"
    text << " PF_#{Socket::Names.family_of(@pfamily) || @pfamily}" if @pfamily != Socket::PF_UNSPEC && @pfamily != @afamily
    if ip? && [[1, 6], [2, 17], [1, 0], [2, 0]].include?([@socktype, @protocol])
      text << (@socktype == Socket::SOCK_STREAM ? " TCP" : " UDP")
    else
      text << " #{Socket::Names.type_of(@socktype) || "unknown socktype(#{@socktype})"}" if @socktype != 0
      if @protocol != 0
        name = Socket::Names.of("IPPROTO_", @protocol)&.delete_prefix("IPPROTO_") if ip?
        text << " #{name || "UNKNOWN_PROTOCOL(#{@protocol})"}"
      end
    end
    text << " #{@canonname}" if @canonname
    text << " (#{@shown})" if @shown
    text << ">"
  end

  def ==(other) = other.is_a?(Addrinfo) && to_sockaddr == other.to_sockaddr && [pfamily, socktype, protocol] == [other.pfamily, other.socktype, other.protocol]

  def family_addrinfo(*args)
    case
    when args.size == 1 && args[0].is_a?(Addrinfo)
      other = args[0]
      raise ArgumentError, "Addrinfo type mismatch" unless other.pfamily == @pfamily && other.socktype == @socktype
      other
    when ip?
      raise ArgumentError, "no host specified" unless args.size == 2
      Addrinfo.getaddrinfo(args[0], args[1], @pfamily, @socktype, @protocol).first
    when unix?
      raise ArgumentError, "UNIX socket path expected" unless args.size == 1
      Addrinfo.unix(args[0], @socktype)
    else
      raise ArgumentError, "unexpected family"
    end
  end

  def connect(timeout: nil, &block) = connected(nil, timeout, &block)
  def connect_from(*local, timeout: nil, &block) = connected(local.size == 1 && local[0].is_a?(Addrinfo) ? local[0] : family_addrinfo(*local), timeout, &block)
  def connect_to(*remote, timeout: nil, &block) = family_addrinfo(*remote).send(:connected, self, timeout, &block)

  def bind(&block)
    socket = Socket.new(@pfamily, @socktype, @protocol)
    socket.ipv6only! if ipv6?
    socket.setsockopt(:SOCKET, :REUSEADDR, 1) unless unix?
    socket.bind(self)
    Socket::Native.lent(socket, &block)
  rescue SystemCallError
    socket&.close
    raise
  end

  def listen(backlog = Socket::SOMAXCONN, &block)
    socket = bind
    socket.listen(backlog)
    Socket::Native.lent(socket, &block)
  end

  def marshal_dump
    raise ArgumentError, "unknown address family: #{@afamily}" unless ip? || unix?
    address = unix? ? @address : [@address, @port.to_s]
    type = @socktype == 0 ? 0 : Socket::Names.type_of(@socktype) || @socktype
    protocol = ip? && @protocol != 0 ? Socket::Names.of("IPPROTO_", @protocol) || @protocol : @protocol
    ["AF_#{Socket::Names.family_of(@afamily)}", address, "PF_#{Socket::Names.family_of(@pfamily)}", type, protocol, @canonname, @shown]
  end

  def marshal_load(dumped)
    own, address, family, type, protocol, canonical, shown = dumped
    own = Socket::Names.domain(own)
    packed = own == Socket::AF_UNIX ? Socket.sockaddr_un(address) : Socket::Native.pack(address[0], address[1].to_i)
    protocol = Socket::Names.number(protocol, %w(IPPROTO_), "protocol") unless protocol.is_a?(Integer)
    fill(packed, Socket::Names.domain(family), type == 0 ? 0 : Socket::Names.type(type), protocol, canonical, shown)
  end

  private

  def fill(packed, family, type, protocol, canonical = nil, shown = nil)
    @packed = packed
    @afamily, @address, @port = Socket::Native.unpack(packed)
    if @address&.include?("%")
      ip, index = @address.split("%")
      link = Socket::Native.interfaces.find { |row| row[1] == index.to_i }
      @address = "#{ip}%#{link ? link[0] : index}"
    end
    @pfamily, @socktype, @protocol, @canonname, @shown = family, type, protocol, canonical, shown
  end

  # What getaddrinfo(3) refuses.
  def check(type, protocol, family, own)
    raise SocketError, Socket::Lookup::FOREIGN if family && ![own, Socket::PF_UNSPEC].include?(family)
    allowed = { Socket::SOCK_STREAM => [0, Socket::IPPROTO_TCP], Socket::SOCK_DGRAM => [0, Socket::IPPROTO_UDP] }[type]
    case type
    when 0, Socket::SOCK_STREAM, Socket::SOCK_DGRAM
      raise SocketError, "getaddrinfo: ai_socktype not supported" if allowed && !allowed.include?(protocol) || type == 0 && ![0, 6, 17].include?(protocol)
    when Socket::SOCK_RAW then nil
    else raise SocketError, "getaddrinfo: ai_socktype not supported"
    end
  end

  # An address of a link: `struct sockaddr_ll`.
  def link_text
    _, protocol, index, type, kind, _, *address = @packed.unpack("Snl SCCC*")
    link = Socket::Native.interfaces.find { |row| row[1] == index }
    kinds = %w(HOST BROADCAST MULTICAST OTHERHOST OUTGOING)
    "PACKET[protocol=#{protocol} #{link ? link[0] : "ifindex=#{index}"} hatype=#{type} #{kinds[kind] || "pkttype=#{kind}"} hwaddr=#{address.map { |byte| format("%02x", byte) }.join(":")}]"
  end

  def bytes = Socket::Native.bytes_of(@address[/\A[^%]*/]).bytes

  def connected(local, timeout, &block)
    socket = Socket.new(@pfamily, @socktype, @protocol)
    begin
      socket.ipv6only! if local&.ipv6?
      socket.bind(local) if local
      Socket::Native.connect(socket, @packed, timeout, "connect(2) for #{inspect_sockaddr}")
    rescue SystemCallError
      socket.close
      raise
    end
    Socket::Native.lent(socket, &block)
  end
end
