# Regexp asks any object, a String too, for to_regexp; blocks that `each` has kept go on when they are called late; `super` finds refinements of ancestors;
# delegators hand arguments on; a GzipReader goes back by `seek`.
class String
  def to_regexp = Regexp.new("from " + self)
end
p Regexp.try_convert("foo"), Regexp.union("dogs", /cats/i), Regexp.union("dogs")
class String
  remove_method :to_regexp
end

class Kept
  include Enumerable
  def each(&block)
    $late = block
    self
  end
end
%i[each_slice each_cons].each do |method|
  out = []
  Kept.new.public_send(method, 2) { |values| out << values }
  5.times { |number| $late.call(number) }
  p out
end
%i[each_with_index each_entry each_with_object].each do |method|
  out = []
  Kept.new.public_send(method, *(method == :each_with_object ? [[]] : [])) { |*values| out << values }
  3.times { |number| $late.call(number) }
  p out
end

module Refined
  refine(Object) { def called = "object" }
  refine(Module) { def called = "module>" + super }
  refine(Class) { def called = "class>" + super }
end
using Refined
p Kernel.called, String.called, 1.called

require "delegate"
class Target
  def inspect(*args) = "T#{args.inspect}"
  def to_s(*args) = "S#{args.inspect}"
end
shown = SimpleDelegator.new(Target.new)
p shown.inspect(1), shown.to_s(2), shown.inspect(a: 1)
p shown

require "zlib"
require "stringio"
class Source
  def initialize(text) = @io = StringIO.new(text)
  def read(*args) = @io.read(*args)
  def seek(by, whence) = (@io.seek(by, whence); p whence)
end
reader = Zlib::GzipReader.new(Source.new(Zlib.gzip("hello\nworld\n")))
p reader.read, reader.rewind, reader.gets
