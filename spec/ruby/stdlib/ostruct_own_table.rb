# What a subclass puts into the table itself has no methods: `respond_to?` knows those that are defined.
require "ostruct"
class Properties < OpenStruct
  def add(name, value)
    @table[name] = value
    return if respond_to?(name)
    define_singleton_method(name) { @table[name] }
    define_singleton_method("#{name}=") { |new_value| @table[name] = new_value }
  end

  def method_missing(name, *args)
    return super unless name.end_with?("=")
    add(name.to_s.chomp("=").to_sym, *args)
    __send__(name, *args)
  end
end
made = Properties.new
p made.respond_to?(:color), made.respond_to?(:color=)
made.color = :red
p made.color, made.respond_to?(:color), made.respond_to?(:color=)
made.instance_variable_get(:@table)[:size] = 3
p made.respond_to?(:size), made.size, made[:size], made.to_h
other = OpenStruct.new(a: 1)
p other.respond_to?(:a), other.respond_to?(:a=), other.respond_to?(:b), other.dup.respond_to?(:a)
other.delete_field(:a)
p other.respond_to?(:a), other.a
p Marshal.load(Marshal.dump(OpenStruct.new(b: 2))).respond_to?(:b)
