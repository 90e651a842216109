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
