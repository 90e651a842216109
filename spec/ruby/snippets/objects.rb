require_relative "fixtures/combine"
$VERBOSE = nil
Point = Struct.new(:x, :y) { def dist = x + y }
Key = Struct.new(:a, :b, keyword_init: true)
class Thing
  include Comparable
  attr_accessor :value

  def initialize(value) = @value = value
  def <=>(other) = other.is_a?(Thing) ? value <=> other.value : nil
  def inspect = "thing #{@value.inspect}"
  def to_s = "Thing(#{@value})"
  protected def guarded = 1
  private def hidden(a, b = 2, *c, d:, e: 3, **f, &g) = 1
end
receivers = ['nil', 'true', 'false', 'Object', 'Comparable', 'Point.new(1, 2)', 'Point', 'Key.new(a: 1, b: 2)', 'Thing.new(3)', 'Thing', '1.method(:+)', 'proc { |a, b = 1, *c, d:, &e| a }', '->(a, b: 2) { [a, b] }', ':upcase.to_proc', 'StandardError.new("boom")', 'KeyError.new("k", receiver: {}, key: 1)', '[1, 2].each', 'ObjectSpace', 'Math', 'Thing.new(1).method(:hidden)', '[]', 'Random.new(42)']
calls = %w[to_s.class inspect to_a to_h nil? ! class frozen? respond_to?(:to_s) dup clone.class hash.class instance_variables singleton_methods is_a?(Object) itself.class name arity parameters lambda? owner unbind.class receiver members values size message full_message(highlight:\ false) backtrace cause exception.class to_i to_f to_str to_proc.class curry.class dist x value to_sym & | ^ =~ instance_of?(Object) kind_of?(Comparable) superclass ancestors.first instance_methods(false) constants.size public_methods(false).class singleton_class.inspect guarded hidden foo Foo new allocate rand(10) bytes(2) seed next peek source_location.class original_name super_method.inspect call(1) key result attach allocate.class detailed_message instance_methods.include?(:guarded) private_instance_methods(false) tap then deconstruct each.next rewind.class method_defined?(:hidden) const_get(:Foo) clamp(1,2)]
calls.map! { |call| call.gsub("\\ ", " ") }
calls += Combine.with(%w[== <=> === & =~ [] send public_send instance_variable_get const_get is_a? call respond_to? method_defined?], [':x', '1', 'nil', '"y"', ':hidden', ':@z', '0, 1', 'Kernel', ''])
calls += ['value = 5', 'x = 9', 'instance_eval { self.class }', 'instance_exec(1) { |a| a }', 'tap { }.class', 'then { 1 }', '> Thing.new(1)', 'between?(Thing.new(1), Thing.new(5))', 'clamp(Thing.new(4), Thing.new(9))', '== Thing.new(3)', 'to_a.sum', 'each.to_a', 'to_h { |k, v| [k.to_s, v] }', 'call(1, 2, d: 3)', 'call(1, b: 3)', 'call', 'call(1, c: 2)', '(1)', '>> :to_s.to_proc', '<< :to_s.to_proc', 'foo = 1', 'instance_variable_set(:bad, 1)', 'deconstruct_keys([:x])', 'each_pair.to_a', 'values_at(0)', 'send(:initialize)', 'public_send(:hidden)', 'singleton_method(:q)', 'instance_method(:nope)', 'new(1, 2, 3)', 'new(1, 2)', 'new(a: 1, z: 2)', 'freeze.frozen?', 'display', 'method(:nope)', 'method(:inspect).owner', 'define_method(:zip) { }', 'class_eval { 1 }', 'remove_const(:X)', 'instance_variable_get("bad name")', 'undef_method(:nope)', 'remove_method(:nope)', 'alias_method(:p, :nope)', 'attr_accessor("a b")', 'const_set("lower", 1)', 'const_get("a::b")', 'include(1)', 'extend(Object)']
calls.reject! { |call| call =~ /\A(display|extend|fetch|dig|new\(\)|allocate\z)/ }
Combine.each(receivers, calls.reject { |call| %w[freeze.frozen?].include?(call) })
