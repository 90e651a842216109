require_relative "fixtures/lines"
require "forwardable"; require "singleton"; require "observer"; require "tsort"; require "weakref"; require "abbrev"
class Fo; extend Forwardable; def_delegators :@a, :push, :size, :[], :each, :"<<", :map; def_delegator :@a, :first, :head; def_delegator :itself, :class, :kind; def_delegator "Fo", :name, :nm; delegate [:last] => :@a, %i[empty? any?] => :@a; def_instance_delegator :@h, :fetch; instance_delegate join: :@a; include Enumerable; def initialize; @a = []; @h = { a: 1 }; end; end
class Bad; extend Forwardable; def_delegators :@none, :foo; def_delegator :missing, :x; def_delegators :@a, :__send__, :__id__; end
class Si; include Singleton; attr_accessor :v; end
class Si2 < Si; end
class Ob; include Observable; end
class Wa; def initialize(l) = @l = l; def update(*a) = (@l << a; nil); def on(*a) = (@l << [:on, *a]); end
class Dep < Hash; include TSort; def tsort_each_node(&b) = each_key(&b); def tsort_each_child(n, &b) = fetch(n) { [] }.each(&b); end
each_line_of(<<'CODE')
$f = Fo.new
$f.push(3, 1)
$f << 2
$f.size
$f[0]
$f.head
$f.head(2)
$f.kind
$f.nm
$f.last
$f.empty?
$f.any?
$f.map { |x| x + 1 }
$f.sort
$f.include?(3)
$f.fetch(:a)
$f.fetch(:b)
$f.fetch(:b) { 9 }
$f.fetch(:b, 8)
$f.join("-")
$f.size(1)
$f.method(:size).arity
Fo.instance_methods(false).sort
Bad.new.x
class Fo; def_delegator :@a, :sort, :sorted; end
class Fo; def_delegators; end
class Fo; def_delegator :@a; end
class Fo; p def_delegator(:@a, :min); end
class Fo; p def_delegators(:@a, :min, :max); end
class Fo; p delegate(min: :@a); end
$f.sorted
$m = Object.new.extend(SingleForwardable)
$m.def_delegator :"[1, 2]", :size
$m.size
$m.def_delegators :"'abc'", :upcase, :length
$m.upcase
$m.single_delegate reverse: :"'abc'"
$m.reverse
$m.def_single_delegator :$f, :head, :hd
$m.hd
module Md; extend SingleForwardable; def_delegator :Math, :sqrt; end
Md.sqrt(4)
Forwardable::VERSION
Forwardable.debug
Si.instance.equal?(Si.instance)
Si.new
Si.allocate
Si.instance.dup
Si.instance.clone
Si2.instance.equal?(Si.instance)
Si2.instance.class
Si.instance.v = 5
Si.instance.v
Marshal.load(Marshal.dump(Si.instance)).equal?(Si.instance)
Si._load("").equal?(Si.instance)
Si.instance._dump
Si.clone.instance.class.equal?(Si)
Class.new(Si).instance.class.superclass
Si.singleton_methods.sort
Si.respond_to?(:instance)
Module.new { include Singleton }
$l = []
$ob = Ob.new
$ob.count_observers
$ob.add_observer(Wa.new($l))
$ob.add_observer($w = Wa.new($l), :on)
$ob.add_observer(3)
$ob.add_observer($w, :nope)
$ob.changed?
$ob.notify_observers(1)
$l
$ob.changed
$ob.changed?
$ob.notify_observers(1, 2)
$l
$ob.changed?
$ob.changed(false)
$ob.delete_observer($w)
$ob.delete_observer(:unknown)
$ob.count_observers
$ob.delete_observers
$ob.count_observers
Ob.new.delete_observer(1)
Ob.new.notify_observers
Ob.new.changed?
Observable::VERSION
Dep[1, [2, 3], 2, [3], 3, [], 4, [1]].tsort
Dep[1, [2], 2, [1]].tsort
Dep[1, [2], 2, [1], 3, [3]].strongly_connected_components
Dep["a", ["b"], "b", ["a"]].tsort
Dep[1, [9]].tsort
Dep[].tsort
Dep[1, [2], 2, []].tsort_each.to_a
Dep[1, [2], 2, []].tsort_each { |x| print x }
Dep[1, [2], 2, [1]].each_strongly_connected_component.to_a
Dep[1, [2], 2, [1]].each_strongly_connected_component_from(1).to_a
TSort.tsort(->(&b) { { 1 => [2], 2 => [] }.each_key(&b) }, ->(n, &b) { { 1 => [2], 2 => [] }[n].each(&b) })
TSort.tsort_each(->(&b) { [1].each(&b) }, ->(n, &b) { [].each(&b) }).class
TSort.strongly_connected_components(->(&b) { [1, 2].each(&b) }, ->(n, &b) { [3 - n].each(&b) })
TSort.each_strongly_connected_component(->(&b) { [1, 2].each(&b) }, ->(n, &b) { [].each(&b) }).to_a
TSort.each_strongly_connected_component_from(1, ->(n, &b) { (n < 3 ? [n + 1] : []).each(&b) }).to_a
TSort::Cyclic.superclass
Object.new.extend(TSort).tsort
Object.new.extend(TSort).tsort_each_child(1)
$r = WeakRef.new($str = +"abc")
$r.upcase
$r.weakref_alive?
$r.__getobj__
$r.class
$r.is_a?(WeakRef)
$r == "abc"
$r.inspect
$r << "d"
$str
WeakRef.new(nil)
WeakRef.new(1)
WeakRef.new
WeakRef::RefError.superclass
WeakRef.superclass
WeakRef::VERSION
%w[car cone].abbrev
Abbrev.abbrev(%w[rain rock], "ra")
%w[fast boat].abbrev(/^.o/)
CODE
