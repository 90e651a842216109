# Recorded with the gems themselves.
require_relative "fixtures/lines"
require "addressable/uri"; require "addressable/template"
U = Addressable::URI
def pp2(u) = [u.scheme, u.userinfo, u.user, u.password, u.host, u.port, u.path, u.query, u.fragment]
each_line_of(<<'CODE')
pp2 U.parse("http://u:p@example.com:8080/a/b?q=1&r=2#f")
pp2 U.parse("mailto:a@b.c")
pp2 U.parse("/rel/path?x")
pp2 U.parse("//host/p")
pp2 U.parse("http://[::1]:80/")
pp2 U.parse("file:///etc/passwd")
pp2 U.parse("")
pp2 U.parse("a:b")
pp2 U.parse("http://EXAMPLE.com/%7efoo")
U.parse(nil)
U.parse(5)
U.parse("http://ex ample.com/")
U.parse("http://a:port/")
U.parse(U.parse("x")).to_s
u = U.parse("http://u:p@example.com:8080/a/b?q=1#f"); [u.authority, u.site, u.origin, u.request_uri, u.extname, u.basename, u.inferred_port, u.default_port, u.hostname]
u = U.parse("http://example.com"); [u.path, u.port, u.inferred_port, u.to_s, u.normalize.to_s]
u = U.parse("http://example.com/a.tar.gz"); [u.basename, u.extname]
u = U.parse("http://h"); u.path = "/x"; u.query = "a=b"; u.fragment = "z"; u.port = 81; u.scheme = "https"; u.user = "me"; u.password = "pw"; u.host = "q"; u.to_s
u = U.parse("http://h/?a=1&b=2&a=3"); [u.query_values, u.query_values(Array)]
u = U.parse("http://h/"); u.query_values = { "a" => "1", "b" => ["x", "y"] }; u.to_s
u = U.parse("http://h/"); u.query_values = [["a", 1], ["b", nil]]; u.to_s
u = U.parse("http://h/"); u.query_values = { a: true, "c d" => "e&f" }; u.to_s
U.parse("http://h/").query_values
U.parse("http://h/?").query_values
U.parse("http://h/?a").query_values
U.parse("http://h/?a=%20+b").query_values
U.parse("HTTP://Example.COM:80/%7Efoo/../bar?b=%41").normalize.to_s
U.parse("http://example.com/a/./b/../c").normalize.to_s
U.parse("http://example.com/é").normalize.to_s
U.normalized_encode("http://h/a b?c d")
U.encode("http://h/a b/é?q=ü")
U.escape("http://h/a b")
U.encode_component("a b/c&d")
U.encode_component("a b/c", U::CharacterClasses::UNRESERVED)
U.encode_component("simple/é", U::CharacterClasses::PATH)
U.unencode("a%20b%C3%A9")
U.unescape("%41+b")
U.unencode_component("a%2Fb")
U.unencode_component("a%2Fb", String, "/")
U.form_encode([["a", "b c"], ["d", "é&"]])
U.form_encode({ "a" => 1, "b" => ["x", "y"] })
U.form_unencode("a=b+c&d=%26")
U.join("http://h/a/b", "../c").to_s
U.join("http://h/a/b/", "c", "d").to_s
(U.parse("http://h/a/b") + "c?x").to_s
(U.parse("http://h/a/b") + "//other/p").to_s
(U.parse("http://h/a/b") + "#f").to_s
(U.parse("http://h/a") + "http://z/").to_s
U.parse("http://h/a/b").join("/c").to_s
U.parse("http://h/a/b/c").route_from("http://h/a/x").to_s
U.parse("http://h/a").route_to("http://h/b").to_s
U.parse("http://h/a").route_from("http://q/a").to_s
U.heuristic_parse("example.com/x").to_s
U.heuristic_parse("http:/example.com").to_s
U.heuristic_parse("localhost:8080").to_s
U.heuristic_parse("user@host.com").to_s
U.heuristic_parse("/etc/x").to_s
U.convert_path("/etc/x y").to_s
U.convert_path("rel").to_s
U.parse("http://h/a") == U.parse("http://H/a")
U.parse("http://h/a") === U.parse("http://H:80/a")
U.parse("http://h/a").eql?(U.parse("http://h/a"))
U.parse("http://h/a").hash == U.parse("http://h/a").hash
U.parse("http://h").absolute?
U.parse("/a").relative?
U.parse("http://h").ip_based?
U.parse("mailto:x").ip_based?
U.parse("http://h/a").to_hash
U.parse("http://h/a").inspect.sub(/0x\h+/, "0x")
U.parse("http://h/a").merge(host: "q", path: "/z").to_s
U.parse("http://h/a").merge(scheme: "https").to_s
U.parse("http://h/a?b#c").omit(:query, :fragment).to_s
U.parse("http://u:p@h:1/a").omit(:userinfo, :port).to_s
U.parse("http://h/a").dup.to_s
U.parse("http://h/a").freeze.to_s
U.new(scheme: "http", host: "h", path: "/p", query: "q").to_s
U.new(scheme: "http", authority: "u@h:8", path: "/").to_s
U.new(bogus: 1).to_s
U.parse("http://h/a").empty?
U.parse("").empty?
U.parse("http://sub.example.com").tld rescue $!.class
U.ip_based_schemes.sort
U.port_mapping["https"]
U::InvalidURIError.superclass
u = U.parse("http://h"); u.scheme = "1x"
u = U.parse("http://h/x"); u.host = nil; u.to_s
U.parse("http://h").path = "rel"
U.parse("http://h/a?b=1").omit!(:query).to_s
U.parse("http://h/a").site = "https://z:9"
u = U.parse("http://h/a"); u.authority = "me:pw@z:9"; u.to_s
u = U.parse("http://h/a"); u.userinfo = "a:b"; u.to_s
u = U.parse("http://h/a"); u.request_uri = "/q?r=1"; u.to_s
u = U.parse("http://h/a"); u.defer_validation { u.host = nil; u.path = "x"; u.scheme = nil }; u.to_s
U.parse("http://h/a/../b").normalized_path
U.parse("HTTP://H").normalized_scheme
U.parse("HTTP://H:80").normalized_authority
U.parse("http://h:80").normalized_port
U.parse("http://h/?b=2&a=1").normalize(:sorted).query rescue $!.class
U.parse("http://h/?b=2&a=1").normalized_query(:sorted)
U.parse("http://h/a").to_str
"#{U.parse("http://h/a")}"
($t = Addressable::Template.new("http://h/{a}/{b}{?q,r}{#f}")).class
$t.expand("a" => "1", "b" => "x y", "q" => "z", "f" => "g").to_s
$t.expand(a: 1).to_s
$t.variables
$t.keys
$t.pattern
$t.extract("http://h/1/2?q=3")
$t.match("http://h/1/2?q=3").class
$t.match("http://h/1/2").mapping
$t.extract("nope")
Addressable::Template.new("/{+path}{/seg*}").expand("path" => "a/b", "seg" => %w[c d]).to_s
Addressable::Template.new("{?list*}").expand("list" => %w[a b]).to_s
Addressable::Template.new("{?keys*}").expand("keys" => { "a" => 1, "b" => 2 }).to_s
Addressable::Template.new("{?list}").expand("list" => %w[a b]).to_s
Addressable::Template.new("{&x,y}").expand("x" => 1, "y" => 2).to_s
Addressable::Template.new("{;x,y}").expand("x" => 1, "y" => "").to_s
Addressable::Template.new("{.x}").expand("x" => "com").to_s
Addressable::Template.new("{x:3}").expand("x" => "abcdef").to_s
Addressable::Template.new("a{x}b").expand({}).to_s
Addressable::Template.new("{x}") == Addressable::Template.new("{x}")
Addressable::Template.new("{x}").inspect.sub(/0x\h+/, "0x")
CODE
