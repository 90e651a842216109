# Counting the branches of `&.` leaves what a literal `self` may call: private methods and attributes.
require "coverage"
require "tmpdir"
path = "#{Dir.tmpdir}/coverage_private_target.rb"
File.write(path, DATA.read)
Coverage.start(branches: true)
load path
puts Coverage.result[path][:branches]
File.write(path, "x = 1\nif x == 0\n  1\n" + (1..1000).map { |number| "elsif x == #{number + 1}\n  #{number}\n" }.join + "else\n  3\nend\n")
Coverage.start(branches: true)
load path
found = Coverage.result[path][:branches].to_a
p found.size, found.first, found[500], found.last
File.delete(path)
__END__
class Guarded
  attr_accessor :w
  private :w, :w=
  def read = self&.w
  def write = self&.w = 4
  def change = self&.w ||= 5
  def add = self&.w += 1
  private def asked(*) = block_given? ? yield : 8
  def call = [self&.asked, self&.asked(1), self&.asked { 3 }, (self)&.frozen?]
end
x = Guarded.new
p x.read, x.write, x.change, x.add, x.call
