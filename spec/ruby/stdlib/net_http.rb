require "net/http"
require "open-uri"
require "socket"
r = Net::HTTP::Get.new("/x?y", "X-A" => "1")
p r.method, r.path, r["x-a"], r["Accept"], r.key?("user-agent"), r.to_hash.keys.sort, r.inspect, r.request_body_permitted?, r.response_body_permitted?
r.basic_auth("u", "p"); r["B"] = %w(1 2); r.add_field("b", "3"); r.content_type = "text/plain"; r.body = "hi"
p r["authorization"], r["b"], r.get_fields("b"), r.content_type, r.each_capitalized.to_a.map(&:first).sort, r.body
q = Net::HTTP::Post.new(URI("http://h:81/p?z"))
q.set_form_data("a" => 1, "b c" => "é")
p q.body, q.content_type, q["host"], q.path, q.uri.to_s
h = Net::HTTP.new("example.com", 443)
h.use_ssl = true; h.verify_mode = OpenSSL::SSL::VERIFY_NONE; h.open_timeout = 1; h.read_timeout = 2; h.set_debug_output(nil)
p h.use_ssl?, h.address, h.port, h.started?, h.proxy?, h.inspect, Net::HTTP.default_port, Net::HTTP.https_default_port
def answer(text, permitted = true, &block)
  s = Net::BufferedIO.new(StringIO.new(text))
  res = Net::HTTPResponse.read_new(s)
  res.reading_body(s, permitted) { block&.call(res) }
  res
end
res = answer("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\nhellomore")
p res.class, res.code, res.message, res.http_version, res.body, res["content-type"], res.content_length, res.get_fields("set-cookie"), res.type_params, res.main_type, res.sub_type, res.value, res.is_a?(Net::HTTPSuccess), res.each_header.to_a.size
res = answer("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
p res.class, res.body, res.chunked?
begin; res.value; rescue => e; p e.class, e.message, e.response.code; end
res = answer("HTTP/1.0 302 Found\r\nLocation: http://x/\r\n\r\n"); p res.class, res["location"], res.is_a?(Net::HTTPRedirection), res.body
begin; answer("HTTP/1.1 500 Oops\r\n\r\nx").value; rescue => e; p e.class, e.message; end
begin; answer("junk\r\n\r\n"); rescue => e; p e.class, e.message; end
parts = []; answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabcdef") { |x| x.read_body { |part| parts << part } }; p parts.join
p Net::HTTPResponse::CODE_TO_OBJ["418"], Net::HTTPResponse::CODE_TO_OBJ["503"], Net::HTTPOK.superclass, Net::HTTPServerException == Net::HTTPClientException, Net::HTTPNotFound::EXCEPTION_TYPE
begin
  Net::HTTP.get(URI("http://127.0.0.1:9/x"))
rescue => e
  p e.class, e.message
end
begin
  URI.open("http://127.0.0.1:9/")
rescue => e
  p e.class, e.message[0, 60]
end
begin
  TCPSocket.new("127.0.0.1", 9)
rescue => e
  p e.class, e.message
end
begin; Net::HTTP::Get.new(""); rescue => e; p e.class, e.message; end
begin; Net::HTTP::Get.new(nil); rescue => e; p e.class, e.message; end
begin; h.finish; rescue => e; p e.class, e.message; end
a = Addrinfo.tcp("127.0.0.1", 80); p a.ip_address, a.ip_port, a.ipv4?, a.ipv4_loopback?, a.inspect, Socket.getaddrinfo("127.0.0.1", 80, nil, :STREAM), Socket.gethostname.class
