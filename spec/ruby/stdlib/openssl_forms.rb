# Attributes and extensions made from text, lists and hashes; a socket under TLS before the handshake.
require "openssl"
require "socket"
include OpenSSL
def said
  answer = yield
  p answer
rescue StandardError => error
  puts "#{error.class}: #{error.message.lines.first}".gsub(/0x\h+/, "0x")
end

set = ASN1::Set([ASN1::UTF8String("x")])
said { X509::Attribute.new("funny_att", set).oid }
said { X509::Attribute.new("1.2.3.4.5", set).oid }
said { X509::Attribute.new("extReq", ASN1::UTF8String("x")) }
said { X509::Attribute.new("extReq", "abc") }
said { X509::Attribute.new("extReq", nil) }
said { X509::Attribute.new("extReq") }
factory = X509::ExtensionFactory.new
said { X509::Attribute.new("extReq", ASN1::Set([ASN1::Sequence([factory.create_extension("subjectAltName", "DNS:a")])])).value.value[0].value[0].value[1].value }
made = X509::Attribute.new("extReq", ASN1::Set([ASN1::Sequence([])]))
said { made.oid = "bogus" }
said { made.oid = "emailAddress"; made.oid }
said { made.value = set; made.value.value[0].value }
said { X509::Attribute.new(made.to_der).oid }
said { X509::Extension.new("funny_extension", "abc") }
said { X509::Extension.new("1.2.3.4.5", "abc").oid }
said { X509::Extension.new("1.2.3.4.5", ASN1::UTF8String("true").to_der, true).to_a }
said { X509::Extension.new("1.2.3.4.5", "a\x01\xff\nb".b).value }
number = X509::Extension.new("crlNumber", ASN1::Integer(1).to_der)
said { number.value = ASN1::Integer(7); [number.value, number.value_der, number.oid] }
said { number.value = nil }
said { number.oid = "bogus" }
said { factory.create_extension(["basicConstraints", "CA:TRUE", true]).to_s }
said { factory.create_extension(["basicConstraints", "CA:TRUE"]).to_s }
said { factory.create_extension(["basicConstraints", "CA:TRUE", true, 1]) }
said { factory.create_extension("basicConstraints = critical, CA:TRUE").to_s }
said { factory.create_extension("basicConstraints=CA:FALSE").to_s }
said { factory.create_extension("oid" => "keyUsage", "value" => "cRLSign", "critical" => true).to_s }
said { factory.create_extension("bogus", "x") }
said { factory.create_extension("basicConstraints", nil) }
said { factory.create_ext("basicConstraints", "critical,CA:TRUE").to_s }
said { factory.create_ext_from_array(["basicConstraints", "CA:TRUE", true]).to_s }
pair = UNIXSocket.pair
socket = SSL::SSLSocket.new(pair[0])
said { socket.setsockopt(Socket::SOL_SOCKET, Socket::SO_KEEPALIVE, true) }
said { socket.getsockopt(Socket::SOL_SOCKET, Socket::SO_KEEPALIVE).bool }
said { SSL::SSLSocket.include?(SSL::SocketForwarder) }
