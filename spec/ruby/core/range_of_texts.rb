# Ranges whose ends convert to Strings, and inclusion where an end is missing.
require "delegate"
p ("9".."10").to_a, (SimpleDelegator.new("9").."10").to_a, ("9"..SimpleDelegator.new("10")).to_a, (SimpleDelegator.new("9")..).first(2)
text = Object.new
class << text
  def to_str = "a"
  def <=>(other) = to_str <=> other
end
p (text.."c").to_a, (text..).first(3)
def told
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end
told { ("a"..).include?("c") }
told { ("b"..).include?("a") }
told { (.."c").include?("b") }
told { ("a"..).include?(5) }
told { (nil..Object.new).include?(1) }
told { (nil..nil).include?(1) }
told { (:a..).include?(:c) }
told { (..:c).include?(:b) }
# A protected method of one object is called by that object alone.
other = Object.new
class << other
  protected def inner = 1
  public def outer(one) = one.inner
end
told { other.outer(other) }
begin
  other.inner
rescue NoMethodError => e
  puts e.message[/\Aprotected method `inner'/]
end
told { { a: 1 }.fetch("long" * 20) }
told { { a: 1 }.fetch("long" * 15) }
told { { a: 1 }.fetch_values("é" * 70) }
