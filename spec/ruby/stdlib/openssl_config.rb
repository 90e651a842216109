ENV["CONF_NAME"] = "named"
require "openssl"
def t(s)
  c = OpenSSL::Config.parse(s)
  p c.sections.sort.to_h { |n| [n, c[n]] }
rescue => e
  p e.class, e.message
end
t "a=b\\\nc\nd = 'x y' z # c\n"
t "a = b\n[s]\nc = $default::a-${ENV::CONF_NAME}\n"
t "a = $(x"
t "a = ${b::c}\n"
t "[s\n"
t "[s] x\n"
t "[]\na=b"
t "[ a b ]\nx=1\n"
t "x"
t "x y = 1"
t "x!a.b-c:d = 1"
t "a = \"b # c\" # d"
t "a = `b'c`"
t "a = 'b"
t "a=1\na=2\n[s]\na=3\n[default]\nb=4"
t ".pragma = dollarid:true\nx$y = a$b"
t ".include /no/such"
t ".include = /no/such"
t ".foo = 1"
t "a\\=b = 1"
t "a::b::c = 1"
t "a = \\x\\$b\\\\"
t "a = $b\nb = 1"
t "a = ${default::b"
t "\xEF\xBB\xBFa = 1"
t "a = b\r\nc = d\r\n"
t "a = 1;b"
t "a = \"x\"\"y\""
t "a == b"
t "a =\\\n\n b = c"
t "a = é"
t "a = $(ENV::NOPE)"
c = OpenSSL::Config.parse("a=1\n[s]\nb=2\n")
p c.to_a.sort, c.each { }.equal?(c), c.get_value("s", "b"), c.get_value("s", "a"), c.get_value("ENV", "CONF_NAME"), c.frozen?
begin; c.get_value(nil, "x"); rescue => e; p e; end
begin; c[nil]; rescue => e; p e; end
p OpenSSL::Config.new, OpenSSL::Config.load.sections, OpenSSL::Config.include?(Enumerable), OpenSSL::Config.instance_methods(false).sort, OpenSSL::Config.singleton_methods(false).sort
begin; OpenSSL::Config.load("/nope"); rescue => e; p e; end
begin; OpenSSL::Config.new(1); rescue => e; p e; end
p OpenSSL::Config.parse_config("a=1")
p OpenSSL::Config.parse("a=1\n") == OpenSSL::Config.parse("a=1\n"), OpenSSL::Config.superclass, OpenSSL::ConfigError.superclass
p c.respond_to?(:[]=), OpenSSL::Config.parse("a=1").inspect, OpenSSL::Config.parse("a=1\nb=2").to_s
begin; OpenSSL::Config.parse(nil); rescue => e; p e; end
p c.each.class, c.map { |x| x }.size, c.each { |section, key, value| break [section, key, value].size }
require "tmpdir"
Dir.mktmpdir do |dir|
  Dir.mkdir("#{dir}/parts")
  File.write("#{dir}/parts/a.conf", "[a]\nx = 1\n")
  File.write("#{dir}/parts/b.cnf", "[b]\nx = 2\n")
  File.write("#{dir}/parts/c.txt", "[c]\nx = 3\n")
  File.write("#{dir}/main.cnf", "top = 1\n.include #{dir}/parts\n")
  main = OpenSSL::Config.load("#{dir}/main.cnf")
  p main.sections.sort, main["b"], main.dup["a"]
end
[ "[" + "a" * 5000, "[ a  b ]\nx=1", "[]\nx=1", "[ x ] y\nz=1", "[a\\]b]\nq=1", "[ a b", "x = " + "'a'" * 20000, "a$b = 1", "x = $", "x = a$" ].each { |t| begin; c = OpenSSL::Config.parse(t); p c.sections.sort, c.to_a.map { |a, b, v| [a, b, v.size] }; rescue => e; p e.class, e.message; end }
require "tmpdir"
Dir.mktmpdir { |d| File.write("#{d}/a.cnf", "x = 1\n.include #{d}/a.cnf\n"); p OpenSSL::Config.load("#{d}/a.cnf")["default"] }
[true, 1, :a].each { |v| begin; OpenSSL::Config.parse(v); rescue => e; p e.message; end }
