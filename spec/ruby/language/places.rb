# Code where the grammar allows it but the place does not, and what `defined?` and constants say of their place.
def t(code)
  p eval(code)
rescue SyntaxError, StandardError => e
  puts "#{e.class}: #{e.message.lines.first.chomp}"
end
t "-> { yield }.lambda?"
t "1.times { yield }"
t "yield"
t "class Zq; yield; end"
t "class Zq; define_method(:a) { yield }; end"
t "module Zr; yield; end"
t "class << self; yield; end"
t "def a; class << self; yield; end; end"
t "class Zs; def a; yield; end; end"
t "BEGIN { yield }"
def within = eval("[1].each { yield }; class Zt; yield; end")
t "within { p :called }"
def inside = eval("yield")
t "inside { :called }"

p defined?(A::B += 1), defined?(A::B ||= 1), defined?(A::B &&= 1), defined?(A += 1), defined?(a += 1), defined?(A::B = 1)

class Bare < BasicObject
  def self.kernel = defined?(Kernel)
  def bare = BasicObject
  def string = String
  def top = ::String
end
p Bare.kernel, Bare.new.bare, Bare.new.top, BasicObject::BasicObject, BasicObject.constants(false), Bare.const_defined?(:Kernel)
begin
  Bare.new.string
rescue NameError => e
  puts e.message.lines.first
end
p Comparable.const_defined?(:String), Class.new.const_get(:String), Module.new.const_get(:String)
begin
  Bare.const_get(:String)
rescue NameError => e
  puts e.message.lines.first
end
