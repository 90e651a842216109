# An address of a network interface, as getifaddrs(3) lists them.
class Socket::Ifaddr
  attr_reader :name, :ifindex, :flags, :addr, :netmask

  FLAGS = %w(UP BROADCAST DEBUG LOOPBACK POINTOPOINT RUNNING NOARP PROMISC ALLMULTI MASTER SLAVE MULTICAST PORTSEL AUTOMEDIA DYNAMIC).freeze
  private_constant :FLAGS
  def self.new(*) = raise(TypeError, "allocator undefined for #{self}")

  def initialize(name, index, flags, address, netmask, other)
    @name, @ifindex, @flags = name, index, flags
    @addr, @netmask, @other = [address, netmask, other].map { |packed| packed && Addrinfo.new(packed, Socket::Native.unpack(packed)[0]) }
  end

  def broadaddr = flag?(Socket::IFF_BROADCAST) ? @other : nil
  def dstaddr = flag?(Socket::IFF_POINTOPOINT) ? @other : nil

  def inspect
    parts = { "netmask" => netmask, "broadcast" => broadaddr, "dstaddr" => dstaddr }.compact.map { |label, address| " #{label}=#{address.inspect_sockaddr}" }
    "#<#{self.class} #{name}#{shown_flags}#{" #{addr.inspect_sockaddr}" if addr}#{parts.join}>"
  end

  private

  def flag?(bit) = flags & bit != 0

  def shown_flags
    return " flags=0" if flags == 0
    known = FLAGS.select { |flag| flag?(Socket.const_get("IFF_#{flag}")) }
    rest = flags & ~known.sum { |flag| Socket.const_get("IFF_#{flag}") }
    known << format("0x%x", rest) if rest != 0
    " #{known.join(",")}"
  end
end
