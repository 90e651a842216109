# Functions of modules are there for what includes them, too, and classes of Structs can be copied.
require "open3"; require "etc"; require "zlib"; require "digest"; require "coverage"
class A
  include Open3
  def t = popen3("cat") { |i, o, e, w| i.puts 1; i.close; o.read }
  def u = capture2("cat", stdin_data: "x")[0]
  def v = capture3({ "A" => "1" }, "echo $A; echo 2 >&2").first(2)
  def w = pipeline_r("echo abc", "tr a-z A-Z") { |out, threads| out.read }
end
p A.new.t, A.new.u, A.new.v, A.new.w
p Open3.private_instance_methods(false).sort - %i(pipeline_run popen_run), A.new.respond_to?(:capture2), Open3.instance_methods(false)
begin; Open3.new; rescue NoMethodError; p $!.class; end
class B; include Etc; def a = getpwent.name; def b = (endpwent; sysconf(SC_ARG_MAX).class); end
p B.new.a, B.new.b
class C; include Zlib; def a = [zlib_version.class, crc_table[1], crc32("a"), crc32_combine(crc32("a"), crc32("b"), 1) == crc32("ab"), adler32_combine(adler32("a"), adler32("b"), 1) == adler32("ab")]; end
p C.new.a, Zlib.crc_table.size
class D; include Digest; def a = hexencode("ab"); end
p D.new.a
class E2; include Signal; def a = [signame(15), list["TERM"]]; end
p E2.new.a
p Coverage.start(oneshot_lines: false), Coverage.running?
Coverage.result
p((Struct.new(:x, :y).dup.new(1, 2).to_a))
S = Struct.new(:x, keyword_init: true) { def z = x }
p S.clone.new(x: 3).z, S.dup.members, S.dup.keyword_init?
