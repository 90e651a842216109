# Socket.getifaddrs: what every Linux machine has.
require "socket"
lo = Socket.getifaddrs.select { |each| each.name == "lo" }
four = lo.find { |each| each.addr.ipv4? }
p four.class, four.addr, four.netmask, four.broadaddr, four.dstaddr, four.ifindex, four.addr.afamily, four.addr.pfamily, four.addr.socktype
p four.flags & Socket::IFF_LOOPBACK != 0, four.flags & Socket::IFF_UP != 0
puts four.inspect.sub(/,0x\h+/, "")
link = lo.find { |each| !each.addr.ip? }
p link.addr.inspect_sockaddr, link.addr.ip?, link.netmask if link
begin
  link&.addr&.ip_address
rescue SocketError => error
  puts error.message
end
p Socket.ip_address_list.map(&:ip_address).include?("127.0.0.1"), Socket.ip_address_list.all?(&:ip?)
p Socket.ip_address_list.find(&:ipv4_loopback?)
begin
  Socket::Ifaddr.new
rescue TypeError => error
  puts error.message
end
p Socket::Ifaddr.instance_methods(false).sort
