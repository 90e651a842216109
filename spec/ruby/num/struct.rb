# Recorded from MRI 3.1; see the .out beside it.
def t(source)
  shown = begin
    eval(source).inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{source} => #{shown}"
end
S=Struct.new(:a,:b); K=Struct.new(:a,:b,keyword_init: true)
<<'CASES'.each_line(chomp: true) { |line| t(line) }
Struct.new
Struct.new("Foo",:a)
Struct.new("foo")
Struct.new("foo",:a)
Struct.new(1)
Struct.new(:a,:a)
K.inspect
K.keyword_init?
S.keyword_init?
Struct.new(:a,keyword_init: false).keyword_init?
S.new(1)
S.new(1,2,3)
S.new(a: 1,b: 2)
K.new(a: 1)
K.new(1)
K.new(a: 1,c: 2)
K.new({a: 1})
K.new
S[1,2]
S.members
S.new(1,2).members
S.new(1,2).to_a
S.new(1,2).deconstruct
S.new(1,2).to_h
S.new(1,2).to_h{|k,v| [k.to_s,v]}
S.new(1,2).inspect
K.new(a: 1).inspect
Struct.new(:a).new(1).inspect
S.new(1,2)==S.new(1,2)
S.new(1,2).eql?(S.new(1,2.0))
S.new(1,2)==S.new(1,2.0)
S.new(1,2)[0]
S.new(1,2)[:a]
S.new(1,2)["b"]
S.new(1,2)[2]
S.new(1,2)[-3]
S.new(1,2)[:c]
S.new(1,2)["c"]
S.new(1,2)[1.5]
S.new(1,2)[nil]
s=S.new(1,2);s[0]=5;s
s=S.new(1,2);s[:c]=5;s
s=S.new(1,2);s[9]=5;s
s=S.new(1,2).freeze;s.a=1
s=S.new(1,2);s.a=7;s
S.new(1,2).each.to_a
S.new(1,2).each_pair.to_a
S.new(1,2).each{|x| p x}
S.new(1,2).each_pair{|x| p x}
S.new(1,2).each_pair{|k,v| p k}
S.new(1,2).values_at(0,1)
S.new(1,2).values_at(0..1)
S.new(1,2).values_at(3)
S.new(1,2).select(&:odd?)
S.new(1,[5]).dig(:b,0)
S.new(1).dig(:c)
S.new(1,2).size
S.new(1,2).hash==S.new(1,2).hash
S.new(1,2).deconstruct_keys([:a])
S.new(1,2).deconstruct_keys(nil)
S.new(1,2).deconstruct_keys([:a,:c])
S.new(1,2).deconstruct_keys(1)
S.new(1,2).deconstruct_keys([:a,:b,:c])
case S.new(1,2); in [x,y]; [x,y]; end
case S.new(1,2); in {a:}; a; end
s=S.new(1);s.b=s;s
s=S.new(1);s.b=s;s==s
class P3<Struct.new(:x,:y);def dist;x+y;end;end;P3.new(1,2).dist
P3.new(1,2)
P3.ancestors.take(3).map(&:class)
Struct.new(:a){def hi;a;end}.new(3).hi
S.new(1,2).dup
s=S.new([1]);d=s.dup;d.a<<2;s
S.new(1,2).a(1)
S.new(1,2).foo
S.allocate
Struct.new("A b")
Struct.new(:a,"b").members
Struct.new(:a, 1)
Struct.new(:a, foo: 1)
S.new(1,2).filter_map{|x| x}
S.new(1,2).sum
S.new(3,1).sort
S.new(1,2).to_s
S.new(*[1,2]).b
K.new(a: 1, b: 2).to_h
K.new(a: 1)==K.new(a: 1)
S.new(1,2)<=>1
S.method_defined?(:a=)
S.new(1,2).each_with_index.to_a
class Q3<S;end;Q3.new(1).inspect
Q3.members
Q3.new(1)==S.new(1)
Struct.instance_method(:initialize).arity
S.new(1){}
S.instance_method(:a).arity
S.new(1,2).length
K.members
Struct.new(:x,keyword_init: true).new(x: 1).x
S.new(1,2).instance_variables
P4=Struct.new(:a) do; def initialize(a);super(a*2);end;end;P4.new(2)
P5=Struct.new(:a,:b, keyword_init: true) do; def initialize(a:, b: 3);super;end;end;P5.new(a: 2)
Struct.new(:a).name
S.new(1,2).select
S.new(nil,nil).to_a
Struct.new("Foo2").new
Struct::Foo
S.new(1,{b: 2}).to_h
S[a: 1]
S.new(1, b: 2)
CASES
