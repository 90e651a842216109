class A
  X = 1
  def initialize = @a = 5
  def m(q) = q
  def n
    y = 1
    method(:m).to_proc
  end
end
b = A.new.n.binding
p b.receiver.class, b.local_variables, b.source_location, b.eval("@a"), b.eval("self.class"), b.eval("z = 3; z + 1"), b.local_variables
b = "x".method(:upcase).to_proc.binding
p b.receiver, b.source_location, b.eval("upcase"), b.local_variables
p [1, 2].method(:push).to_proc.binding.receiver
def top_level = 1
p method(:top_level).to_proc.binding.receiver.equal?(self), method(:top_level).to_proc.binding.source_location
p (:upcase.to_proc.binding rescue $!)
p (method(:puts).unbind.bind(self).to_proc.binding.receiver.equal?(self))
