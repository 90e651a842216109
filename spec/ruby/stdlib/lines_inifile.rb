# MRI runs our source, which follows the documentation of the gem, so that the record shows what that should do.
require_relative "fixtures/lines"
$LOAD_PATH.unshift File.expand_path("../../../stdlib-shim/src/bundled", __dir__)
require "inifile"; require "tmpdir"; require "fileutils"; Dir.chdir(PLACE = Dir.mktmpdir); at_exit { Dir.chdir("/"); FileUtils.rm_rf(PLACE) }
each_line_of(<<'CODE')
$i = IniFile.new("g = 1\n[a] ; c\nx = 1\ny = two words ; c\nz =\nq = \"a ; b\" # c\nl = one \\\n  two\nm = \"multi\nline\"\n# c\n[b]\nt = TRUE\nf = 1.5\nh = 0x10\ne = a\\tb\n")
$i.to_h
$i["a"]
$i["b"]["e"]
$i[:b]["f"]
$i[nil]
$i["new"]
$i.sections
$i.has_section?("zz")
$i.match(/\Aa/)
$i.map { |s, k, v| [s, k] }.size
$i.each_section { |s| print s, " " }.equal?($i)
$i.delete_section("new")
$i["n"] = { "k" => "a\tb\nc" }
puts $i
$i.to_s
IniFile.new(content: { "global" => { "a" => 1 }, "s" => { "b" => true } }).to_s
IniFile.new(content: { "s" => nil }).to_h
IniFile.new(content: { "s" => 1 })
IniFile.new({ content: "[s]\nk: v\n", parameter: ":" }).to_h
IniFile.new("[s]\nk = v # x\n", comment: ";").to_h
IniFile.new("k = v\n", default: "main").to_h
IniFile.new.to_h
IniFile.new("garbage")
IniFile.new("= v")
IniFile.new("k = \"open\n")
IniFile.new("k = \"a \\\" b\"").to_h
IniFile.new("[a]\nx=1\n[a]\ny=2\n").to_h
IniFile.new("[a]\nx=1").merge(IniFile.new("[a]\ny=2\n[b]\nz=3")).to_h
IniFile.new("[a]\nx=1").merge!("a" => { "x" => 2 }).to_h
IniFile.new("[a]\nx=1").merge!(5)
IniFile.new("[a]\nx=1") == IniFile.new("[a]\nx=1")
IniFile.new("[a]\nx=1").eql?(5)
a = IniFile.new("[a]\nx=1"); b = a.dup; b["a"]["x"] = 9; a["a"]["x"]
IniFile.new("[a]\nx=1").freeze["a"]["x"] = 2
IniFile.load("/nonexistent")
IniFile.new("[a]\nx=1\ny=2\n").write(filename: "t.ini").class
File.read("t.ini")
x = IniFile.load("t.ini"); x["a"]["x"] = 5; x.save; IniFile.load("t.ini").to_h
[x.filename, x.encoding]
IniFile.new(filename: "t.ini", encoding: "UTF-8")["a"]
x.read.equal?(x)
x.read(filename: "/nonexistent")
IniFile::Error.superclass
CODE
