# What Net::IMAP and Net::POP3 refuse and the original of these versions lets pass: line breaks that would begin commands of their own, and a
# server that says that TLS began before it was asked. The expectations are rchef's, not a recording.
require "net/imap"
require "net/pop"
Thread.report_on_exception = false
def serve(greeting)
  server = TCPServer.new("127.0.0.1", 0)
  log = []
  thread = Thread.new do
    client = server.accept
    client.write(greeting)
    while (line = client.gets("\r\n")&.b)
      log << line
      break if line.include?("STARTTLS")
      client.write(line.start_with?("RUBY") ? "#{line.split[0]} OK x\r\n" : "+OK\r\n")
    end
    client.close
  end
  yield server.addr[1]
  thread.join(5)
  server.close
  p log
end
def try
  yield
rescue StandardError => error
  [error.class, error.message]
end
serve("* OK hi\r\n") do |port|
  imap = Net::IMAP.new("127.0.0.1", port)
  p try { imap.store(1, "+FLAGS", [:"Seen)\r\nX"]) }, try { imap.search("A\nB") }, try { imap.fetch(1, "a\rb") }, try { imap.fetch(1, %W(UID a\r\nb)) }
  p try { imap.fetch("1\r\n".."2", "UID") }, try { imap.setquota("a", "1)\r\nX") }, try { imap.store(1, "FLAGS", [Net::IMAP::Atom.new("x\n"), Net::IMAP::QuotedString.new("x")]) }
  p try { imap.fetch(1, "\xff") }, imap.noop.name
  imap.disconnect
end
serve("* OK hi\r\nRUBY0002 OK early\r\n") do |port|
  imap = Net::IMAP.new("127.0.0.1", port)
  p imap.noop.name, try { imap.starttls }[0].ancestors.include?(StandardError)
end
serve("+OK\r\n") { |port| p try { Net::POP3.start("127.0.0.1", port, "u\r\nDELE 1", "p") } }
serve("+OK\r\n") { |port| p try { Net::POP3.start("127.0.0.1", port, "u", "p\nDELE 1") } }
