# Net::HTTP: what it tells of a session, connections that the server has closed, ranges, classes of errors.
def t
  p yield
rescue Exception => error
  puts "#{error.class}: #{error.message.lines.first.chomp.sub(/0x\h+/, '')}"
end
require 'net/http'
require 'stringio'
require 'socket'
H = Class.new { include Net::HTTPHeader; def initialize; initialize_http_header({}); end }
h = H.new
[[10],[-10],[0],[10.9],[10..200],[1...5],[-5..-1],[1..-1],[-10..5],[5..-10],[5..3],[0..0],[0,5],[10,10],[-10,5],[10,-15],[10,-5],[-1,1],[nil,1],["x"],[5..],[..5], [0...0], [5,0],[5.5,2]].each { |a| h.delete("range"); t { [a, h.set_range(*a), h["range"]] } }
t { h.to_hash["x"]=1; h.to_hash }
t { Net::HTTP.version_1_1? }
t { Net::HTTP::Options.new("/").request_body_permitted? }
t { Net::HTTPOK.new("1.1","200","OK").error_type }
t { Net::HTTPNotFound.new("1.1","404","NF").error_type }
t { Net::HTTPOK.new("1.1","200","OK").error! }
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
answers = ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\nuntil the end"]
Thread.new { loop { s = server.accept; Thread.new { begin; n = 0; while (l = s.gets); len = 0; while (x = s.gets) && x != "\r\n"; len = $1.to_i if x =~ /content-length: (\d+)/i; end; s.read(len) if len > 0; a = l.include?("/end") ? answers[3] : answers[n % 3]; s.write a; n += 1; (s.close; break) if l =~ /close|end/; end; rescue; end } } }
io = StringIO.new
t { http = Net::HTTP.new("127.0.0.1", port, nil); http.set_debug_output(io); http.start { |c| c.get("/a"); c.get("/b"); c.get("/c"); c.post("/d","x=1"); r = c.get("/end"); r.body } }
puts io.string.gsub(port.to_s, "PORT")
io = StringIO.new
t { http = Net::HTTP.new("127.0.0.1", port, nil); http.set_debug_output(io); http.start { |c| c.get("/close"); sleep 0.1; parts=[]; c.request_get("/b") { |r| r.read_body { |x| parts << x } }; parts } }
puts io.string.gsub(port.to_s, "PORT")
t { Net::HTTP.start("127.0.0.1", port) { |c| c.request_get("/end") { |r| x = r.read_body { |y| p y }; p x.class } }.code }
t { Net::HTTP.start("127.0.0.1", port) { |c| c.set_debug_output($stdout) } ; nil }
