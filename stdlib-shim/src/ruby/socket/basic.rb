require "socket/native"
require "io/wait"

module Socket::Native
  # A socket or more: themselves without a block; with one its value, and they are closed after it.
  def self.lent(sockets)
    return sockets unless block_given?
    begin
      yield sockets
    ensure
      (sockets.is_a?(Array) ? sockets : [sockets]).each { |socket| socket.close unless socket.closed? }
    end
  end
end

# What all sockets share.
class BasicSocket < IO
  @reverse = true
  class << self
    def do_not_reverse_lookup = BasicSocket.instance_variable_get(:@reverse)
    def do_not_reverse_lookup=(setting)
      BasicSocket.instance_variable_set(:@reverse, setting ? true : false)
    end

    def for_fd(number)
      made = allocate
      Socket::Native.adopt(made, Socket::Names.integer(number))
      made
    end

    def open(*args, **options, &block) = Socket::Native.lent(new(*args, **options), &block)
  end

  def do_not_reverse_lookup = defined?(@reverse) ? @reverse : BasicSocket.do_not_reverse_lookup
  def do_not_reverse_lookup=(setting)
    local_check
    @reverse = setting ? true : false
  end

  def send(data, flags, address = nil) = Socket::Native.send(self, data, Socket::Names.integer(flags), packed(address), true)

  def sendmsg(data, flags = 0, address = nil, *controls)
    unsupported(controls)
    Socket::Native.send(self, data, flags, packed(address), true)
  end
  def sendmsg_nonblock(data, flags = 0, address = nil, *controls, exception: true)
    unsupported(controls)
    sent = Socket::Native.send(self, data, flags, packed(address), false)
    sent || would_block(IO::EAGAINWaitWritable, "sendmsg(2)", :wait_writable, exception)
  end

  def recv(size, flags = 0, into = nil) = filled(Socket::Native.receive(self, size, flags, true)[0], into)
  def recv_nonblock(size, flags = 0, into = nil, exception: true)
    got = Socket::Native.receive(self, size, flags, false)
    got ? filled(got[0], into) : would_block(IO::EAGAINWaitReadable, "recvfrom(2)", :wait_readable, exception)
  end

  def recvmsg(size = nil, flags = 0, control = nil, scm_rights: false) = message(size, flags, true)
  def recvmsg_nonblock(size = nil, flags = 0, control = nil, scm_rights: false, exception: true)
    message(size, flags, false) || would_block(IO::EAGAINWaitReadable, "recvmsg(2)", :wait_readable, exception)
  end

  def getsockname = Socket::Native.local(self)
  def getpeername = Socket::Native.peer(self)
  def local_address = address_of(getsockname)
  def remote_address = address_of(getpeername)

  # The local address, with the loopback where it is a wildcard: what a client here connects to.
  def connect_address
    address = local_address
    return address unless address.ip?
    text = { "0.0.0.0" => "127.0.0.1", "::" => "::1" }[address.ip_address]
    text ? Addrinfo.new(Socket::Native.pack(text, address.ip_port), address.pfamily, address.socktype, address.protocol) : address
  end

  def setsockopt(level, name = nil, value = nil)
    if level.is_a?(Socket::Option)
      raise ArgumentError, "wrong number of arguments (given #{[level, name, value].compact.size}, expected 3)" if name
      level, name, value = level.level, level.optname, level.data
    elsif name.nil? || value.nil? && !name.is_a?(Integer) && !name.is_a?(Symbol) && !name.is_a?(String)
      raise ArgumentError, "wrong number of arguments (given #{name ? 2 : 1}, expected 3)"
    end
    family = address_family
    level = Socket::Names.level(family, level)
    name = Socket::Names.option(family, level, name)
    value = case value
            when true then [1].pack("i")
            when false then [0].pack("i")
            when Integer then [value].pack("i")
            else
              raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String" unless value.respond_to?(:to_str)
              value.to_str
            end
    Socket::Native.set_option(self, level, name, value)
  end

  def getsockopt(level, name)
    family = address_family
    level = Socket::Names.level(family, level)
    name = Socket::Names.option(family, level, name)
    Socket::Option.new(family, level, name, Socket::Native.option(self, level, name))
  end

  def getpeereid
    data = Socket::Native.option(self, Socket::SOL_SOCKET, Socket::SO_PEERCRED)
    data.unpack("iii").last(2)
  end

  def shutdown(how = Socket::SHUT_RDWR)
    how = Socket::Names.shutdown(how)
    raise ArgumentError, "`how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR" unless (0..2).cover?(how)
    Socket::Native.shutdown(self, how)
  end

  def close_read = closed_half(Socket::SHUT_RD)
  def close_write = closed_half(Socket::SHUT_WR)

  private

  def local_check
    raise IOError, "closed stream" if closed?
  end
  def closed_half(how)
    return nil if closed?
    write = how == Socket::SHUT_WR
    return nil if (@half ||= []).include?(how)
    begin
      Socket::Native.shutdown(self, how)
    rescue Errno::ENOTCONN
      nil
    end
    return close if @half.any?
    @half << how
    Socket::Native.close_half(self, write)
  end

  def packed(address)
    case address
    when nil then nil
    when Addrinfo then address.to_sockaddr
    else
      raise TypeError, "no implicit conversion of #{address.class} into String" unless address.respond_to?(:to_str)
      address.to_str
    end
  end
  def shown(address)
    found = address.is_a?(Addrinfo) ? address : Addrinfo.new(packed(address))
    found.inspect_sockaddr
  end

  def filled(data, into) = into ? into.replace(data) : data
  def would_block(error, call, answer, exception)
    return answer unless exception
    raise error, "#{call} would block"
  end
  def unsupported(controls)
    raise NotImplementedError, "control messages are not supported" unless controls.empty?
  end

  def address_family = Socket::Native.unpack(getsockname)[0]
  def socket_type = Socket::Native.option(self, Socket::SOL_SOCKET, Socket::SO_TYPE).unpack1("i")

  # With the socket's own type.
  def address_of(bytes) = Addrinfo.new(bytes, bytes.empty? ? Socket::PF_UNSPEC : Socket::Native.unpack(bytes)[0], socket_type)

  def message(size, flags, wait)
    limit = size || 65_536
    data, from, got = Socket::Native.receive(self, limit, flags, wait)
    return nil unless data
    [data, from.empty? ? Addrinfo.new("", Socket::PF_UNSPEC, socket_type) : address_of(from), got]
  end
end
