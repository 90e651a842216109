# Frames of blocks that define_method made methods keep the label of the block's place.
class Made
  define_method(:direct) { caller_locations(0, 1).map { |l| [l.label, l.base_label] } }
  define_method(:inner) { [1].map { caller_locations(0, 1).first.label } }
  define_method(:name) { __method__ }
  define_method(:with_lambda, &->() { caller_locations(0, 1).first.label })
  define_method(:of_method, instance_method(:direct))
  define_method(:fails) { raise "x" }
  def self.make(name, &block) = define_method(name, &block)
  make(:passed) { caller_locations(0, 1).first.label }
  class_eval("define_method(:evaluated) { caller_locations(0, 1).first.label }", "f.rb", 1)
end
m = Made.new
p m.direct, m.inner, m.name, m.with_lambda, m.of_method, m.passed, m.evaluated
def outer
  Made.class_eval { define_method(:from_method) { caller_locations(0, 1).first.label } }
end
outer
p m.from_method
m.define_singleton_method(:single) { caller_locations(0, 1).first.label }
p m.single
kept = proc { caller_locations(0, 1).first.label }
Made.define_method(:kept, &kept)
p m.kept, kept.call
begin
  m.fails
rescue => e
  puts e.backtrace.map { |line| line[/in .*/] }
end
