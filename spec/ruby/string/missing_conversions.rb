class A; def method_missing(n,*a); $seen << n; n == :to_str ? "x" : super; end; end
$seen=[]
p("a"+A.new); p $seen
$seen=[]; puts [A.new].flatten.size; p $seen
$seen=[]; a,b=A.new; p $seen
$seen=[]; [[A.new]].each{|(x,y)| }; p $seen
class B < BasicObject; def method_missing(n,*a); ::Kernel.puts n; "zz"; end; end
p("%s" % [B.new])
class C; def respond_to?(*) = true; end
begin; "a"+C.new; rescue => e; p e; end
p [[C.new]].flatten.size
