# encoding: utf-8
require "uri"
u = URI.parse("http://user:pa%20ss@Example.com:8080/a/b.html?q=1&r=2#frag")
p u, u.class, u.scheme, u.userinfo, u.user, u.password, u.host, u.hostname, u.port, u.path, u.query, u.fragment, u.request_uri, u.opaque, u.normalize.to_s, u.absolute?, u.default_port, u.select(:host, :port)
["http://example.com", "https://example.com/", "ftp://f.example.com/pub/x;type=a", "file:///etc/hosts", "mailto:a@b.c?subject=x", "ldap://h/dc=x?cn?sub", "urn:isbn:1", "/rel/path?x", "a/b", "//host/p", "http://[::1]:80/x", "scheme://h", "HTTP://EX.com/%7Efoo"].each { |t| x = URI.parse(t); p [x.class, x.to_s, x.scheme, x.host, x.port, x.path, x.query, x.opaque] }
["http://a b/", "http://[x/", "http://h/<>", "%", "http://h:port/", "ht^tp://x", "http://ex\u00e9.com/", "a:b:c d"].each { |t| begin; URI.parse(t); p [:ok, t]; rescue => e; p [e.class, e.message]; end }
begin; URI.parse(nil); rescue => e; p e.class, e.message; end
[%w(http://a/b/c/d;p?q g), %w(http://a/b/c/d;p?q ../g), %w(http://a/b/c/d;p?q ?y), %w(http://a/b/c/d;p?q #s), %w(http://a/b/c/d;p?q //g), %w(http://a/b/c/d;p?q /../g), %w(http://a/b/c/d;p?q g:h), %w(http://a x/y), %w(http://a/b/ ./c/../d), %w(http://a/b c/)].each { |a, b| p URI.join(a, b).to_s }
p URI.join("http://a/x/", "y/", "z").to_s, URI("http://a/b") + "c", URI("http://a/b/c").route_to("http://a/b/d").to_s, URI("http://a/b/c").route_from("http://a/d").to_s
p URI.encode_www_form("a" => 1, "b c" => "d&e", "l" => [1, 2], "n" => nil), URI.decode_www_form("a=1&b+c=d%26e&x"), URI.encode_www_form_component("a b*é/"), URI.decode_www_form_component("a+b%2F"), URI.encode_www_form([["q", "ruby"], ["lang", "en"]])
p URI::HTTP.build(host: "h", path: "/p", query: "a=b").to_s, URI::HTTPS.build(host: "h", port: 444, path: "/").to_s, URI::Generic.build(scheme: "x", host: "y").to_s, (URI::HTTP.build(host: "h", path: "p") rescue $!.class)
v = URI("http://h/p"); v.path = "/q"; v.query = "x=1"; v.port = 81; v.host = "i"; v.userinfo = "u:p"; v.fragment = "f"; v.scheme = "https"; p v.to_s
begin; v.host = "bad host"; rescue => e; p e.class, e.message; end
begin; v.port = "x"; rescue => e; p e.class, e.message; end
p URI("http://h/p") == URI("http://H/p"), URI("http://h").eql?(URI("http://h")), URI("http://h/") == "http://h/", URI.split("http://u@h:1/p?q#f"), URI.extract("see http://a.b/c and mailto:x@y.z ok"), URI.scheme_list.keys.sort.first(3), URI("http://h").hash == URI("http://h").hash
p URI::DEFAULT_PARSER.escape("a b/é"), URI::DEFAULT_PARSER.unescape("a%20b"), URI.regexp.match?("http://x"), URI("http://h/a").merge("b").to_s, URI("https://x").is_a?(URI::HTTP), "http://x" =~ URI::DEFAULT_PARSER.make_regexp, "http://x/y z"[URI::DEFAULT_PARSER.make_regexp(%w(http https))]
ENV["http_proxy"] = "http://p:3128"; ENV["no_proxy"] = "local,.corp.com"; p URI("http://h").find_proxy, URI("http://x.corp.com").find_proxy, URI("http://127.0.0.1").find_proxy, URI("http://local").find_proxy
