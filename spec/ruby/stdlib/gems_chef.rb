def t; yield; rescue Exception => e; "#{e.class}: #{e.message.lines.first.chomp}"; end
require "mixlib/config"
module Conf; extend Mixlib::Config; default :a, 1; default(:b) { "b#{a}" }; default :list, []; configurable(:w).writes_value { |v| v.to_s.upcase }; configurable :plain; config_context(:ctx) { default :inner, 2; default :other, nil }; config_context_list(:items, :item) { default :n, 0 }; config_context_hash(:boxes, :box) { default :v, 1 }; end
p Conf.a, Conf.b, Conf[:a], (Conf.a = 5; Conf.b), (Conf[:a] = 6; Conf.a), (Conf.list << 1; Conf.list), (Conf.w "low"; Conf.w), Conf.plain, (Conf.plain 3; Conf[:plain]), Conf.ctx.inner, (Conf.ctx.inner = 9; Conf.ctx[:inner]), (Conf.ctx { other 4 }; Conf.ctx.other), Conf.key?(:a), Conf.unknown
Conf.item { n 5 }; Conf.box(:x) { v 7 }; p Conf.items.map(&:n), Conf.boxes[:x].v, Conf.save, Conf.to_hash.keys
Conf.anything = 1; p Conf.anything, Conf[:anything]; Conf.config_strict_mode true; p t { Conf.nope }, t { Conf.nope = 1 }, Conf.a; Conf.config_strict_mode false
Conf.reset; p Conf.a, Conf.ctx.inner, Conf.merge!(a: 3).equal?(Conf), Conf.a, Conf.configuration; Conf.configure { |c| c[:a] = 8 }; p Conf.a
require "tmpdir"; CONF = "#{Dir.mktmpdir}/conf.rb"; File.write(CONF, "a 11\nplain 'x'\nctx.inner 12\nctx { other 13 }\nzed [1]\n"); Conf.from_file(CONF); p Conf.a, Conf.plain, Conf.ctx.inner, Conf.ctx.other, Conf.zed
require "mixlib/log"; require "stringio"
module L; extend Mixlib::Log; end
io = StringIO.new; L.init(io); L.level = :info; L.debug("no"); L.info("yes"); L.warn { "blk" }; L.error(RuntimeError.new("e")); p L.level, L.info?, L.debug?, io.string.gsub(/\[[^\]]+\]/, "[T]"), t { L.level = :bad }, L.trace?
require "iniparse"
doc = IniParse.parse("; top\n[s]\na = 1\nb = two ; note\n\nc=true\na = 3\n[t]\nk: v = x\n"); p doc["s"]["a"], doc["s"]["b"], doc["s"]["c"], doc["t"].to_a.size, doc.map(&:key), doc["zz"], doc.to_h; doc["s"]["new"] = 5; doc.section("u")["z"] = 1; puts doc.to_ini
p t { IniParse.parse("[s]\nbroken\n") }
puts IniParse.gen { |d| d.section("vehicles") { |v| v.option("car", "big") } }.to_ini
require "tomlrb"
src = "title = \"T\\u00e9\"\nn = 1_000\nf = 1.5e3\nb = true\narr = [1, 2,\n 3]\nit = { x = 1 }\nm = \"\"\"\nl1\nl2\\\n   l3\"\"\"\nlit = 'C:\\x'\n\"q k\" = 1\n[a.b]\nc = 1\n[[p]]\nn = 1\n[[p]]\nn = 2\n"
p Tomlrb.parse(src), Tomlrb.parse("a=1", symbolize_keys: true)
require "addressable/uri"; require "addressable/template"
u = Addressable::URI.parse("http://user:pw@Example.com:8080/a/../b%20c?x=1&y=a+b#frag"); p u.scheme, u.user, u.password, u.host, u.port, u.path, u.query, u.fragment, u.authority, u.query_values, u.normalize.to_s, u.to_s, u.join("d/e").to_s, u.origin, u.site
p Addressable::URI.parse("http://h").normalize.to_s, Addressable::URI.join("http://h/a/b", "../c").to_s, Addressable::URI.encode_component("a b/ü"), Addressable::URI.unencode("a%20b"), Addressable::URI.heuristic_parse("example.com/x").to_s, Addressable::URI.new(scheme: "https", host: "h", path: "/p", query_values: { "b" => 1, "a" => "x y" }).to_s, t { Addressable::URI.parse("http://h:x/") }, Addressable::URI.parse(nil), Addressable::URI.encode("http://h/a b?c=d e")
p Addressable::Template.new("http://h/{path}{?q,r*}{&z}").expand(path: "a b", q: "x&y", r: [1, 2], z: "w").to_s, Addressable::Template.new("/{a}/{+b}{#c}").expand("a" => "x/y", "b" => "p/q", "c" => "f").to_s, Addressable::Template.new("http://h/{a}/{b}").extract("http://h/1/two"), Addressable::Template.new("{a}{?b}").variables
require "hashie"; m = Hashie::Mash.new(a: { b: [{ c: 1 }] }, "d" => 2); p m.a.b[0].c, m[:d], m.d?, m.zz, (m.e = { f: 1 }; m.e.f), m.to_hash, m.deep_merge(a: { x: 1 }).a.keys, m.key?(:a), m.class, m.fetch(:d)
require "plist"; x = { "a" => [1, 2.5, true, "t<x"], "d" => {} }; puts x.to_plist; p Plist.parse_xml(x.to_plist) == x, Plist::Emit.dump([1], false)
require "mixlib/versioning"; v = Mixlib::Versioning; p v.parse("1.2.3-rc.1") < v.parse("1.2.3"), v.parse("11.0.0-rc.0+20130308").class, v.parse("10.16.2-49-g21353f0-1").class, v.parse("x"), v.parse("10.1.1.rc.3-1").class, v.parse("1.0.1").to_s, [v.parse("1.10.0"), v.parse("1.9.0")].max.to_s, v.find_target_version(%w[1.0.0 1.1.0 2.0.0-rc.1]).to_s
require "erubis"
p Erubis::Eruby.new("<% 2.times do |i| %>\n  v<%= i %>\n<% end %>\nend <%== '<' %>\n").result(binding), Erubis::Eruby.new("a <%= x %>").result(x: 3), Erubis::Eruby.new("<%= @y %>").evaluate(y: 4), Erubis::EscapedEruby.new("<%= '<>' %>").result, Erubis::FastEruby.new("x<%# c %>\ny").result
