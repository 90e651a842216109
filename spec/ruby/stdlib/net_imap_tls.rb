# Net::IMAP with TLS from the start and after STARTTLS: certificates that are refused, long literals, IDLE, and servers that speak before their turn.
require "net/imap"
Thread.report_on_exception = false
KEY = OpenSSL::PKey::RSA.new(2048)
def certificate(host)
  cert = OpenSSL::X509::Certificate.new
  cert.subject = cert.issuer = OpenSSL::X509::Name.parse("/CN=#{host}"); cert.public_key = KEY.public_key; cert.serial = 1; cert.version = 2
  cert.not_before = Time.now - 60; cert.not_after = Time.now + 3600
  factory = OpenSSL::X509::ExtensionFactory.new(cert, cert)
  cert.add_extension(factory.create_extension("basicConstraints", "CA:TRUE", true))
  cert.add_extension(factory.create_extension("subjectAltName", "DNS:#{host}"))
  cert.sign(KEY, OpenSSL::Digest.new("SHA256"))
end
CERT = certificate("localhost")
OTHER = certificate("other.example")
STORE = OpenSSL::X509::Store.new.tap { |store| store.add_cert(CERT); store.add_cert(OTHER) }
LONG = "line of a mail\r\n" * 40_000
# A server; a line is logged with whether it came by TLS. What is given for STARTTLS is sent before the handshake.
def serve(direct: false, cert: CERT, greeting: "* OK hi\r\n", starttls: "TAG OK go\r\n")
  context = OpenSSL::SSL::SSLContext.new
  context.cert, context.key = cert, KEY
  server = TCPServer.new("127.0.0.1", 0)
  log = []
  thread = Thread.new do
    client = server.accept
    secure = -> { client = OpenSSL::SSL::SSLSocket.new(client, context).tap { |socket| socket.sync_close = true; socket.accept } }
    secure.call if direct
    client.write(greeting)
    while (line = client.gets("\r\n"))
      log << "#{client.is_a?(OpenSSL::SSL::SSLSocket) ? "TLS" : "plain"} #{line.chomp}"
      tag, command = line.split
      case command
      when "STARTTLS"
        client.write(starttls.gsub("TAG", tag))
        secure.call if starttls.include?("OK")
        next
      when "FETCH" then client.write("* 1 FETCH (BODY[] {#{LONG.bytesize}}\r\n#{LONG})\r\n")
      when "IDLE"
        client.write("+ idling\r\n* 4 EXISTS\r\n")
        log << client.gets("\r\n").chomp
      when "LOGIN" then client.write("+ go\r\n") && log << client.read(2).b << client.gets("\r\n") if line.end_with?("{2}\r\n")
      end
      client.write("#{tag} OK done\r\n")
    end
    client.close
  rescue SystemCallError, IOError, OpenSSL::SSL::SSLError
    client.close
  end
  result = begin
    yield server.addr[1]
  rescue StandardError => error
    [error.class, error.message[/certificate verify failed \(self-signed certificate|mismatch/]]
  end
  p result
  thread.join(5)
  server.close
  log.each { |line| puts "  #{line.inspect}" }
end
TRUSTING = { cert_store: STORE, verify_mode: OpenSSL::SSL::VERIFY_PEER }
def session(host, port, **options)
  imap = Net::IMAP.new(host, port: port, **options)
  result = yield imap
  imap.disconnect
  result
ensure
  imap.disconnect if imap && !imap.disconnected?
end
serve(direct: true) { |port| session("localhost", port, ssl: TRUSTING) { |imap| [imap.noop.name, imap.login("u", "\u00f6".b).name, imap.fetch(1, "BODY[]")[0].attr["BODY[]"] == LONG] } }
serve(direct: true) { |port| session("localhost", port, ssl: TRUSTING) { |imap| seen = []; [imap.idle { |response| seen << response.class; imap.idle_done if response.is_a?(Net::IMAP::UntaggedResponse) }.name, seen] } }
serve(direct: true) { |port| session("localhost", port, ssl: { verify_mode: OpenSSL::SSL::VERIFY_NONE }) { |imap| imap.noop.name } }
serve(direct: true) { |port| session("localhost", port, ssl: { verify_mode: OpenSSL::SSL::VERIFY_PEER }) { } }
serve(direct: true, cert: OTHER) { |port| session("localhost", port, ssl: TRUSTING) { } }
serve(direct: true) { |port| session("127.0.0.1", port, ssl: TRUSTING) { } }
serve { |port| session("localhost", port) { |imap| [imap.starttls(TRUSTING).name, imap.noop.name, imap.fetch(1, "BODY[]")[0].attr["BODY[]"] == LONG] } }
serve(starttls: "TAG OK go\r\n* 9 EXISTS\r\nRUBY0002 OK injected\r\n") { |port| session("localhost", port) { |imap| [imap.starttls(TRUSTING).name, imap.noop.data.text, imap.responses] } }
serve(direct: true, greeting: "* OK h\xff\xc3\r\n* LIST () \"/\" {2}\r\n\xc3(\r\n") { |port| session("localhost", port, ssl: TRUSTING) { |imap| [imap.greeting.data.text, imap.greeting.raw_data.encoding, imap.list("", "*").map(&:name)] } }
serve(starttls: "TAG NO never\r\n") { |port| session("localhost", port) { |imap| [(imap.starttls(TRUSTING) rescue $!.class), imap.noop.name] } }
