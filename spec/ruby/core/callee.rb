# __method__ and __callee__: the name of the definition, and the one that was called.
class A
  def a; [__method__, __callee__, caller(0)[0][/`.*/]] end
  alias b a
  alias c b
  alias_method :d, :c
  define_method(:e) { [__method__, __callee__, [1].map { __callee__ }] }
  alias f e
  def g = [1].map { [__method__, __callee__] }
  alias h g
  def self.s = __callee__
  class << self; alias t s; end
  def i; raise "x" rescue [__callee__, __method__] end
  alias j i
  def o = [__callee__, binding.eval("__callee__"), eval("__callee__")]
  alias p o
  private def q = __callee__
  public
  alias r q
  def u = r
end
x = A.new
%i[a b c d e f g h i j o p].each { |m| p [m, x.send(m)] }
p A.s, A.t, x.u
class B < A
  alias bb a
  def a = [super, __callee__]
  alias cc a
end
p B.new.bb, B.new.cc, B.new.a
p __callee__
module M
  def mm = __callee__
  module_function :mm
  alias nn mm
end
p M.mm
p x.method(:b).call, x.method(:b).unbind.bind(x).call, x.method(:b).to_proc.call
