# Net::IMAP with a server that has an answer for each command: what is sent and what is returned, handlers, mechanisms, literals and errors.
require "net/imap"; require "stringio"
Thread.report_on_exception = false
def show(x)
  case x
  when Struct then "#{x.class.name.split("::").last}(#{x.to_h.reject { |k, v| k == :raw_data }.map { |k, v| "#{k}: #{show(v)}" }.join(", ")})"
  when Array then "[#{x.map { |e| show(e) }.join(", ")}]"
  when Hash then "{#{x.map { |k, v| "#{k.inspect} => #{show(v)}" }.join(", ")}}"
  when Exception then "#{x.class}: #{x.message}"
  else x.inspect
  end
end
# The server answers each command by its name: lines, where TAG is the command's tag.
ANSWERS = {
  "CAPABILITY" => "* CAPABILITY IMAP4rev1 IDLE\r\nTAG OK x\r\n", "SELECT" => "* 3 EXISTS\r\n* FLAGS (\\Seen)\r\n* OK [UIDVALIDITY 7] u\r\nTAG OK [READ-WRITE] in\r\n",
  "LIST" => "* LIST (\\HasNoChildren) \"/\" INBOX\r\n* LIST () \"/\" {3}\r\na\"b\r\nTAG OK x\r\n", "LSUB" => "* LSUB () \"/\" a\r\nTAG OK x\r\n", "XLIST" => "TAG OK x\r\n",
  "STATUS" => "* STATUS INBOX (MESSAGES 3 UNSEEN 1)\r\nTAG OK x\r\n", "SEARCH" => "* SEARCH 1 2\r\nTAG OK x\r\n", "SORT" => "* SORT 2 1\r\nTAG OK x\r\n", "THREAD" => "* THREAD (1 2)\r\nTAG OK x\r\n",
  "FETCH" => "* 1 FETCH (UID 4 BODY[] {5}\r\na\r\n\xff\0)\r\nTAG OK x\r\n", "STORE" => "* 1 FETCH (FLAGS (\\Seen \\Deleted))\r\nTAG OK x\r\n", "EXPUNGE" => "* 1 EXPUNGE\r\n* 1 EXPUNGE\r\nTAG OK x\r\n",
  "GETQUOTA" => "* QUOTA \"\" (STORAGE 1 2)\r\nTAG OK x\r\n", "GETQUOTAROOT" => "* QUOTAROOT INBOX \"\"\r\n* QUOTA \"\" (STORAGE 1 2)\r\nTAG OK x\r\n", "GETACL" => "* ACL INBOX a b\r\nTAG OK x\r\n",
  "NAMESPACE" => "* NAMESPACE ((\"\" \"/\")) NIL NIL\r\nTAG OK x\r\n", "ID" => "* ID (\"name\" \"srv\")\r\nTAG OK x\r\n", "LOGOUT" => "* BYE see you\r\nTAG OK bye\r\n",
  "CREATE" => "TAG NO [ALREADYEXISTS] there\r\n", "DELETE" => "TAG BAD what\r\n", "RENAME" => "TAG WHAT is\r\n", "CHECK" => "* BYE gone\r\n", "CLOSE" => :close
}
def serve(greeting: "* OK hi\r\n", auth: [], answers: {}, more: nil)
  server = TCPServer.new("127.0.0.1", 0)
  log = []
  answers = ANSWERS.merge(answers)
  thread = Thread.new do
    client = server.accept
    client.write(greeting)
    while (line = client.gets("\r\n"))
      log << line
      tag, command, = line.split
      _, _, command = line.split if command == "UID"
      while line =~ /\{(\d+)\}\r\n\z/
        client.write("+ go\r\n")
        log << client.read($1.to_i) << (line = client.gets("\r\n"))
      end
      if command == "AUTHENTICATE"
        auth.each { |a| client.write("+ #{[a].pack("m0")}\r\n"); log << client.gets("\r\n") }
      elsif command == "IDLE"
        client.write("+ idling\r\n* 4 EXISTS\r\n* 5 EXISTS\r\n")
        log << client.gets("\r\n")
      end
      answer = answers[command] || "TAG OK done\r\n"
      break if answer == :close
      client.write(answer.gsub("TAG", tag))
      break if command == "LOGOUT"
    end
    client.close
  rescue SystemCallError, IOError => e
    log << e.class
    client.close
  end
  imap = nil
  result = begin
    yield(server.addr[1], -> { imap = Net::IMAP.new("127.0.0.1", server.addr[1]) })
  rescue StandardError => e
    e
  end
  imap.disconnect if imap && !imap.disconnected?
  thread.join(5)
  server.close
  puts show(result)
  log.each { |each| puts "  #{(each.is_a?(String) ? each.b : each).inspect}" }
end
def try
  yield
rescue StandardError => e
  e
end
p Net::IMAP.default_port, Net::IMAP.default_tls_port, Net::IMAP.default_imap_port, Net::IMAP.default_imaps_port, Net::IMAP.default_ssl_port, Net::IMAP::VERSION, Net::IMAP.debug
p Net::IMAP::SEEN, Net::IMAP::NOSELECT, Net::IMAP::REMOTE, Net::IMAP::TRASH
p %i(Error DataFormatError ResponseParseError ResponseError NoResponseError BadResponseError ByeResponseError UnknownResponseError).map { |n| Net::IMAP.const_get(n).superclass }
p Net::IMAP::RESPONSE_ERRORS
serve do |_, open|
  imap = open[]
  puts show(imap.greeting), imap.open_timeout, imap.idle_response_timeout, imap.disconnected?, imap.client_thread == Thread.current
  puts show(imap.login("u", "p w\"")), show(imap.capability), show(imap.select("INBOX")), show(imap.responses), show(imap.examine("Ü x".b)), show(imap.responses)
  puts show(imap.list("", "*")), show(imap.lsub("", "%")), show(imap.xlist("", "*")), show(imap.status("INBOX", %w(MESSAGES UNSEEN))), show(imap.namespace), show(imap.id), show(imap.id("name" => "x", version: nil, "ö".b => "\r")), show(imap.noop)
  puts show(imap.getquota("a")), show(imap.getquotaroot("INBOX")), show(imap.setquota("a", 5)), show(imap.setquota("a", nil)), show(imap.setacl("a", "u", "lr")), show(imap.setacl("a", "u", nil)), show(imap.getacl("INBOX"))
  puts show(imap.search("ALL")), show(imap.search(["SUBJECT", "hello wörld".b, "NOT", "NEW"], "UTF-8")), show(imap.uid_search(["UID", 1..3, [1, 2, 5..-1], 7])), show(imap.sort(["DATE"], ["ALL"], "US-ASCII")), show(imap.uid_sort(["DATE"], "ALL", "US-ASCII")), show(imap.thread("REFERENCES", "ALL", "UTF-8")), show(imap.uid_thread("REFERENCES", ["ALL"], "UTF-8"))
  puts show(imap.fetch(1, "BODY[]")), show(imap.fetch(1..-1, %w(UID BODY[])).size), show(imap.uid_fetch([1, 3..4], ["UID", "FLAGS"], ["CHANGEDSINCE", 12345])), show(imap.fetch([1], "(UID FLAGS)", [:x]))
  puts show(imap.store(1, "+FLAGS", [:Seen, :Deleted])), show(imap.uid_store(1..2, "FLAGS.SILENT", [:Seen, "kw"])), show(imap.copy(1, "a b")), show(imap.uid_copy(1..2, "x")), show(imap.move([1, 2], "x")), show(imap.uid_move(1, "x")), show(imap.expunge)
  puts show(imap.append("INBOX", "From: x\r\n\r\nö\xff\0".b, [:Seen], Time.utc(2020, 1, 2, 3, 4, 5))), show(imap.append("INBOX", "")), show(imap.append("x", "y", nil, Time.at(0))), show(imap.subscribe("")), show(imap.unsubscribe("a*"))
  puts show(try { imap.create("x") }), show(try { imap.delete("x") }), show(try { imap.rename("x", "y") }), show(try { imap.create("x") }.then { |e| [e.response.class, e.response.name, e.response.data.code.name] })
  puts show(try { imap.fetch(0, "UID") }), show(try { imap.fetch(-1, "UID") }), show(try { imap.fetch(2**32, "UID") }), show(try { imap.fetch("x", "UID") }), show(try { imap.fetch("*", "UID") }.size), show(try { imap.store(1, "x", [-1]) }), show(try { imap.id(3) }), show(try { imap.fetch(1, "x", ["CHANGEDSINCE", 0]) }), show(try { imap.login(Object, 1) }.class), show(try { imap.idle_done }), show(try { imap.idle }), show(try { imap.authenticate("FOO", 1) })
  got = []
  handler = imap.add_response_handler { |r| got << r.class.name.split("::").last }
  imap.capability
  p got, imap.response_handlers.size, imap.remove_response_handler(handler.is_a?(Array) ? handler[0] : handler).class
  p imap.response_handlers.size, show(try { imap.add_response_handler(1) { } })
  seen = []
  p show(imap.idle { |r| seen << show(r); imap.idle_done if r.data == 5 }), seen
  p show(imap.idle(0.1) { |r| r })
  puts show(imap.logout)
  imap.disconnect
  p imap.disconnected?, imap.disconnect
  try { imap.noop }.class
end
serve(auth: [""]) { |_, open| open[].authenticate("PLAIN", "u", "p") }
serve(auth: ["", ""]) { |_, open| open[].authenticate("login", "u", "p") }
serve(auth: ["<1.2@h>"]) { |_, open| open[].authenticate("CRAM-MD5", "u", "p" * 70) }
serve(answers: { "AUTHENTICATE" => "TAG NO no\r\n" }, auth: [""]) { |_, open| open[].authenticate("PLAIN", "u", "p") }
serve(greeting: "* BYE full\r\n") { |_, open| open[] }
serve(greeting: "* PREAUTH in\r\n") { |_, open| open[].greeting.name }
serve(greeting: "rubbish\r\n") { |_, open| open[] }
serve { |_, open| imap = open[]; [try { imap.check }, imap.disconnected?, try { imap.noop }.class] }
serve { |_, open| imap = open[]; [try { imap.close }, try { imap.noop }.class] }
serve(answers: { "NOOP" => "* 1 FETCH (FOO 1)\r\nTAG OK x\r\n" }) { |_, open| imap = open[]; [try { imap.noop }, imap.disconnected?] }
serve(answers: { "NOOP" => "* 1 FETCH (UID 1)\r\nTAG OK x\r\n" }) { |_, open| imap = open[]; imap.add_response_handler { |r| raise "handler" if r.is_a?(Net::IMAP::UntaggedResponse) }; [try { imap.noop }.class] }
serve { |_, open| Net::IMAP.debug = true; $stderr = StringIO.new; imap = open[]; imap.login("u", "ö".b); imap.logout; o = $stderr.string; $stderr = STDERR; Net::IMAP.debug = false; o }
p Net::IMAP.encode_utf7("Entwürfe & 日本/x"), Net::IMAP.encode_utf7("a").encoding, Net::IMAP.decode_utf7("Entw&APw-rfe &- &ZeVnLIqe-/x"), Net::IMAP.decode_utf7("&,,,-"), Net::IMAP.decode_utf7("a").encoding
p Net::IMAP.format_date(Time.utc(2009, 6, 24)), Net::IMAP.format_datetime(Time.utc(2009, 6, 24, 1, 2))
p Net::IMAP::PlainAuthenticator.new("u", "p", authzid: "z").process(nil), (Net::IMAP::PlainAuthenticator.new("u\0", "p") rescue $!.message), (Net::IMAP::PlainAuthenticator.new("u", "p", authzid: "\0") rescue $!.message)

p Net::IMAP::BodyTypeText.new("a").multipart?, Net::IMAP::BodyTypeMultipart.new.multipart?, Net::IMAP::Address.members, Net::IMAP::BodyTypeMessage.members
p Net::IMAP::NumValidator.valid_number?(-1), Net::IMAP::NumValidator.valid_nz_number?(0), Net::IMAP::NumValidator.valid_mod_sequence_value?(2**64 - 1), Net::IMAP::StringFormatter.nstring("ö\n".b).class
class Sub < Net::IMAP; end
p Sub.debug, (Sub.authenticator("PLAIN", 1, 2) rescue $!.message)
p((Net::IMAP.new("127.0.0.1", TCPServer.new("127.0.0.1", 0).tap(&:close).addr[1]) rescue $!.class))
