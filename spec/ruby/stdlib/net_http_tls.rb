require "net/http"; require "openssl"; require "socket"
Thread.report_on_exception = false
key = OpenSSL::PKey::RSA.new(2048)
cert = OpenSSL::X509::Certificate.new
cert.subject = cert.issuer = OpenSSL::X509::Name.parse("/CN=localhost"); cert.public_key = key.public_key; cert.serial = 1; cert.version = 2
cert.not_before = Time.now - 60; cert.not_after = Time.now + 3600
cert.sign(key, OpenSSL::Digest.new("SHA256"))
ctx = OpenSSL::SSL::SSLContext.new; ctx.cert = cert; ctx.key = key
tcp = TCPServer.new("127.0.0.1", 0)
srv = OpenSSL::SSL::SSLServer.new(tcp, ctx)
Thread.new { loop { s = srv.accept; head = s.gets("\r\n\r\n"); n = head[/content-length: (\d+)/i, 1].to_i; body = s.read(n); s.write "HTTP/1.1 200 OK\r\nContent-Length: #{body.size}\r\nConnection: close\r\n\r\n#{body.reverse}"; s.close rescue p $! } }
h = Net::HTTP.new("127.0.0.1", tcp.addr[1]); h.use_ssl = true; h.verify_mode = OpenSSL::SSL::VERIFY_NONE
r = h.post("/", "ab" * 2_000_000)
p r.code, r.body.size, r.body[0, 4]
h.start { |c| p c.get("/").code }
h2 = Net::HTTP.new("127.0.0.1", tcp.addr[1]); h2.use_ssl = true
begin; h2.get("/"); rescue => e; p e.class; end
# A server that never answers the handshake.
silent = TCPServer.new("127.0.0.1", 0)
http = Net::HTTP.new("127.0.0.1", silent.addr[1])
http.use_ssl = true
http.open_timeout = 0.2
p((http.start rescue [$!.class, $!.message]))
