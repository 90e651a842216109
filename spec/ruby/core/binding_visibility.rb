# What a String evaluated in a Binding defines has the visibility of the place of the Binding: public where it is of a method.
def self.taken = binding
taken.eval("def first; end")
p self.class.public_method_defined?(:first)
class Holder
  def taken = binding
  def in_block = [1].map { binding }.first
  private
  PLACE = binding
end
Holder.new.taken.eval("def second; end")
Holder.new.in_block.eval("def third; end")
Holder::PLACE.eval("def fourth; end")
p Holder.public_method_defined?(:second), Holder.public_method_defined?(:third), Holder.private_method_defined?(:fourth)
TOPLEVEL_BINDING.eval("def fifth; end")
def evaluates = eval("def sixth; end")
evaluates
p Object.private_method_defined?(:fifth), Object.private_method_defined?(:sixth)
eval("def seventh; end", taken)
p self.class.public_method_defined?(:seventh)
