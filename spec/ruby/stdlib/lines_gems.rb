# Recorded with the gems themselves.
require_relative "fixtures/lines"
require "tmpdir"; Dir.chdir(PLACE = Dir.mktmpdir); at_exit { Dir.chdir("/"); FileUtils.rm_rf(PLACE) }
require "iniparse"; require "tomlrb"
I1 = "; top\n[a]\nx = 1\ny=two ; c\n# hash\nz =\n\n[b c]\nf = 1.5\nt = true\nn = nil\nq = \"quoted ; x\"\nm = a\nm = b\ne = \n[a]\nw = again\n"
each_line_of(<<'CODE')
$d = IniParse.parse(I1)
$d.class
puts $d.to_ini
$d.to_s == $d.to_ini
$d["a"].class
$d["a"]["x"]
$d["a"]["y"]
$d["a"]["z"]
$d["a"]["w"]
$d["b c"]["f"]
$d["b c"]["t"]
$d["b c"]["n"]
$d["b c"]["q"]
$d["b c"]["m"]
$d["b c"]["e"]
$d["zz"]
$d["a"]["zz"]
$d.has_section?("a")
$d.has_section?("q")
$d.section("a").key
$d["a"].has_option?("x")
$d["a"].has_option?("nope")
$d["a"].option("x").class
$d["a"].option("x").value
$d["a"].key
$d.to_hash
$d.to_h == $d.to_hash
$d.map { |s| s.key }
$d["a"].map { |o| o.key }
$d["a"]["x"] = 5; $d["a"]["x"]
$d["a"]["new"] = "v"; puts $d["a"].to_ini
$d["a"].delete("x"); $d["a"]["x"]
$d.delete("a").class
$d.map(&:key)
$d.path
$d.inspect.class
$d.save
IniParse.parse("x = 1\n")["__anonymous__"]["x"]
IniParse.parse("x = 1\n").to_ini
IniParse.parse("x = 1\n[s]\ny = 2\n").to_ini
IniParse.parse("[a\nx=1")
IniParse.parse("garbage")
IniParse.parse("[s]\ngarbage\n")
IniParse.parse("[s]\n= 1\n")
IniParse.parse("")
IniParse.parse("").to_ini
IniParse.parse("[s]\nk = a = b\n")["s"]["k"]
IniParse.parse("[s]\nk = 007\n")["s"]["k"]
IniParse.parse("[s]\nk = -5\n")["s"]["k"]
IniParse.parse("[s]\nk = 1_000\n")["s"]["k"]
IniParse.parse("[s]\nk = 1e5\n")["s"]["k"]
IniParse.parse("[s]\nk = TRUE\n")["s"]["k"]
IniParse.parse("[s]\nk = 'x'\n")["s"]["k"]
IniParse.parse("[s]\nk = a\\nb\n")["s"]["k"]
IniParse.parse("[s]\nk: v\n")
IniParse.parse("[s] ; cm\nk = v # x\n").to_ini
IniParse.parse("[s]\n  k = v\n").to_ini
IniParse.parse("[s]\n\n\nk = v\n").to_ini
IniParse.parse("[s]\nk=v;x\n")["s"]["k"]
IniParse.parse("[s]\nk = v #x\n")["s"]["k"]
IniParse.parse("[a]\nx=1\n[b]\ny=2\n[a]\nx=3\n").to_ini
IniParse.parse("[a]\nx=1\n[b]\ny=2\n[a]\nx=3\n")["a"]["x"]
IniParse.parse("[s]\nk=1\nk=2\nk=3\n")["s"]["k"]
IniParse.parse("[s]\nk=1\nk=2\n").to_ini
IniParse.gen { |d| d.section("s") { |s| s.option("k", "v"); s.option("n", 1) } }.to_ini
IniParse.gen { |d| d.section("s", comment: "hi") { |s| s.option("k", "v", comment: "c"); s.comment("line"); s.blank; s.option("l", [1, 2]) } }.to_ini
IniParse.gen { |d| d.comment("top"); d.blank; d.section("a") { |s| } }.to_ini
IniParse.gen { |d| d.option("k", 1) }.to_ini
IniParse.gen { |d| d.my_section { |s| s.key = 1 } }.to_ini
IniParse.gen { |d| d.section("s", indent: "  ") { |s| s.option("k", "v") } }.to_ini
IniParse.gen { |d| d.section("s", option_sep: "=") { |s| s.option("k", "v") } }.to_ini
IniParse.gen { |d| d.section("s") { |s| s.option("k", nil); s.option("t", true) } }.to_ini
File.write("i.ini", "[s]\nk = v\n"); x = IniParse.open("i.ini"); x.path
x = IniParse.open("i.ini"); x["s"]["k"] = "w"; x.save; File.read("i.ini")
x.save("j.ini"); File.read("j.ini")
IniParse.open("/nonexistent")
IniParse::ParseError.ancestors.take(3)
d = IniParse::Document.new; d.section("s"); d.to_ini
d = IniParse.parse("[s]\nk=1\n"); d["s"].merge!(IniParse.parse("[s]\nj=2\n")["s"]); d.to_ini
d = IniParse.parse("[s]\nk=1\n"); d["s"].lines.class
d = IniParse.parse("[s]\nk=1\n"); d.lines.map(&:class)
d = IniParse.parse("[s]\nk=1\n"); d["s"].each { |o| p o.class }; 1
d = IniParse.parse("[s]\nk=1\n"); d.lines << IniParse::Lines::Section.new("t"); d.to_ini
d = IniParse.parse("[s]\nk=1\n"); s = IniParse::Lines::Section.new("t"); s["a"] = 1; d.lines << s; d.to_ini
IniParse::Lines::Option.new("k", "v").to_ini
IniParse::Lines::Option.new("k", "v", comment: "c").to_ini
IniParse::Lines::Comment.new(comment: "c").to_ini
IniParse::Lines::Blank.new.to_ini
Tomlrb.parse("a = 1")
Tomlrb.parse("a = 'x'\nb = \"y\\n\\u00e9\"")
Tomlrb.parse("a = 1.5\nb = -2\nc = +3\nd = 1e3\ne = 1_000.5")
Tomlrb.parse("a = true\nb = false")
Tomlrb.parse("a = [1, 2, [3]]\nb = []")
Tomlrb.parse("a = [\n 1, # c\n 2,\n]")
Tomlrb.parse("a = { b = 1, c = { d = 2 } }")
Tomlrb.parse("[a]\nb = 1\n[a.c]\nd = 2")
Tomlrb.parse("[[a]]\nb = 1\n[[a]]\nb = 2")
Tomlrb.parse("[[a]]\n[[a.b]]\nc = 1")
Tomlrb.parse("a = 1979-05-27T07:32:00Z")
Tomlrb.parse("a = 1979-05-27T00:32:00-07:00")
Tomlrb.parse("a = \"\"\"\nx\ny \\\n  z\"\"\"")
Tomlrb.parse("a = '''\nx\\ny'''")
Tomlrb.parse("\"a b\" = 1\n'c' = 2")
Tomlrb.parse("# c\n\na = 1 # x")
Tomlrb.parse("a = 1", symbolize_keys: true)
Tomlrb.parse("[a.b]\nc=1", symbolize_keys: true)
Tomlrb.parse("a = \"\\q\"")
Tomlrb.parse("")
Tomlrb.parse("a = inf\nb = nan") rescue $!.class
Tomlrb.load_file("/nonexistent")
File.write("t.toml", "k = 1"); Tomlrb.load_file("t.toml", symbolize_keys: true)
Tomlrb::ParseError.superclass
CODE
