require "optparse/ac"; require "optparse/kwargs"
o=OptionParser::AC.new; r=[]
o.ac_arg_enable("foo","foo option"){|x| r << [:foo,x]}; o.ac_arg_disable("bar","bar opt"){|x| r << [:bar,x]}; o.ac_arg_with("baz","baz o"){|x| r << [:baz,x]}
puts o.help
%w[--enable-foo --disable-foo --enable-foo=x --enable-bar --disable-bar --with-baz=1 --with-baz --without-baz --disable-foo=2 --without-baz=1].each{|a| begin; o.parse([a]); rescue => e; r << e.message; end}
p r
begin; o.ac_arg_enable("a b","x"){}; rescue => e; p e; end
begin; o.ac_arg_enable("ab","x"); rescue => e; p e; end
class K; def initialize(a: 1, b: "x", c:); end; end
op=OptionParser.new; p op.define_by_keywords({},K.instance_method(:initialize)); puts op.help
h={}; op=OptionParser.new; op.define_by_keywords(h,K.instance_method(:initialize), a: Integer); op.parse(%w[--a=5 --b=q]); p h
