# Resolv::DNS: messages, records, and questions to a name server in a thread of this program.
require "resolv"
require "socket"
R = Resolv::DNS::Resource
N = Resolv::DNS::Name

def show(value)
  case value
  when R, R::ANY then [value.class.name, value.instance_variables.reject { |name| name == :@ttl }.sort.map { |name| [name, show(value.instance_variable_get(name))] }]
  when N then "name #{value}"
  when Resolv::IPv4, Resolv::IPv6, Resolv::LOC::Size, Resolv::LOC::Coord, Resolv::LOC::Alt then value.to_s
  when Array then value.map { |each| show(each) }
  else value
  end
end

records = [
  R::IN::A.new("192.0.2.1"), R::IN::AAAA.new("2001:db8::1"), R::IN::MX.new(10, N.create("mail.example.com.")), R::IN::TXT.new("v=spf1", "-all"),
  R::IN::NS.new(N.create("ns.example.com.")), R::IN::CNAME.new(N.create("www.example.com.")), R::IN::PTR.new(N.create("host.example.com.")),
  R::IN::SOA.new(N.create("ns.example.com."), N.create("root.example.com."), 1, 2, 3, 4, 5), R::IN::SRV.new(1, 2, 5060, "sip.example.com."),
  R::IN::HINFO.new("x86", "Linux"), R::IN::WKS.new("192.0.2.1", 6, "\x01\x02"), R::Generic.create(99, 1).new("abc"),
  R::IN::LOC.new("\0", "1m", "10m", "2m", "51 30 12.748 N", "0 7 39.612 W", "10m")
]

message = Resolv::DNS::Message.new(0x1234)
message.qr = message.rd = message.ra = message.aa = 1
message.rcode = 3
message.add_question("example.com.", R::IN::MX)
records.each { |record| message.add_answer("example.com.", 300, record) }
message.add_authority("example.com.", 60, records[4])
message.add_additional("mail.example.com.", 60, records[0])
bytes = message.encode
puts bytes.unpack1("H*")
decoded = Resolv::DNS::Message.decode(bytes)
p [decoded.id, decoded.qr, decoded.opcode, decoded.aa, decoded.tc, decoded.rd, decoded.ra, decoded.rcode]
decoded.each_question { |name, type| p [name.to_s, type] }
decoded.each_resource { |name, ttl, data| p [name.to_s, ttl, show(data), data.ttl] }
p decoded == message, decoded.answer.map(&:last) == records, records[0].eql?(R::IN::A.new("192.0.2.1")), records[0].hash == R::IN::A.new("192.0.2.1").hash
p records[3].data, records[3].strings, R.get_class(15, 1), R.get_class(77, 3).name, R.get_class(99, 1)::TypeValue, R::IN::ANY::TypeValue

["", "\0" * 11, "\0" * 12, bytes[0, 40], bytes + "x", bytes[0, 12] + "\xc0\x0c".b + bytes[14..]].each do |broken|
  p Resolv::DNS::Message.decode(broken).question.size
rescue Resolv::DNS::DecodeError => error
  p [error.class, error.message]
end
begin; R::ANY.new.encode_rdata(nil); rescue => e; p e.class, e.message; end
begin; R::ANY.decode_rdata(nil); rescue => e; p e.class, e.message; end
begin; R.new.encode_rdata(nil); rescue NotImplementedError => e; p e.class; end
p R::ClassInsensitiveTypes, R::IN::MX.superclass, R::IN::A.superclass, R::ANY.superclass, Resolv::DNS::Message.new.then { |one| Resolv::DNS::Message.new.id - one.id }
%w[1m 0.05m 20000000m].each { |text| p Resolv::LOC::Size.create(text).to_s }
["1 2 3.5 N", "179 59 59.999 W", "200 0 0.0 N", "x"].each { |text| p((Resolv::LOC::Coord.create(text).to_s rescue $!.class)) }
["10m", "-5.5m", "m"].each { |text| p((Resolv::LOC::Alt.create(text).to_s rescue $!.class)) }
p Resolv::LOC::Size.create("1m") == Resolv::LOC::Size.create("1m"), Resolv::LOC::Size.create("2m").inspect, Resolv::LOC::Coord.create("1 2 3.5 N").orientation

# a server: what it answers by name and type
ANSWERS = {
  ["example.com", R::IN::MX] => [["example.com", records[2]], ["example.com", R::IN::MX.new(20, N.create("b.example.com."))]],
  ["example.com", R::IN::TXT] => [["example.com", records[3]]],
  ["alias.example.com", R::IN::A] => [["alias.example.com", records[5]], ["www.example.com", records[0]]],
  ["www.example.com", R::IN::A] => [["www.example.com", records[0]], ["www.example.com", R::IN::A.new("192.0.2.2")]],
  ["1.2.0.192.in-addr.arpa", R::IN::PTR] => [["1.2.0.192.in-addr.arpa", records[6]]],
  ["short.example.com", R::IN::A] => [["short.example.com", records[0]]],
  ["_sip._tcp.example.com", R::IN::SRV] => [["_sip._tcp.example.com", records[8]]],
  ["example.com", R::IN::ANY] => [["example.com", records[2]], ["example.com", records[3]]]
}
udp = UDPSocket.new
udp.bind("127.0.0.1", 0)
port = udp.addr[1]
asked = []
Thread.new do
  loop do
    bytes, from = udp.recvfrom(512)
    question = Resolv::DNS::Message.decode(bytes)
    name, type = question.question[0]
    asked << [name.to_s, type.name[/\w+\z/], question.rd]
    reply = Resolv::DNS::Message.new(question.id)
    reply.qr = 1
    reply.add_question(name, type)
    if name.to_s == "broken.example.com" then reply.rcode = 2
    elsif (found = ANSWERS[[name.to_s, type]]) then found.each { |owner, record| reply.add_answer("#{owner}.", 30, record) }
    elsif name.to_s.start_with?("none") || name.to_s.end_with?("search.test") then reply.rcode = 3
    end
    udp.send("junk", 0, from[3], from[1]) if name.to_s == "example.com"
    udp.send(reply.encode, 0, from[3], from[1])
  end
end

dns = Resolv::DNS.new(nameserver_port: [["127.0.0.1", port]], search: ["search.test"], ndots: 1)
p dns.getresources("example.com", R::IN::MX).map { |record| [record.preference, record.exchange.to_s, record.ttl] }
p dns.getresource("example.com", R::IN::TXT).strings, dns.getresources("example.com", R::IN::ANY).map(&:class)
p dns.getaddress("www.example.com").to_s, dns.getresources("alias.example.com", R::IN::A).map { |record| record.address.to_s }
p dns.getname("192.0.2.1").to_s, dns.getnames(Resolv::IPv4.create("192.0.2.1")).map(&:to_s)
p dns.getresource("_sip._tcp.example.com", R::IN::SRV).then { |record| [record.priority, record.weight, record.port, record.target.to_s] }
["none.example.com", "empty.example.com", "broken.example.com", "nowhere"].each do |name|
  p dns.getresources(name, R::IN::A)
  dns.getaddress(name)
rescue Resolv::ResolvError => error
  p [error.class, error.message]
end
begin; dns.getname("x"); rescue => e; p e.class, e.message; end
p asked.uniq
Resolv::DNS.open(nameserver_port: [["127.0.0.1", port]]) { |one| p one.getresources("example.com", R::IN::MX).size }
p Resolv.new([dns]).getaddress("www.example.com")
begin; dns.timeouts = -1; rescue => e; p e.class, e.message; end
begin; dns.timeouts = "x"; rescue => e; p e.class, e.message; end
silent = UDPSocket.new
silent.bind("127.0.0.1", 0)
slow = Resolv::DNS.new(nameserver_port: [["127.0.0.1", silent.addr[1]]], search: [], ndots: 1)
slow.timeouts = [0.05, 0.05]
begin; p slow.getresources("example.com", R::IN::A); rescue => e; p e.class, e.message; end
two = Resolv::DNS.new(nameserver_port: [["127.0.0.1", silent.addr[1]], ["127.0.0.1", port]], search: [], ndots: 1)
two.timeouts = 0.2
["N", "lat"].size
p Resolv::LOC::Coord.new([2**31 + 36e5 + 3050].pack("N"), "lat").to_s, Resolv::LOC::Coord.new([2**31 - 36e5].pack("N"), "lon").to_s
p two.getaddress("www.example.com").to_s
config = Resolv::DNS::Config.new(nameserver: "192.0.2.53", search: %w[a.test b.test], ndots: 2).lazy_initialize
p config.generate_candidates("x").map(&:to_s), config.generate_candidates("x.y.z").map(&:to_s), config.generate_candidates("x.").map(&:to_s), config.single?, config.nameserver_port, config.generate_timeouts
p Resolv::MDNS.new.lazy_initialize.class, Resolv::MDNS::Addresses, Resolv::DNS.random(1)
id = Resolv::DNS.allocate_request_id("h", 1)
p id.between?(0, 65535), Resolv::DNS::RequestID.key?(["h", 1])
Resolv::DNS.free_request_id("h", 1, id)
p Resolv::DNS::RequestID.key?(["h", 1])
