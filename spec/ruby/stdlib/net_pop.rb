# Net::POP3 with a server that has an answer for each command: mails, both ways to log in, errors and TLS.
require "net/pop"
Thread.report_on_exception = false
def serve(greeting = "+OK hi", **answers)
  server = TCPServer.new("127.0.0.1", 0)
  log = []
  thread = Thread.new do
    client = server.accept
    client.write("#{greeting}\r\n")
    while (line = client.gets("\r\n"))
      log << line
      answer = answers[line.split[0].to_sym]
      answer = answer[line] if answer.is_a?(Proc)
      break if answer == :close
      client.write(answer || "+OK\r\n")
    end
    client.close
  rescue SystemCallError, IOError => e
    log << e.class
  end
  result = begin
    yield server.addr[1]
  rescue StandardError => e
    [e.class, e.message.gsub(server.addr[1].to_s, "PORT")]
  end
  thread.join(5)
  server.close
  p result.is_a?(Array) || result.is_a?(String) || result.nil? ? result : result.class
  log.each { |each| puts "  #{(each.is_a?(String) ? each.b : each).inspect}" }
end
A = "127.0.0.1"
BOX = { STAT: "+OK 2 320\r\n", LIST: "+OK 2\r\n1 120\r\n2 200 x\r\n.\r\n", UIDL: ->(l) { l =~ /\d/ ? "+OK 2 abc\r\n" : "+OK\r\n1 aa\r\n2 bb\r\n.\r\n" }, RETR: "+OK\r\nA: b\r\n\r\n..dot\r\nü\xff\0\r\n.\r\n", TOP: "+OK\r\nA: b\r\n\r\n.\r\n" }
p Net::POP3.default_port, Net::POP3.default_pop3_port, Net::POP3.default_pop3s_port, Net::POP3.APOP(true), Net::POP3.APOP(false), Net::POP, Net::POPSession, Net::POP3Session, Net::APOPSession, Net::POP3.socket_type, Net::POP3::VERSION
p [Net::POPError, Net::POPAuthenticationError, Net::POPBadResponse].map(&:superclass)
serve(**BOX) { |port| Net::POP3.start(A, port, "u", "pw") { |pop| p pop.n_mails, pop.n_bytes, pop.started?, pop.active?, pop.apop?, pop.inspect.sub(port.to_s, ""), pop.mails.size; m = pop.mails; p m.map(&:inspect), m[0].number, m[0].size, m[0].length; p m[0].pop, m[0].pop.encoding, m[1].header, m[1].top(3), m[0].pop(+"x"), m[0].pop { |c| p c }, m[0].all("".b), m[1].uidl, m[0].unique_id; m[0].delete; p m[0].deleted?, m[0].inspect; pop.reset; p m[0].deleted?; pop.delete_all { |x| p x.number }; pop.each { |x| x.delete! } ; pop.instance_eval { command.uidl(2) } } }
serve(STAT: "+OK 0 0\r\n") { |port| Net::POP3.new(A, port).start("u", "p") { |pop| [pop.mails, pop.each_mail { p 1 }, pop.mails.equal?(pop.mails)] } }
serve("+OK x <1.2@h>") { |port| pop = Net::APOP.new(A, port); pop.start("u", "pw"); p pop.apop?; pop.finish; p pop.started?; "x" }
serve("+OK x <1.2@h>") { |port| Net::POP3.start(A, port, "u", "pw", true) { } }
serve("+OK x") { |port| Net::POP3.start(A, port, "u", "pw", true) { } }
serve("-ERR no") { |port| Net::POP3.start(A, port, "u", "pw") { } }
serve("-ERR no") { |port| Net::POP3.start(A, port, "u", "pw") }
serve(USER: "-ERR who\r\n") { |port| Net::POP3.start(A, port, "u", "pw") { } }
serve(PASS: "-ERR wrong\r\n") { |port| Net::POP3.auth_only(A, port, "u", "pw") }
serve { |port| Net::POP3.auth_only(A, port, "u", "pw") }
serve(**BOX) { |port| Net::POP3.foreach(A, port, "u", "p") { |m| p m.number } }
serve(**BOX) { |port| Net::POP3.delete_all(A, port, "u", "p") { |m| p m.number } }
serve(STAT: "+OK none\r\n") { |port| Net::POP3.start(A, port, "u", "p") { |pop| pop.n_mails } }
serve(STAT: "-ERR none\r\n") { |port| Net::POP3.start(A, port, "u", "p") { |pop| pop.n_bytes } }
serve(STAT: "+OK 1 2\r\n", LIST: "+OK\r\nfoo\r\n.\r\n") { |port| Net::POP3.start(A, port, "u", "p") { |pop| pop.mails } }
serve(STAT: "+OK 1 2\r\n", LIST: "-ERR gone\r\n") { |port| Net::POP3.start(A, port, "u", "p") { |pop| (pop.mails rescue $!.class) } }
serve(**BOX, DELE: "-ERR no\r\n", RETR: "-ERR none\r\n") { |port| Net::POP3.start(A, port, "u", "p") { |pop| (pop.mails[0].delete rescue p $!.message); (pop.mails[0].pop rescue p $!.class); pop.mails[0].pop } }
serve(STAT: :close) { |port| Net::POP3.start(A, port, "u", "p") { |pop| pop.mails } }
serve { |port| pop = Net::POP3.new(A, port); log = +""; pop.set_debug_output(log); pop.start("u", "p") { }; log.gsub(port.to_s, "PORT") }
serve { |port| pop = Net::POP3.new(A, port); pop.start("u", "p") { [(pop.start("u", "p") rescue [$!.class, $!.message]), (pop.auth_only("u", "p") rescue [$!.class, $!.message])] } }
serve(STAT: "") { |port| pop = Net::POP3.new(A, port); pop.start("u", "p"); pop.read_timeout = 0.2; r = (pop.n_mails rescue $!.class); pop.finish; [r] }
pop = Net::POP3.new(A)
p pop.port, pop.use_ssl?, pop.inspect, (pop.finish rescue [$!.class, $!.message]), (pop.mails rescue [$!.class, $!.message]), pop.address, pop.open_timeout, pop.read_timeout
p pop.enable_ssl(0), pop.port, pop.use_ssl?; pop.enable_ssl({ verify_mode: 1, port: 5 }); p pop.port; pop.disable_ssl; p pop.use_ssl?
p Net::POP3.use_ssl?, Net::POP3.enable_ssl(1, __FILE__).keys, Net::POP3.use_ssl?, Net::POP3.verify, Net::POP3.certs == __FILE__, Net::POP3.new(A).port, Net::POP3.ssl_params.keys, Net::POP3.disable_ssl, Net::POP3.create_ssl_params(2, "/"), Net::POP3.create_ssl_params
key = OpenSSL::PKey::RSA.new(2048)
cert = OpenSSL::X509::Certificate.new
cert.subject = cert.issuer = OpenSSL::X509::Name.parse("/CN=localhost"); cert.public_key = key.public_key; cert.serial = 1; cert.version = 2
cert.not_before = Time.now - 60; cert.not_after = Time.now + 3600
cert.sign(key, OpenSSL::Digest.new("SHA256"))
ctx = OpenSSL::SSL::SSLContext.new; ctx.cert = cert; ctx.key = key
store = OpenSSL::X509::Store.new; store.add_cert(cert)
tcp = TCPServer.new("127.0.0.1", 0)
srv = OpenSSL::SSL::SSLServer.new(tcp, ctx)
Thread.new { loop { c = srv.accept rescue next; c.write("+OK\r\n"); while c.gets; c.write("+OK 0 0\r\n"); end; c.close } }
[["localhost", 0], ["localhost", { cert_store: store }], ["localhost", {}]].each do |host, params|
  pop = Net::POP3.new(host, tcp.addr[1]); pop.enable_ssl(params)
  p(begin; pop.start("u", "p") { |x| x.n_mails }; rescue => e; [e.class, e.message[/certificate verify failed.*|hostname.*/]]; end)
end
silent = TCPServer.new("127.0.0.1", 0)
pop = Net::POP3.new(A, silent.addr[1]); pop.enable_ssl(0); pop.open_timeout = 0.2
p((pop.start("u", "p") rescue [$!.class, $!.message]))
