# What Marshal refuses, what is lost of no exception, and singleton classes with prepended modules.
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
class S; def marshal_dump = S.new; end
t { Marshal.dump(S.new) }
class C2; def initialize(a) = @a = a; def _dump(_) = (@a.clear; "foo"); end
t { a = []; a << C2.new(a) << nil; Marshal.dump(a) }
class A; attr_accessor :x, :y; end
class B; def initialize(a, add) = (@a, @add = a, add); def marshal_dump = (@add ? @a.y = 1 : @a.remove_instance_variable(:@y); 1); end
t { a = A.new; a.x = B.new(a, true); Marshal.dump(a) }
t { a = A.new; a.x = B.new(a, false); a.y = 2; Marshal.dump(a) }
class L; def initialize(d) = @d = d; def marshal_dump = @d; def marshal_load(d) = @d = d; end
t { s = +"iv"; s.instance_variable_set(:@t, 42); Marshal.load(Marshal.dump(L.new(s))).instance_variables }
class LF < L; def marshal_load(d) = (super; freeze); end
t { s = +"iv"; s.instance_variable_set(:@t, 42); Marshal.load(Marshal.dump(LF.new(s))) rescue p $!.class }
module M; end; module N; end
t { o = Object.new; o.singleton_class.prepend(M); o.extend(N); Marshal.dump(o) }
t { o = A.new; o.singleton_class.prepend(M); o.singleton_class.prepend(N); x = Marshal.load(Marshal.dump(o)); x.singleton_class.ancestors.map(&:to_s).map { _1.sub(/#<Class:.*/, "sc") }.first(5) }
t { Marshal.load("\x04\bIc\x06A\x06:\x07@ivI\"\x06b\x06:\x06ET") }
t { Marshal.load("\x04\bIm\x06M\x06:\x07@ivI\"\x06b\x06:\x06ET") }
t { Marshal.load(Marshal.dump(ArgumentError)) }
t { Marshal.load("\x04\bo:\x06A\x06:\x06Ei\x06").instance_variables }
begin
  case {b: 1}; in {a:}; end
rescue NoMatchingPatternKeyError => e
  p Marshal.load(Marshal.dump(e)).then { |l| [l.key, l.matchee] }
end
[["nosuch"], ["nil.foo(1)"], ["{}.fetch(:a)"], ["[].freeze << 1"], ["exit 3"], ["throw :zz"], ["[].each.next"], ["require 'nnn'"], ["raise SystemCallError.new('x', 2)"], ["raise Interrupt"], ["raise 'x' rescue raise 'c'"],["raise SignalException, 'TERM'"]].each do |(c)|
  begin
    eval("begin; #{c}; rescue Exception; raise; end")
  rescue Exception => e
    l = Marshal.load(Marshal.dump(e))
    puts "#{c}: #{l.class} #{l.message.lines.first.chomp.inspect} #{l.cause.inspect}"
    %i[name args key receiver status tag value result path errno signo private_call?].each { |m| puts "  #{m} #{(l.send(m) rescue $!.class).inspect}" if l.respond_to?(m) }
  end
end
