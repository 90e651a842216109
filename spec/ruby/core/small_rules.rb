# Rules of core classes that MRI's own tests check.
a = Class.new
a.class_eval("@@a = 'A'; def a=(x); @@a = x; end
def a = @@a")
b = a.dup
b.new.a = 'B'
class K; @@v = 1; def v = @@v; def v=(x); @@v = x; end; end
L = K.dup
L.new.v = 2
S = Struct.new(:a)
b = lambda {|x, y, &blk| blk.call(x + y) }.curry
$VERBOSE = true
b = b.call(2) { raise }
$VERBOSE = false
p b.call(3) { |x| x + 4 }
begin; ->(a, b=42){}.curry(3); rescue ArgumentError; p $!.message; end
begin; ->(a, b=42, *c){}.curry(3); p :ok; rescue ArgumentError; p $!.message; end
begin; ->(a, b=42, *c){}.curry(0); p :ok; rescue ArgumentError; p $!.message; end
def aa(arg, kw)
  yield arg
  yield arg, **kw
  yield arg, kw
end
arr = []
aa([1,2,3], {}) { |arg1, arg2=0| arr << [arg1, arg2] }
p arr
arr = []
aa([1,2,3], a: 1) { |arg1, arg2=0| arr << [arg1, arg2] }
p arr
arr = []
aa([1,2,3], {}) { |arg1, *r| arr << [arg1, r] }
p arr
arr = []
aa([1,2,3], {}) { |arg1, (b,c)| arr << [arg1, b] }
p arr
pr = proc { |a, b| [a, b] }
p pr.call([1,2], **{}), pr.([1, 2]), pr.yield([1,2], **{})
r = eval("1..2")
begin; r.instance_eval { initialize 3, 4 }; rescue => e; p e.class, e.message; end
begin; r.instance_eval { initialize_copy 3..4 }; rescue => e; p e.class, e.message; end
r = Range.allocate
begin; r.instance_eval { initialize 5, 6}; p r; rescue => e; p e.class; end
begin; (Rational(-1,2)..Rational(9,4)).bsearch; rescue => e; p e.class, e.message; end
t = Time.utc(2000)
begin; Object.new.instance_eval { method_missing }; rescue => e; p e.class, e.message; end
begin; 1.instance_eval { method_missing("x") }; rescue => e; p e.class, e.message; end
o = Object.new.freeze
begin; o.instance_eval { initialize_copy(Object.new) }; rescue => e; p e.class, e.message.sub(/0x\h+/,""); end
begin; Object.new.clone(freeze: Object.new); rescue => e; p e.class, e.message.sub(/0x\h+/,""); end
begin; Object.new.clone(freeze: 1); rescue => e; p e.class, e.message; end
p (self.singleton_class.private_instance_methods(false)).sort.first(10)
m = Module.new { def x = 1 }
begin; m.send(:initialize_copy, Module.new); rescue => e; p e.class, e.message; end
begin; Class.new { }.send(:initialize_copy, Class.new); rescue => e; p e.class, e.message; end
p [1, ["\u3042"]].join.encoding, [[]].join.encoding, [1,[""]].join.encoding, ["", 1].join.encoding, [1].join.encoding, [:a, 1].join.encoding, [1, "é"].join.encoding, [[], "", nil].join.encoding
begin; break_it = eval("class C; break; end"); rescue SyntaxError; puts $!.message; end
begin; eval("class C; next; end"); rescue SyntaxError; puts $!.message; end
begin; eval("class C; redo; end"); rescue SyntaxError; puts $!.message; end
class Object; alias_method :oid2, :object_id; end
p Process.times.members, Process.times.class
p Struct.new(:a, {}).members
[[:a, { x: 1 }], [{}], [{}, :a], [:a, {}, {}]].each do |names|
  Struct.new(*names)
rescue ArgumentError, TypeError => e
  p e
end
p Struct.new(:a, { keyword_init: true }).new(a: 1)
