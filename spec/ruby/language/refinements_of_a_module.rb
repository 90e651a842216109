# Methods of a refinement see all refinements of its module, also those that come later.
module Blank
  refine ::Object do
    def blank? = respond_to?(:empty?) ? !!empty? : !self
    def presence = (self unless blank?)
  end
  refine(::String) { def blank? = /\A[[:space:]]*\z/ === self }
end
using Blank
p " ".blank?, " ".presence, "a".presence

module Count
  refine(Integer) { def foo = 1 }
end
using Count
module Outer
  refine(String) { def bar = 1.foo }
end
using Outer
p "".bar

module Several
  refine(Array) do
    def one = 5.five
    def in_block = [1].map { |x| x.five }
    def by_symbol = [1].map(&:five)
    def in_proc = proc { 6.five }
  end
  refine(Integer) do
    def five = "five"
    def back = [].one
  end
  refine(Array) { def again = 7.five }
end
using Several
p [].one, [].in_block, [].by_symbol, [].in_proc.call, [].again, 5.back
