require "csv"
require "tmpdir"
PATH = File.join(Dir.mktmpdir, "t.csv")
p CSV.parse("a,b,c\n1,\"x, y\",3\n,\"\",\"q\"\"q\"\n"), CSV.parse_line("1;2;3", col_sep: ";"), "a,b".parse_csv, ["x", nil, "a,b", "q\"", "", " s", 1].to_csv
t = CSV.parse("name,age\nbob,3\nann,4\n", headers: true)
p t.class, t.headers, t["name"], t[0]["age"], t.map(&:to_h), t.to_s, t.first, t
p CSV.parse("Name X,Age\nbob,3\n", headers: true, header_converters: :symbol, converters: :numeric).map(&:to_h)
puts CSV.generate { |c| c << %w(a b); c << [1, nil]; c << ["x\ny", "z"] }
puts CSV.generate(headers: %w(h1 h2), write_headers: true, force_quotes: true) { |c| c << [1, 2] }
["a,\"b", "a\"b,c", "\"a\"b,c", "a,b\rc\n1"].each { |s| begin; CSV.parse(s); puts "ok #{s.inspect}"; rescue => e; puts "#{e.class} #{e.message}"; end }
p CSV.parse("1,2.5,2020-01-02,x\n", converters: :all), CSV.parse("a\r\nb\r\n"), CSV.parse("\n\na\n", skip_blanks: true), CSV.parse("# c\na\n", skip_lines: /^#/), CSV.parse("a, b ,c\n", strip: true)
p CSV.parse("x\ty\n", col_sep: "\t"), CSV.parse("a\n\nb"), CSV.new("a,b\n1,2\n").each.to_a, CSV.parse("\"multi\nline\",2\n")
File.write(PATH, "k,v\na,1\nb,2\n")
CSV.foreach(PATH, headers: true) { |r| p r["k"], r.fields, r.to_s }
p CSV.read(PATH), CSV.table(PATH).to_a
p CSV.parse("a,b\n", headers: %w(x y)).first.to_h, CSV.parse("a,b\n1,2", headers: true, return_headers: true).map(&:fields)
begin; CSV.new("", foo: 1); rescue ArgumentError => e; p e.message; end
r = CSV::Row.new(%w(a b), [1, 2]); r["c"] = 3; p r, r.to_h, r.fetch("a"), r.delete("a"), r.headers, r.values_at("b", "c")
