require "ipaddr"
def t; yield; rescue Exception => e; "#{e.class}: #{e.message}"; end
["192.168.1.1", "192.168.1.0/24", "10.0.0.0/255.0.0.0", "::1", "fe80::1%eth0", "2001:db8::/32", "[::1]", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "::", "0.0.0.0/0", "1.2.3.4/32",
 "300.1.1.1", "1.2.3", "1.2.3.04", "abc", "", "1.2.3.4/33", "1.2.3.4/a", "1.2.3.4/024", "::1/129", "1::2::3", "1.2.3.4/255.0.255.0", "host.name", "1.2.3.4 ", "2001:DB8::A"].each do |s|
  puts "#{s.inspect} #{t { a = IPAddr.new(s); [a.to_s, a.to_string, a.inspect, a.prefix, a.family, a.ipv4?, a.ipv6?, a.to_range.first.to_s, a.to_range.last.to_s, a.netmask].inspect }}"
end
a = IPAddr.new("192.168.1.0/24"); b = IPAddr.new("192.168.1.77")
p a.include?(b), a === "192.168.1.9", a.include?("10.0.0.1"), a.include?(IPAddr.new("192.168.1.0/25")), a.include?(IPAddr.new("192.168.0.0/16")), a.include?("::1"), t { a.include?("nope") }
p a == "192.168.1.0", a == IPAddr.new("192.168.1.0/25"), a.eql?(IPAddr.new("192.168.1.0/24")), a.hash == IPAddr.new("192.168.1.0/24").hash, b <=> a, [b, a].min.to_s, b.succ.to_s, (b | 256).to_s, (b & "255.0.0.0").to_s, (~b).to_s, (b << 8).to_s, (b >> 8).to_s
p b.mask(16).to_s, b.mask("255.255.0.0").to_s, b.reverse, IPAddr.new("2001:db8::1").reverse, IPAddr.new("::1").ip6_arpa, t { b.ip6_arpa }, b.to_i, IPAddr.new(3232235777, Socket::AF_INET).to_s, t { IPAddr.new(5) }, IPAddr.new("3ffe:505:2::1").hton, b.hton, IPAddr.new_ntoh("\x01\x02\x03\x04").to_s, IPAddr.ntop("\x7f\0\0\1")
p %w[127.0.0.1 10.1.1.1 172.16.0.1 172.32.0.1 192.168.3.4 169.254.1.1 8.8.8.8 ::1 fc00::1 fe80::1 2001:db8::1 ::ffff:10.0.0.1].map { |s| x = IPAddr.new(s); [x.loopback?, x.private?, x.link_local?, x.ipv4_mapped?] }
p b.ipv4_mapped.to_s, b.ipv4_mapped.native.to_s, IPAddr.new("::ffff:1.2.3.4").native.to_s, t { IPAddr.new("::1").ipv4_mapped }, IPAddr.new("fe80::1%eth0").zone_id, t { b.zone_id }
p (IPAddr.new("10.0.0.0/30").to_range.map(&:to_s)), IPAddr.new("1.2.3.4").to_range.count, IPAddr.new("10.0.0.5/24").tap { |x| x.prefix = 8 }.inspect, t { IPAddr.new("10.0.0.5").prefix = "x" }, [IPAddr.new("10.0.0.10"), IPAddr.new("10.0.0.9")].sort.map(&:to_s)
p IPAddr::Error.superclass, IPAddr::InvalidAddressError.superclass, IPAddr::InvalidPrefixError.superclass, IPAddr::AddressFamilyError.superclass, { IPAddr.new("1.1.1.1") => 1 }[IPAddr.new("1.1.1.1")]
p t { IPAddr.new("1.2.3.4", Socket::AF_INET6) }, t { IPAddr.new("::1", Socket::AF_INET) }, IPAddr.new.to_s

# Bytes in network order need no more than size and unpack.
octets = Struct.new(:bytes) do
  def size = bytes.size
  def unpack(format) = bytes.unpack(format)
end
p IPAddr.ntop(octets.new("\x7F\x00\x00\x01".b)), IPAddr.new_ntoh("\xC0\xA8\x00\x01".b)
