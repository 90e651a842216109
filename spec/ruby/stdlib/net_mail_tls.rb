# Net::SMTP with TLS from the start and within a session, and certificates that are refused.
require "net/smtp"
Thread.report_on_exception = false
$VERBOSE=nil
key = OpenSSL::PKey::RSA.new(2048)
cert = OpenSSL::X509::Certificate.new
cert.subject = cert.issuer = OpenSSL::X509::Name.parse("/CN=localhost"); cert.public_key = key.public_key; cert.serial = 1; cert.version = 2
cert.not_before = Time.now - 60; cert.not_after = Time.now + 3600
ef = OpenSSL::X509::ExtensionFactory.new(cert, cert)
cert.add_extension(ef.create_extension("basicConstraints", "CA:TRUE", true))
cert.add_extension(ef.create_extension("subjectAltName", "DNS:localhost,IP:127.0.0.1"))
cert.sign(key, OpenSSL::Digest.new("SHA256"))
CTX = OpenSSL::SSL::SSLContext.new; CTX.cert = cert; CTX.key = key
STORE = OpenSSL::X509::Store.new; STORE.add_cert(cert)
def serve(direct, evil: false)
  server = TCPServer.new("127.0.0.1", 0)
  log = []
  thread = Thread.new do
    raw = client = server.accept
    over = ->(io) { OpenSSL::SSL::SSLSocket.new(io, CTX).tap { |s| s.sync_close = true; s.accept } }
    client = over[client] if direct
    client.write("220 hi\r\n")
    while (line = client.gets("\r\n"))
      log << "#{client.class == OpenSSL::SSL::SSLSocket} #{line}"
      case line
      when /EHLO/ then client.write(client == raw ? "250-a\r\n250 STARTTLS\r\n" : "250-a\r\n250 AUTH PLAIN\r\n")
      when /STARTTLS/
        client.write("220 go\r\n#{"250 injected\r\n" if evil}")
        client = over[client]
      else client.write("250 ok\r\n")
      end
    end
    client.close
  rescue SystemCallError, OpenSSL::SSL::SSLError => e
    log << e.class.name
    client&.close
    raw.close
  end
  result = begin
    yield server.addr[1]
  rescue StandardError => e
    [e.class, e.message[/certificate verify failed.*|hostname.*/]]
  end
  thread.join(5)
  server.close
  p result.is_a?(Array) || result.is_a?(String) || result.nil? ? result : result.class
end
OPT = { ssl_context_params: { cert_store: STORE } }
serve(true) { |port| Net::SMTP.start("localhost", port, tls: true, **OPT) { |s| s.rset; s.capabilities.to_s } }
serve(true) { |port| Net::SMTP.start("127.0.0.1", port, tls: true, **OPT) { |s| s.rset; s.capabilities.to_s } }
serve(true) { |port| Net::SMTP.start("localhost", port, tls: true) { } }
serve(true) { |port| Net::SMTP.start("localhost", port, tls: true, tls_verify: false) { |s| s.rset.string } }
serve(true) { |port| Net::SMTP.start("127.0.0.1", port, tls: true, tls_hostname: "localhost", **OPT) { |s| s.rset.string } }
serve(true) { |port| Net::SMTP.start("127.0.0.1", port, tls: true, tls_hostname: "other", **OPT) { |s| s.rset.string } }
serve(false) { |port| Net::SMTP.start("localhost", port, **OPT) { |s| s.rset; s.capabilities.to_s } }
serve(false, evil: true) { |port| Net::SMTP.start("localhost", port, **OPT) { |s| s.rset; s.capabilities.to_s } }
serve(false) { |port| Net::SMTP.start("localhost", port, starttls: :always, tls_verify: false, user: "u", secret: "p") { |s| s.rset; s.capabilities.to_s } }
serve(false) { |port| Net::SMTP.start("localhost", port) { } }
serve(false) { |port| Net::SMTP.start("localhost", port, starttls: false) { |s| s.rset.string } }
serve(false) { |port| s = Net::SMTP.new("localhost", port); c = OpenSSL::SSL::SSLContext.new; c.verify_mode = 0; s.enable_starttls(c); l = +""; s.debug_output = l; s.start { |s| s.rset.string }; l.gsub(port.to_s, "P") }
serve(true) { |port| s = Net::SMTP.new("localhost", port); c = OpenSSL::SSL::SSLContext.new; c.verify_mode = 0; s.enable_tls(c);  s.start { |s| s.rset.string } }
server = TCPServer.new("127.0.0.1", 0)
s = Net::SMTP.new("127.0.0.1", server.addr[1], tls: true); s.open_timeout = 0.2
begin; s.start; rescue Net::OpenTimeout => e; p e.class, e.message; end
begin; Net::SMTP.new("127.0.0.1", server.tap(&:close).addr[1]).start; rescue => e; p e.class; end rescue p $!.class
