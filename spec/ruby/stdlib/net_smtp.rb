# Net::SMTP with a server that plays a script: what is sent, what comes of the answers, and errors.
require "net/smtp"
Thread.report_on_exception = false
# A server that plays a script: lines to be sent, and patterns for what is read.
def serve(*answers, silent: false)
  server = TCPServer.new("127.0.0.1", 0)
  log = []
  thread = Thread.new do
    client = server.accept
    answers.each_with_index do |answer, at|
      if at.zero?
        client.write(answer)
        next
      end
      line = client.gets("\r\n") or break
      log << line
      if answer.is_a?(Array)
        client.write(answer[0])
        log << (part = client.gets("\r\n") or break) until part == ".\r\n"
        client.write(answer[1])
      else
        client.write(answer)
      end
    end
    while (line = client.gets("\r\n"))
      log << line
      client.write("221 bye\r\n") if line =~ /QUIT/
    end
    client.close
  rescue SystemCallError, IOError => e
    log << e.class
  end
  result = begin
    yield server.addr[1]
  rescue StandardError => e
    [e.class, (e.message.gsub(server.addr[1].to_s, "PORT") rescue $!.class)]
  end
  thread.join(5)
  server.close
  p result.is_a?(Array) || result.is_a?(String) || result.nil? ? result : result.class
  log.each { |each| puts "  #{(each.is_a?(String) ? each.b : each).inspect}" }
end
HELLO = "220 hi\r\n"
EHLO = "250-me\r\n250-AUTH PLAIN LOGIN CRAM-MD5\r\n250-8BITMIME\r\n250 SIZE 100\r\n"
OK = "250 ok\r\n"
DATA = ["354 go\r\n", "250 queued\r\n"]
A = "127.0.0.1"
p Net::SMTP.default_port, Net::SMTP.default_submission_port, Net::SMTP.default_tls_port, Net::SMTP.default_ssl_port
p Net::SMTPSession.equal?(Net::SMTP), Net::SMTP::VERSION, Net::SMTP::DEFAULT_AUTH_TYPE
p Net::SMTP.new("h").inspect, Net::SMTP.new("h", 3).port
p [Net::SMTPAuthenticationError, Net::SMTPServerBusy, Net::SMTPSyntaxError, Net::SMTPFatalError, Net::SMTPUnknownError, Net::SMTPUnsupportedCommand].map { |e| e.ancestors.take_while { |x| x != StandardError } }
serve(HELLO, EHLO, OK, OK, OK, DATA) { |port| Net::SMTP.start(A, port) { |s| p s.capabilities, s.capable_starttls?, s.capable_plain_auth?, s.capable_auth_types, s.started?; r = s.send_message("a\n.b\r\nc\rd\n..\nü", "f@x", "a@x", ["b@y"]); p r.class, r.status, r.string, r.message, r.success? } }
serve(HELLO, EHLO, OK, OK, DATA) { |port| Net::SMTP.start(A, port, "me.example") { |s| s.open_message_stream("f@x", "b@y") { |f| f.puts "From: x"; f.puts; f.print ".dot\nno end"; f << "a" << "b\r\n"; f.printf("%d\n", 4); p f.write("z") } ; 5 }.to_s }
serve(HELLO, EHLO, "235 in\r\n") { |port| s = Net::SMTP.start(A, port, helo: "h", user: "u", secret: "pw"); s.finish; p s.started?; "x" }
serve(HELLO, EHLO, "334 VXNlcg==\r\n", "334 UGFzcw==\r\n", "235 in\r\n") { |port| s = Net::SMTP.start(A, port, "h", "u", "pw", :login); s.finish; "x" }
serve(HELLO, EHLO, "334 #{["<1@x>"].pack("m0")}\r\n", "235 in\r\n") { |port| s = Net::SMTP.start(A, port, "h", user: "u", password: "pw", authtype: "cram_md5"); s.finish; "x" }
serve(HELLO, EHLO, "535 no\r\n") { |port| Net::SMTP.start(A, port, "h", "u", "pw") }
serve(HELLO, EHLO, "504 no\r\n") { |port| Net::SMTP.start(A, port, "h", "u", "pw", :login) }
serve(HELLO, EHLO, "334 a\r\n", "435 no\r\n") { |port| Net::SMTP.start(A, port, "h", "u", "pw", :login) }
serve(HELLO, EHLO) { |port| p((Net::SMTP.new(A, port).start("h", "u", nil) rescue [$!.class, $!.message]), (Net::SMTP.new(A, port).start("h", nil, "x") rescue $!.message), (Net::SMTP.new(A, port).start("h", "u", "x", :foo) rescue $!.message), (Net::SMTP.new(A, port).start(1, 2, 3, 4, 5) rescue $!.message),  (Net::SMTP.start(1, 2, 3, 4, 5,6,7) rescue $!.message), (Net::SMTP.new(A, port).finish rescue [$!.class, $!.message]), (Net::SMTP.new(A, port).send_message("", "a", "b") rescue [$!.class, $!.message])); Net::SMTP.start(A, port) { } }
serve(HELLO, "502 what\r\n", OK) { |port| Net::SMTP.start(A, port, starttls: false) { |s| [s.esmtp?, s.capabilities, s.capable?("X"), s.capable_auth_types] } }
serve(HELLO, "502 what\r\n", "554 go\r\n") { |port| Net::SMTP.start(A, port) }
serve("554 away\r\n") { |port| Net::SMTP.start(A, port) }
serve("421 busy\r\n") { |port| Net::SMTP.start(A, port) {} }
serve("999 busy\r\n") { |port| Net::SMTP.start(A, port) {} }
serve("rubbish\r\n") { |port| Net::SMTP.start(A, port) {} }
serve("") { |port| s = Net::SMTP.new(A, port); s.read_timeout = 0.2; begin; s.start; rescue Net::ReadTimeout; [$!.class, $!.io.class]; end }
serve(HELLO, EHLO, "450 x\r\n", OK) { |port| Net::SMTP.start(A, port) { |s| begin; s.mailfrom("a"); rescue Net::SMTPServerBusy; p $!.response.status, $!.message, $!.response.exception_class; end; s.rset; "ok" } }
serve(HELLO, EHLO, OK, "530 auth\r\n", OK, DATA) { |port| Net::SMTP.start(A, port) { |s| begin; s.send_message("x", "a", "b", "c"); rescue Net::SMTPAuthenticationError; p $!.class; end; "ok" } }
serve(HELLO, EHLO, OK, "530 auth\r\n") { |port| Net::SMTP.start(A, port) { |s| s.send_message("x", "a", "b") } }
serve(HELLO, EHLO, OK, "550 none\r\n") { |port| Net::SMTP.start(A, port) { |s| s.send_message("x", "a", "b") } }
serve(HELLO, EHLO, OK, OK, "451 none\r\n") { |port| Net::SMTP.start(A, port) { |s| (s.send_message("x", "a", "b") rescue p $!.class, $!.message); [s.rset.string, s.send_message("", "x", "y").string] rescue [$!.class, $!.message] } }
serve(HELLO, EHLO, OK, OK, ["354 go\r\n", "554 spam\r\n"]) { |port| Net::SMTP.start(A, port) { |s| s.send_message("", "a", "b") } }
serve(HELLO, EHLO, OK, OK) { |port| Net::SMTP.start(A, port) { |s| s.mailfrom(Net::SMTP::Address.new("a@b", :BODY => "8BITMIME", size: 12)); s.rcptto(Net::SMTP::Address.new("c@d", "X", ["Y", 3], notify: :success, n: nil)); a = Net::SMTP::Address.new(Net::SMTP::Address.new("q", "r")); [a.to_s, a.parameters] } }
serve(HELLO, EHLO) { |port| Net::SMTP.start(A, port) { |s| [(s.mailfrom("a\r\nRCPT") rescue [$!.class, $!.message]), (s.rcptto_list([]) rescue $!.message), (s.data rescue $!.message), (s.data("x") { } rescue $!.message)] } }
serve(HELLO, EHLO) { |port| Net::SMTP.start(A, port, starttls: :always) { } }
serve(HELLO, "250-x\r\n250 STARTTLS\r\n", "454 no\r\n") { |port| Net::SMTP.start(A, port) { } }
serve(HELLO, EHLO, OK) { |port| s = Net::SMTP.new(A, port); log = +""; s.set_debug_output(log); s.start { s.rset }; log.gsub(port.to_s, "PORT") }
serve(HELLO, EHLO) { |port| s = Net::SMTP.new(A, port); s.start { s.start } }
s = Net::SMTP.new(A)
p s.capabilities, s.capable?("x"), s.capable_starttls?, s.capable_plain_auth?, s.capable_auth_types, s.tls?, s.starttls?, s.starttls_auto?, s.starttls_always?
s.enable_tls; p s.tls?, s.ssl?
p((s.enable_starttls rescue [$!.class, $!.message]), (s.enable_starttls_auto rescue $!.message))
s.disable_ssl; s.enable_starttls; p s.starttls?, (s.enable_ssl rescue $!.message); s.disable_starttls; p s.starttls?
p s.open_timeout, s.read_timeout, s.esmtp, s.tls_verify, s.tls_hostname, s.ssl_context_params
p Net::SMTP::Response.parse("250-a\n250-b c d\n250 E\n").capabilities, Net::SMTP::Response.parse("250 a\n").capabilities, Net::SMTP::Response.new("334", "334 YWJj").cram_md5_challenge, Net::SMTP::Response.parse("334 a").continue?
%w(421 500 530 550 600).each { |c| p Net::SMTP::Response.parse("#{c} x").exception_class }
