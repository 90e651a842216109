def t(n = nil); r = yield; puts "#{n}: #{r.inspect}".gsub(/0x\h+/, "0x"); rescue Exception => e; puts "#{n}: #{e.class}: #{e.message}".gsub(/0x\h+/, "0x").lines.first; end
# Module
t(:undef) { Class.new { undef object_id } ; 1 }
t(:undef2) { Class.new { def object_id; end } ; 1 }
t(:undef3) { Class.new { undef_method :__send__ } ; 1 }
t(:undef4) { Class.new { def initialize; end; undef initialize }; 1 }
# Object
# Struct
# Proc
t(:lje) { pr = nil; [1].each { pr = proc { break } }; begin; pr.call; rescue LocalJumpError => e; [e.reason, e.exit_value, e.message]; end }
t(:lje2) { def lj; proc { return 5 }; end; begin; lj.call; rescue LocalJumpError => e; [e.reason, e.exit_value, e.message]; end }
t(:lje3) { def yy; yield; end; begin; yy; rescue LocalJumpError => e; [e.reason, e.exit_value, e.message]; end }
# Range
class DuckRange; def initialize(b, e, x = false) = (@begin, @end, @excl = b, e, x); attr_reader :begin, :end; def exclude_end? = @excl; end
t(:duck) { ["abcd"[DuckRange.new(1, 2)], [1, 2, 3, 4][DuckRange.new(1, 2)], [1, 2, 3][DuckRange.new(-2, -1, true)]] }
t(:duck2) { a = [1, 2, 3]; a[DuckRange.new(0, 1)] = 9; a }
t(:duck3) { s = +"abcd"; s[DuckRange.new(0, 1)] = "Z"; s }
t(:duck4) { [1, 2, 3].values_at(DuckRange.new(0, 1)) }
t(:duck5) { [1, 2, 3].fill(0, DuckRange.new(0, 1)) }
t(:duck6) { "abc".slice!(DuckRange.new(0, 1)) }
t(:last) { class RL < Range; def each; yield 7; end; end; [RL.new(1, 3).last, RL.new(1, 3).last(2), RL.new(1, 3).to_a] }
t(:rt3) { o = Object.new; def o.respond_to?(a, b, c) = false; [[o]].flatten }
t(:private) { o = Object.new; class << o; private def begin = 1; private def end = -1; def exclude_end? = false; end; [1, 2, 3][o] }
t(:part) { o = Object.new; def o.begin = 1; def o.end = 2; [1, 2, 3][o] }
t(:bang) { a = [1, 2, 3, 4]; [a.slice!(DuckRange.new(1, 2)), a] }
t(:bytes) { "abcd".byteslice(DuckRange.new(1, 2)) }
t(:sequence) { "abcd"[(1..2).step(1)] }
