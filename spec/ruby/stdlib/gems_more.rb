# Gems that MRI does not have beside it: it runs our source, so that the record shows what that should do.
$LOAD_PATH.unshift File.expand_path("../../../stdlib-shim/src/bundled", __dir__)
def t; yield; rescue Exception => e; "#{e.class}: #{e.message.lines.first.chomp}"; end
require "inifile"
i = IniFile.new(content: "g=1\n[a]\nx = 1\ny = \"q ; r\" ; c\nz = a\\\nb\n# c\n[b]\nt = true\nf = 1.5\ne =\n"); p i["a"], i["b"], i["global"], i.sections, i.to_h; i["n"]["k"] = "v"; puts i.to_s
require "deepsort"; p({ "b" => [3, { "z" => 1, "a" => 2 }, 1].reject { Hash === _1 }, "a" => { "d" => 1, "c" => [2, 1] } }.deep_sort.to_s, [3, [2, 1]].flatten.deep_sort, deep_sort({ b: 1, a: 2 }).to_s)
require "deep_merge"; p({ a: { b: [1] }, c: 1 }.deep_merge({ a: { b: [2], d: 3 }, c: 2 }), { a: [1, 2] }.ko_deep_merge!({ a: ["--1", 5] }))
require "tomlrb"; require "toml"; begin require "toml-rb"; rescue LoadError; require "toml_rb"; end
src = "title = \"T\\u00e9\"\nn = 1_000\nf = 1.5e3\nb = true\nh = 0xff\nd = 1979-05-27T07:32:00Z\narr = [1, 2,\n 3]\nit = { x = 1, y.z = 2 }\nm = \"\"\"\nl1\nl2\\\n   l3\"\"\"\nlit = 'C:\\x'\n\"q k\" = 1\n[a.b]\nc = 1\n[[p]]\nn = 1\n[[p]]\nn = 2\n[p.sub]\ns = 1\n"
p Tomlrb.parse(src), Tomlrb.parse("a=1", symbolize_keys: true), t { Tomlrb.parse("a = ") }, t { TomlRB.parse("a=1\na=2") }; puts TomlRB.dump({ "a" => 1, "t" => { "x" => "y", "u" => { "v" => [1, "2"] } }, "l" => [{ "q" => 1 }] }), TOML::Generator.new({ "k" => true, "z" => 1.5 }).body; p TOML.load("x = [\"a\"]"), TOML::Parser.new("y=1").parsed