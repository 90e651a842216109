require "open-uri"
def t(*a, **o)
  URI.open(*a, **o) {}
rescue Exception => e
  puts "#{e.class}: #{e.message}"[0, 150]
end
t "http://192.0.2.1/tma", "r", 0666, :extra
t "http://127.0.0.1:1/", proxy: true, proxy_http_basic_authentication: true
t "http://127.0.0.1:1/", proxy: 1
t "http://127.0.0.1:1/", proxy: URI("ftp://127.0.0.1/")
t "http://127.0.0.1:1/", proxy: "ftp://127.0.0.1/"
t "http://127.0.0.1:1/", proxy_http_basic_authentication: ["ftp://127.0.0.1/", "a", "b"]
t "http://u:p@127.0.0.1:1/"
t "http://127.0.0.1:1/", "w"
t "http://127.0.0.1:1/", File::RDONLY
t "http://127.0.0.1:1/", File::WRONLY
t "http://127.0.0.1:1/", nope: 1
t "http://127.0.0.1:1/", "r:utf-8", encoding: "x"
t "http://127.0.0.1:1/", "rw"
t "ldap://127.0.0.1:1/"
t "/nonexistent/x"
ENV["http_proxy"] = "ftp://127.0.0.1:1/"
t "http://1.example/"
p URI("http://x").respond_to?(:open), URI("http://x").respond_to?(:read), URI("ldap://x").respond_to?(:open)
t "http://127.0.0.1:1/", encoding: "nope"
