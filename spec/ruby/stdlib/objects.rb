require "delegate"; require "observer"; require "tsort"; require "weakref"; require "English"; require "ostruct"; require "forwardable"; require "singleton"; require "benchmark"
def t; yield; rescue Exception => e; "#{e.class}: #{e.message.sub(/0x\h+/, "0x")}"; end
d = SimpleDelegator.new([3, 1]); p d, d.sort, d == [3, 1], d.class, d.is_a?(Array), d.respond_to?(:push), d.size, d.__getobj__.equal?(d.__getobj__), d.inspect, d.to_s, d != [3], !d, d.eql?(d), d.methods.include?(:push), t { d.nope }, d.frozen?, d.dup << 1, d.hash == [3, 1].hash
d.__setobj__("str"); p d.upcase, d =~ /t/, d === "str", d.instance_of?(SimpleDelegator), t { d.__setobj__(d) }
class Wrap < SimpleDelegator; def size = super * 10; def own = "own"; end
w = Wrap.new([1]); p w.size, w.own, w.first, w.map { |x| x + 1 }, w.tap { }.equal?(w), w.send(:own), w.public_send(:last), Wrap.superclass, Wrap.new({ a: 1 }).fetch(:a)
class TF < DelegateClass(Array); def initialize = super([]); def add(x) = (push(x); self); end
f = TF.new.add(1); p f, f.length, TF.instance_methods.include?(:push), TF.public_instance_method(:push).class, f.respond_to?(:each), TF.superclass.superclass, f.to_a, [0] + f
p t { SimpleDelegator.allocate.foo }, t { Class.new(Delegator).new(1) }
class Tick; include Observable; def go(x) = (changed; notify_observers(x, 2)); end
class Obs; def update(*a) = p(a); def other(*a) = p([:o, a]); end
tk = Tick.new; ob = Obs.new; tk.add_observer(ob); tk.go(1); p tk.count_observers, tk.changed?; tk.add_observer(Obs.new, :other); tk.go(5); tk.delete_observer(ob); tk.go(6); tk.delete_observers; tk.go(7); p tk.count_observers, t { tk.add_observer(Object.new) }.lines.first
class H2 < Hash; include TSort; alias tsort_each_node each_key; def tsort_each_child(n, &b) = fetch(n).each(&b); end
p H2.new.merge!(1 => [2, 3], 2 => [3], 3 => [], 4 => []).tsort, H2.new.merge!(1 => [2], 2 => [1]).strongly_connected_components, t { H2.new.merge!(1 => [2], 2 => [1]).tsort }, TSort.tsort(->(&b) { [1, 2].each(&b) }, ->(n, &b) { (n == 1 ? [2] : []).each(&b) }), H2.new.merge!(1 => [2], 2 => []).each_strongly_connected_component_from(1).to_a, H2.new.merge!(1 => []).tsort_each.class
r = WeakRef.new("abc"); p r.size, r.weakref_alive?, r.class, r == "abc", WeakRef::RefError.superclass
"foobar" =~ /o(b)/; p $MATCH, $PREMATCH, $POSTMATCH, $LAST_PAREN_MATCH, $LAST_MATCH_INFO[1], $PID == $$, $PROGRAM_NAME == $0, $ERROR_INFO, $ARGV.equal?(ARGV), $CHILD_STATUS, $INPUT_RECORD_SEPARATOR, $FIELD_SEPARATOR, $DEFAULT_OUTPUT == $stdout
o = OpenStruct.new(name: "x", "age" => 2); p o, o.name, o.age, o[:name], o["age"], o.missing, o.respond_to?(:name), o.respond_to?(:zip), o.to_h, o.dig(:name), o == OpenStruct.new(name: "x", age: 2), o.eql?(o.dup), o.each_pair.to_a, o.delete_field(:age), o, t { o.delete_field(:zz) }.lines.first, o.delete_field(:zz) { 9 }
o.list = [1]; o[:k] = 2; p o.list, o.k, o.to_h { |k, v| [k.to_s, v] }, o.methods(false).sort, t { o.foo(1) }.lines.first.chomp, OpenStruct.new.inspect, OpenStruct.new(method: 2)[:method]; o.freeze; p t { o.z = 1 }
i = OpenStruct.new; i.me = i; p i; p t { OpenStruct.new(1) }.lines.first, OpenStruct.new(a: { b: [1, 2] }).dig(:a, :b, 0), t { o.dig(1) }, o.instance_of?(OpenStruct), OpenStruct.new(a: 1).hash == OpenStruct.new(a: 1).hash
class Q; extend Forwardable; def_delegator :@a, :push, :enq; def_delegators :@a, :size, :first, :<<; def_delegator "self.class", :name, :cname; instance_delegate %i[last empty?] => :@a; delegate [:length, :map] => :@a; def_delegator :helper, :upcase; def initialize = @a = []; private def helper = "h"; end
q = Q.new; q.enq(1); q << 2; p q.size, q.first, q.last, q.empty?, q.length, q.map { _1 * 2 }, q.cname, q.upcase, Q.instance_method(:enq).arity
s = Object.new.extend(SingleForwardable); s.def_delegator "[1,2]", :size, :n; s.def_delegators :"'x'", :upcase; s.single_delegate [:first, :last] => "[7,8]"; p s.n, s.upcase, s.first, s.last
class Sing; include Singleton; attr_accessor :v; end
class Sub < Sing; end
p Sing.instance.equal?(Sing.instance), t { Sing.new }, t { Sing.instance.dup }, t { Sing.instance.clone }, Sub.instance.class, Sub.instance.equal?(Sing.instance), Sing.respond_to?(:new), t { Sing.allocate }, Marshal.load(Marshal.dump(Sing.instance)).equal?(Sing.instance)
tms = Benchmark.measure { 1 + 1 }; p tms.class, tms.real.class, tms.utime >= 0, Benchmark.realtime { }.class, tms.to_a.size, tms.format("%n").class, Benchmark::CAPTION, Benchmark::FORMAT, Benchmark::Tms.new(1, 2, 3, 4, 5, "l").format("%u %y %t %r %n"), (Benchmark::Tms.new(1, 2, 3, 4, 5) + 1).to_a, Benchmark::Tms.new(1, 2, 3, 4, 5).to_s
