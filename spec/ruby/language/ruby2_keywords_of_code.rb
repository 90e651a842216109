obj = Object.new
obj.singleton_class.class_exec do
  def foo(*a) a.last end
  alias_method :bar, :foo
  ruby2_keywords :foo
  def baz(*a) a.last end
  ruby2_keywords :baz
  alias_method :bob, :baz
end
[:foo, :bar, :baz, :bob].each { |m| p Hash.ruby2_keywords_hash?(obj.send(m, 1, a: "a")) }
# the same code, evaluated again
made = Array.new(2) do |i|
  Class.new do
    def m(*a) = a.last
    ruby2_keywords :m if i.zero?
  end
end
p made.map { |c| Hash.ruby2_keywords_hash?(c.new.m(a: 1)) }
# a Proc that is a method, too
pr = proc { |*a| a.last }
c = Class.new { define_method(:m, pr); ruby2_keywords :m }
p Hash.ruby2_keywords_hash?(c.new.m(a: 1)), Hash.ruby2_keywords_hash?(pr.call(a: 1)), Hash.ruby2_keywords_hash?(pr.dup.call(a: 1))
l = lambda { |*a| a.last }
l.ruby2_keywords
c = Class.new { define_method(:m, &l) }
p Hash.ruby2_keywords_hash?(c.new.m(a: 1)), Hash.ruby2_keywords_hash?(l.(a: 1)), Hash.ruby2_keywords_hash?([1].map { l.call(a: 1) }[0])
def y(*a) = yield(*a)
p Hash.ruby2_keywords_hash?(y(1, &pr))  rescue p $!
module M; def self.included(b) = b.define_method(:z, instance_method(:z)); def z(*a) = a.last; end
class D; include M; ruby2_keywords :z; end
p Hash.ruby2_keywords_hash?(D.new.z(a: 1)), Hash.ruby2_keywords_hash?(Class.new { include M }.new.z(a: 1))
p M.clone.instance_method(:z).bind_call(Class.new { include M }.new, a: 1) rescue p $!.class
proc { |a, k: 1| }.ruby2_keywords
Class.new { def q(a) = 1; ruby2_keywords :q }
