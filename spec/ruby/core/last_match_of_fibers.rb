# The block of a fiber or thread has its own `$~`; a block that it calls shares its method's.
def in_fiber
  "a" =~ /a/
  Fiber.new { p $~; "b" =~ /b/; [1].each { p $~ }; p $~ }.resume
  p $~
end
in_fiber
def in_thread
  "c" =~ /c/
  Thread.new { p $~; "d" =~ /d/; p $~ }.join
  p $~
  [1].each { "e" =~ /e/ }
  p $~
end
in_thread

# Procs of one block as keys.
table = {}
30_000.times { |number| table[proc { number }] = number }
p table.size, table.keys.last.call

# Copies of singleton classes have the methods of the singleton classes of these.
one = Object.new
one.singleton_class.define_singleton_method(:deep) { :deep }
p one.clone.singleton_class.deep
[-> { BasicObject.dup }, -> { one.singleton_class.dup }, -> { Class.new.send(:initialize_copy, Class.new) }].each do |copy|
  copy.call
rescue TypeError => error
  puts error.message
end
p Enumerator::Chain.instance_methods & %i(next peek feed)
p [1].each.freeze.next
begin
  raise 1, 2, 3, 4
rescue ArgumentError => error
  puts error.message
end
class << (named = Class.new)
  def to_s = "Named"
end
[-> { 1 < named.new }, -> { [].first(named.new) }].each do |call|
  call.call
rescue ArgumentError, TypeError => error
  puts error.message
end
