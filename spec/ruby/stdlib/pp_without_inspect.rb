# An object whose `inspect` is undefined is shown with its variables; where method_missing answers, by its answer.
require "pp"
class Bare; undef_method :inspect; end
class Kept
  undef_method :inspect
  def initialize = @a = 1
end
class Answering
  undef_method :inspect
  def respond_to_missing?(name, all) = name == :inspect
  def method_missing(name, *) = name == :inspect ? "answered" : super
end
class Silent
  undef_method :inspect
  def method_missing(*) = "no"
end
[Bare, Kept, Answering, Silent, Object].each { |of| puts of.new.pretty_inspect.gsub(/0x\h+/, "0x") }
puts [Kept.new, Bare.new].pretty_inspect.gsub(/0x\h+/, "0x")
