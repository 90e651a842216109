# An object whose `hash` is that of its content and that is `eql?` to it finds the content's entry.
class Box
  def initialize(content) = @content = content
  def hash = @content.hash
  def eql?(other) = @content.eql?(other.is_a?(Box) ? other.content : other)
  attr_reader :content
end
contents = [5, :s, 1.5, [1], nil, true, 2**70, { a: 1 }, -7, 0]
table = contents.each_with_index.to_h
p(contents.map { |content| table[Box.new(content)] })
p(contents.map { |content| { Box.new(content) => 1 }[content] })
p({ "text" => 1, "other" => 2 }[Box.new("text")], { "text" => 1 }.key?(Box.new("texts")))

written = { "a" => 1 }
written[Box.new("a")] = 2
p written
p contents.uniq.size, [Box.new(5), 5].uniq.size, [5, Box.new(5)].uniq.size

require "delegate"
p({ "a" => 1 }[SimpleDelegator.new("a")], { 3 => 1 }[SimpleDelegator.new(3)])
class Silent
  def initialize(content) = @content = content
  def hash = @content.hash
end
p({ 5 => 1, "a" => 2 }[Silent.new(5)], { 5 => 1 }[Silent.new("a")])
