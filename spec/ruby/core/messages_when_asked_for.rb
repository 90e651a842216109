# What has no such method is described only when someone asks for the message, and each time anew.
class Described
  attr_accessor :name

  def initialize(name) = @name = name
  def inspect = (@inspected = true; "<#{@name}>")
  def inspected? = @inspected
  def through_super = super
  def variable = instance_eval("missing_name")

  private def hidden = nil
  protected def guarded = nil
end

one = Described.new("first")
calls = {
  missing: -> { one.missing }, super: -> { one.through_super }, private: -> { one.hidden }, protected: -> { one.guarded }, variable: -> { one.variable },
  send: -> { one.public_send(:other, 1) }, attribute: -> { one.size = 1 }
}
errors = calls.transform_values do |call|
  call.call
rescue NameError => error
  puts "rescued"
  error
end
p one.inspected?, errors[:missing] == errors[:missing].dup, errors[:missing] == errors[:send], one.inspected?
one.name = "second"
errors.each { |name, error| puts "#{name}: #{error.message.lines.first.chomp}" }
error = errors[:missing]
p error.receiver.equal?(one), error.name, error.args
puts error.to_s.lines.first, error.message.lines.first
p one.inspected?
p Marshal.load(Marshal.dump(error)).message.lines.first.chomp rescue p $!.class
puts error.exception("given").message.lines.first
p error.class.new("own").message, error.class.new.message
begin
  nil.missing
rescue NoMethodError => error
  puts error.message.lines.first
end
