require "net/http"
def t(s)
  g = Net::HTTP::Get.new("/"); g["range"] = s
  p g.range
rescue => e
  p e.class, e.message
end
["bytes=-0", "bytes=0-0,-0", "bytes=-0,-0", "bytes= 1-2", "bytes=1-2 ", "bytes=1-2,", "bytes=", "bytes=-", "bytes=3-1", "items=1-2", "bytes=12- ", " bytes=1-2", "bytes=,1-2", "bytes=1-2, ,3-4", "bytes= 12-", "bytes=-5,1-"].each { |s| t s }
h = Net::HTTP::Head.new("/"); p h.to_hash, h.decode_content
h = Net::HTTP::Head.new("/", "Range" => "x"); p h.to_hash, h.decode_content
ENV["http_proxy"] = "http://Y%5CX:R%25S@proxy.example:8000"; ENV["no_proxy"] = "nope.com"
h = Net::HTTP.new("a.example"); p h.proxy_user, h.proxy_pass, h.proxy_from_env?, h.proxy_uri, h.proxy_address, h.proxy_port
h = Net::HTTP.newobj("a.example"); p h.proxy_from_env?, h.proxy?, h.proxy_uri
h = Net::HTTP.new("a.example", nil, "p.example", nil, nil, nil, "example"); p h.proxy_address, h.proxy_port, h.proxy_from_env?
h = Net::HTTP.new("a.example", nil, nil, nil); p h.proxy_address, h.proxy_port, h.proxy_from_env?
h = Net::HTTP.new("nope.com"); p h.proxy_address, h.proxy_port, h.proxy_uri
c = Net::HTTP::Proxy("q.example", 81, "u", "p"); h = c.new("a.example"); p h.proxy_address, h.proxy_port, h.proxy_user, h.proxy?, c.proxy_class?, c.proxy_user
c = Net::HTTP::Proxy(:ENV); p c.proxy_class?, c.new("x.example").proxy_address, c.proxy_address
h = Net::HTTP.new("a.example"); h.proxy_from_env = false; p h.proxy?; h.proxy_address = "z"; p h.proxy_address, h.proxy_port
