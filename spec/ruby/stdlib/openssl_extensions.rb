$stdout.sync = true
require "openssl"
require "socket"

key = OpenSSL::PKey::RSA.new(2048)
issue = lambda do |name, issuer, signer, ca, extensions|
  made = OpenSSL::X509::Certificate.new
  made.version = 2
  made.serial = name.sum
  made.subject = OpenSSL::X509::Name.parse("/CN=#{name}")
  made.issuer = issuer ? issuer.subject : made.subject
  made.public_key = key.public_key
  made.not_before = Time.now - 60
  made.not_after = Time.now + 3600
  factory = OpenSSL::X509::ExtensionFactory.new(issuer || made, made)
  made.add_extension(factory.create_extension("basicConstraints", ca ? "CA:TRUE" : "CA:FALSE", true))
  extensions.each { |extension| made.add_extension(factory.create_extension(*extension)) }
  made.sign(signer || key, "SHA256")
end

factory = OpenSSL::X509::ExtensionFactory.new
[
  ["nameConstraints", "permitted;DNS:good.example, excluded;IP:10.0.0.0/255.0.0.0", true],
  ["nameConstraints", "permitted;email:.example.org"],
  ["crlDistributionPoints", "URI:http://a.example/crl, URI:http://b.example/crl"],
  ["authorityInfoAccess", "OCSP;URI:http://ocsp.example, caIssuers;URI:http://a.example/ca.crt"],
  ["policyConstraints", "requireExplicitPolicy:3"],
  ["inhibitAnyPolicy", "2"],
  ["nsCertType", "server, client"],
  ["tlsfeature", "status_request"]
].each do |arguments|
  extension = factory.create_extension(*arguments)
  p [extension.oid, extension.value, extension.critical?, extension.value_der.unpack1("H*"), extension.to_s]
  p OpenSSL::X509::Extension.new(extension.to_der).value == extension.value
end
[["nameConstraints", "allowed;DNS:x"], ["keyUsage", "nothing"], ["nosuch", "x"], ["proxyCertInfo", "language:id-ppl-anyLanguage,policy:file:/etc/hostname"]].each do |arguments|
  factory.create_extension(*arguments)
  puts "made"
rescue OpenSSL::X509::ExtensionError => e
  p [e.class, e.message[/unknown bit string argument/]]
end

root = issue.("root", nil, nil, true, [])
limited = issue.("limited", root, nil, true, [["nameConstraints", "permitted;DNS:good.example", true]])
store = OpenSSL::X509::Store.new
store.add_cert(root)
%w{a.good.example evil.example}.each do |name|
  leaf = issue.(name, limited, nil, false, [["subjectAltName", "DNS:#{name}"]])
  p [name, store.verify(leaf, [limited]), store.error_string]
  p [name, "other.example"].map { |host| OpenSSL::SSL.verify_certificate_identity(leaf, host) }
end

leaf = issue.("localhost", root, nil, false, [["subjectAltName", "DNS:localhost,IP:127.0.0.1"]])
listener = TCPServer.new("127.0.0.1", 0)
context = OpenSSL::SSL::SSLContext.new
context.cert = leaf
context.key = key
server = OpenSSL::SSL::SSLServer.new(listener, context)
p [server.start_immediately, server.to_io.equal?(listener), server.addr[3], server.closed?]
child = fork do
  2.times do
    connection = server.accept
    line = connection.gets
    connection.puts "#{connection.class} #{line.chomp.reverse} #{connection.peer_cert.inspect}"
    connection.close
  rescue OpenSSL::SSL::SSLError => e
    puts "#{e.class} #{e.message[/\ASSL_accept/]}"
    $stdout.flush
  end
  exit!(0)
end
client_context = OpenSSL::SSL::SSLContext.new
client_context.verify_mode = OpenSSL::SSL::VERIFY_PEER
client_context.cert_store = store
client = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", listener.addr[1]), client_context)
client.sync_close = true
client.connect
p client.post_connection_check("localhost")
client.puts "hello"
puts client.read
client.close
plain = TCPSocket.new("127.0.0.1", listener.addr[1])
plain.write("GET / HTTP/1.0\r\n\r\n")
plain.close
Process.wait(child)
server.close
p server.closed?

# A server that demands a certificate refuses a client without one, and its handshake lets other threads run.
demanding = OpenSSL::SSL::SSLContext.new
demanding.cert = leaf
demanding.key = key
demanding.cert_store = store
demanding.verify_mode = OpenSSL::SSL::VERIFY_PEER | OpenSSL::SSL::VERIFY_FAIL_IF_NO_PEER_CERT
[nil, issue.("client", root, nil, false, [])].each do |own|
  listener = TCPServer.new("127.0.0.1", 0)
  server = OpenSSL::SSL::SSLServer.new(listener, demanding)
  thread = Thread.new do
    connection = server.accept
    connection.puts "welcome #{connection.peer_cert.subject}"
    connection.close
    "accepted"
  rescue OpenSSL::SSL::SSLError => e
    e.message[/peer did not return a certificate/]
  end
  context = OpenSSL::SSL::SSLContext.new
  context.cert, context.key = own, key if own
  socket = TCPSocket.new("127.0.0.1", listener.addr[1])
  3.times { Thread.pass }
  p :other_threads_run
  client = OpenSSL::SSL::SSLSocket.new(socket, context)
  client.sync_close = true
  begin
    client.connect
    p client.gets
  rescue OpenSSL::SSL::SSLError, Errno::ECONNRESET
    p :refused
  end
  p thread.value
  client.close
  server.close
end
