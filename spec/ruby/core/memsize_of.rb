# Sizes of objects, as far as they do not hang on how they grew.
require "objspace"
class Plain
  def initialize(count) = count.times { |number| instance_variable_set("@a#{number}", number) }
end
[1, nil, :a, 1.5, 2**64, 2**200, "", "a" * 23, "a" * 24, "a" * 100, "é" * 50, [], [1, 2, 3], Array.new(10), {}, { a: 1 }, (1..8).to_h { [_1, 1] }, (1..9).to_h { [_1, 1] }, (1..100).to_h { [_1, 1] },
 Plain.new(0), Plain.new(3), Plain.new(4), Struct.new(:a).new, Struct.new(:a, :b, :c, :d).new, 1..2, Object.new].each do |object|
  p ObjectSpace.memsize_of(object)
end
p ObjectSpace.allocation_sourcefile(Object.new), ObjectSpace.allocation_class_path("")
