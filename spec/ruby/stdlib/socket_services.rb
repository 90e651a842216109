# Sockets: hosts and services that are none.
require "socket"
[["localhost",-1],[nil,-1],["localhost","x"],[nil,nil],["localhost",nil],[:a,1],[1,1]].each{|h,s| %w[TCPSocket.new TCPSocket.open Addrinfo.tcp Addrinfo.udp Socket.tcp].each { |c| k,m=c.split("."); begin; r=Object.const_get(k).send(m,h,s); p [c,h,s,r.class]; rescue Exception=>e; p [c,h,s,e.class,e.message]; end }; begin;p Socket.getaddrinfo(h,s).size; rescue Exception=>e; p [h,s,e.class,e.message];end
 begin; TCPServer.new(h,s).close; p :ok; rescue Exception=>e; p [:server,h,s,e.class,e.message]; end
 begin; u=UDPSocket.new; u.connect(h,s); p :ok; rescue Exception=>e; p [:udp,h,s,e.class,e.message]; end
 begin; p Socket.sockaddr_in(s,h).class; rescue Exception=>e; p [:sockaddr,h,s,e.class,e.message]; end
}
